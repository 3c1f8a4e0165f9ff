import { toPath } from '../../base/json/pointer.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { parameterNames } from '../../contract/path-template.ts';
import { ifReadable } from '../../document/diagnostic.ts';
import { decodePercent } from '../../http/query.ts';
import type { RequestView } from '../../request/view.ts';
import { SchemaNode } from '../../schema/schema-node.ts';
import { isSecretInQuery, isSecretName } from './secrets.ts';

/** Fields that carry credentials whatever the document says (RFC 9110 §11.6.2, RFC 6265 §4). */
const CREDENTIAL_FIELDS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

/** Names of cookies that identify a session: `PHPSESSID`, `connect.sid`. */
const COOKIE_OF_SESSION = /sess|sid|auth/i;

/**
 * Decides which parts of an exchange are secret, for the journal, the log, events and refusals: the
 * fields that HTTP defines for credentials, the API keys of the document's security schemes, values
 * with `format: password` or `writeOnly`, and everything that has the name of a secret. Matching
 * uses all of them nevertheless.
 */
export class Redaction {
  readonly showsSecrets: boolean;
  readonly #contract: Contract;
  readonly #keys: ReadonlySet<string>;
  readonly #searched = new WeakMap<SchemaNode, boolean>();
  readonly #inPaths = new WeakMap<Operation, readonly string[]>();
  readonly #bodies = new WeakMap<Operation, boolean>();
  readonly #pairs = new WeakMap<Operation, Map<string, boolean>>();
  readonly #pointers = new Map<string, boolean>();
  #templates: readonly SecretTemplate[] | undefined;

  constructor(contract: Contract, showsSecrets = false) {
    this.showsSecrets = showsSecrets;
    this.#contract = contract;
    this.#keys = readKeys(contract);
  }

  /** @param name of a header field, in lower case */
  redactsField(name: string): boolean {
    return CREDENTIAL_FIELDS.has(name) || this.#keys.has(`header ${name}`) || isSecretName(name);
  }

  /** Returns true for a pointer in which a key is the name of a secret. */
  namesSecret(pointer: string): boolean {
    // A client repeats its mistakes, and to look at a name takes six patterns.
    if (this.#pointers.size >= MOST_POINTERS) this.#pointers.clear();
    if (pointer.length > LONGEST_POINTER) return toPath(pointer).some(isSecretName);
    return remember(this.#pointers, pointer, () => toPath(pointer).some(isSecretName));
  }

  /** @param operation that may declare the parameter; undefined where none matched */
  redactsParameter(location: ParameterLocation, name: string, operation?: Operation): boolean {
    if (this.showsSecrets) return false;
    // The name of a cookie does not tell for certain whether it identifies a session.
    return location === 'cookie' || this.redactsQuote(location, name, operation);
  }

  /** As {@link redactsParameter}, for a refusal: it quotes a cookie that does not identify anyone. */
  redactsQuote(location: ParameterLocation, name: string, operation?: Operation): boolean {
    if (this.#keys.has(`${location} ${name}`)) return true;
    if (location === 'header' && this.redactsField(name.toLowerCase())) return true;
    if (location === 'cookie' && COOKIE_OF_SESSION.test(name)) return true;
    if (location === 'query' && isSecretInQuery(name)) return true;
    if (isSecretName(name) || isSecret(this.schemaOf(location, name, operation))) return true;
    return location === 'query' && this.#isSecretMember(name, operation);
  }

  /** Returns true for a name in a query whose value is or may contain a secret. */
  redactsPair(name: string, operation?: Operation): boolean {
    const known = operation && this.#pairs.get(operation)?.get(name);
    if (known !== undefined) return known;
    const isDeclared = parametersOf(operation).some(
      (one) => one.in === 'query' && one.name === name,
    );
    const decide = (): boolean =>
      this.redactsParameter('query', name, operation) ||
      this.redactsAnyOf(this.schemaOf('query', name, operation));
    if (!isDeclared || operation === undefined) return decide();
    // Kept for what the document declares, which is in most requests and in each line of the log.
    const ofOperation = remember(this.#pairs, operation, () => new Map<string, boolean>());
    return remember(ofOperation, name, decide);
  }

  secretsInPath(operation: Operation): readonly string[] {
    return remember(this.#inPaths, operation, () =>
      parametersOf(operation)
        .filter((one) => one.in === 'path' && this.redactsParameter('path', one.name, operation))
        .map(({ name }) => name),
    );
  }

  /** Returns the secret segments of a path that has no operation, decoded. */
  secretsInUnknownPath(path: string): readonly string[] {
    if (this.showsSecrets) return [];
    const { methods, parameters } = this.#contract.route(path, '') ?? {};
    if (methods !== undefined) {
      const { variants } = this.#contract;
      const operations = [...methods.values()].flatMap((one) => variants.get(one) ?? one);
      const names = operations.flatMap((operation) => this.secretsInPath(operation));
      return names.flatMap((name) => parameters?.get(name) ?? []);
    }
    this.#templates ??= findSecretTemplates(this.#contract);
    const segments = path.split('/').map((segment) => decodePercent(segment) ?? segment);
    return this.#templates.flatMap((template) => matchBeginning(template, segments));
  }

  /** Returns the schema that says which parts of a value are secret. */
  schemaAt(pointer: string | undefined): SchemaNode | undefined {
    return this.showsSecrets ? undefined : this.#contract.schemas.nodes.at(pointer);
  }

  schemaOf(location: ParameterLocation, name: string, operation?: Operation) {
    const isNamed = (declared: string): boolean =>
      declared === name || (location === 'header' && declared.toLowerCase() === name);
    const declared = parametersOf(operation).find(
      (one) => one.in === location && isNamed(one.name),
    );
    return this.schemaAt(declared?.schema?.pointer);
  }

  /** Returns true for a member of a parameter that is an object: `filter[pin]`, or `pin` alone. */
  #isSecretMember(name: string, operation: Operation | undefined): boolean {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    return parametersOf(operation).some(({ in: location, name: declared, schema }) => {
      if (location !== 'query' || schema === undefined) return false;
      return isSecretAt(this.schemaAt(schema.pointer), declared === path[0] ? path.slice(1) : path);
    });
  }

  redactsBodyOf(operation: Operation): boolean {
    return remember(this.#bodies, operation, () => {
      const contents = operation.fault === undefined ? (operation.body?.contents ?? []) : [];
      return contents.some(({ schema }) => this.redactsAnyOf(this.schemaAt(schema?.pointer)));
    });
  }

  redactsAnyOf(schema: SchemaNode | undefined): boolean {
    return schema?.mayReach(isSecret, this.#searched) ?? false;
  }
}

/** A client chooses the names in a pointer. */
const LONGEST_POINTER = 200;
const MOST_POINTERS = 1000;

/** Returns the parameters of an operation; none where it cannot be read. */
export function parametersOf(operation: Operation | undefined): Operation['parameters'] {
  return operation === undefined || operation.fault !== undefined ? [] : operation.parameters;
}

/** The beginning of a path template, up to a segment with a parameter that has a secret name. */
type SecretTemplate = readonly string[];

/** Reads names only: to read all operations would delay the first request that has none. */
function findSecretTemplates({ operations }: Contract): readonly SecretTemplate[] {
  const templates = new Map<string, SecretTemplate>();
  for (const { path } of operations) {
    const segments = path.split('/');
    const end = segments.findIndex((segment) => parameterNames(segment).some(isSecretName));
    const beginning = segments.slice(1, end + 1);
    if (end > 0) templates.set(beginning.join('/'), beginning);
  }
  return [...templates.values()];
}

/** Returns the segments that are at the secret end of a template, below any base path. */
function matchBeginning(template: SecretTemplate, segments: readonly string[]): readonly string[] {
  const isParameter = (text: string | undefined): boolean => text?.includes('{') === true;
  return segments.flatMap((segment, index) => {
    const begin = index - template.length + 1;
    // Without a literal segment, a template would match at every depth.
    if (begin < 1 || (begin > 1 && isParameter(template[0]))) return [];
    const isMatch = template.every(
      (expected, at) => isParameter(expected) || expected === segments[begin + at],
    );
    return isMatch && segment !== '' ? [segment] : [];
  });
}

/** Returns API keys such as `query gate`, fields in lower case, also of schemes without use. */
function readKeys({ document }: Contract): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { place } of document.entries) {
    for (const [, pointer] of document.members(`${place}/components/securitySchemes`)) {
      // The use of a scheme that cannot be found is refused elsewhere.
      const scheme = ifReadable(() => document.resolveObject(pointer)?.value);
      if (scheme?.['type'] !== 'apiKey') continue;
      const { in: location, name } = scheme;
      keys.add(`${location} ${location === 'header' ? String(name).toLowerCase() : name}`);
    }
  }
  return keys;
}

export interface Showing {
  readonly redaction: Redaction;
  readonly view: RequestView;
  readonly operation: Operation | undefined;
  /** The secrets that were found: they may appear in other texts too. */
  readonly secrets: string[];
}

export function beginShowing(redaction: Redaction, view: RequestView): Showing {
  return { redaction, view, operation: view.operation, secrets: [] };
}

/** Returns true for `format: password` and for `writeOnly`, as such a value is never returned. */
export function isSecret(schema: SchemaNode | undefined): boolean {
  const isHidden = ({ format, writeOnly }: JsonObject) =>
    format === 'password' || writeOnly === true;
  return schema?.possible.some(({ value }) => isHidden(value)) === true;
}

/** Returns what a schema says about a member, by the property and by the patterns of its name. */
export function memberOf(schema: SchemaNode | undefined, name: string): SchemaNode | undefined {
  if (schema === undefined) return undefined;
  const matching = schema.patterns.filter(({ pattern }) => pattern.test(name));
  const described = [schema.property(name), ...matching.map(({ node }) => node)];
  return SchemaNode.unite(described) ?? schema.additional;
}

/** Returns what a schema says about the items of an array, at whatever index. */
export function itemOf(schema: SchemaNode | undefined): SchemaNode | undefined {
  return schema && SchemaNode.unite([schema.items, ...schema.prefixItems]);
}

/** Returns true where a member or an item, or a value around it, is secret. */
export function isSecretAt(schema: SchemaNode | undefined, path: readonly string[]): boolean {
  let at = schema;
  for (const token of path) {
    at = memberOf(at, token) ?? itemOf(at);
    if (isSecret(at)) return true;
  }
  return false;
}
