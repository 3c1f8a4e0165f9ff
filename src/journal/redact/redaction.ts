import type { JsonObject } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { isSecret } from './hidden-schema.ts';
import { isSecretName } from './secrets.ts';

/** What of an exchange is not shown to anyone. Matching sees everything all the same. */
export interface Redaction {
  /** True where secrets are shown after all. */
  readonly showsSecrets: boolean;
  /** @param name of a header field, in lower case */
  hidesField(name: string): boolean;
  /** @param operation that may declare the parameter; undefined where none is meant */
  hidesParameter(
    location: ParameterLocation,
    name: string,
    operation: Operation | undefined,
  ): boolean;
  /** @returns true for a member of a body by its name alone */
  hidesMember(name: string): boolean;
  /** @returns the schema that says which parts of a value are secrets */
  schemaAt(pointer: string | undefined): SchemaNode | undefined;
  /** @returns true where values of a schema may have a secret in them */
  hidesAnyOf(schema: SchemaNode | undefined): boolean;
}

/** Shows everything: for those who have nothing to hide. */
export const showSecrets: Redaction = Object.freeze({
  showsSecrets: true,
  hidesField: () => false,
  hidesParameter: () => false,
  hidesMember: () => false,
  schemaAt: () => undefined,
  hidesAnyOf: () => false,
});

/** Fields that carry credentials whatever the document says (RFC 9110 §11.6.2, RFC 6265 §4). */
const CREDENTIAL_FIELDS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/**
 * Hides credentials: the fields that HTTP has for them, the API keys that the document's security
 * schemes name, what a schema calls `format: password` or `writeOnly`, and whatever has the name of
 * a secret.
 */
export function createRedaction(contract: Contract): Redaction {
  const keys = readKeys(contract);
  const fields = new Set([...CREDENTIAL_FIELDS, ...keys.header]);
  const { nodes } = contract.schemas;
  const searched = new WeakMap<SchemaNode, boolean>();
  const hidesField = (name: string): boolean => fields.has(name) || isSecretName(name);
  return Object.freeze({
    showsSecrets: false,
    hidesField,
    hidesMember: isSecretName,
    schemaAt: (pointer: string | undefined) => nodes.at(pointer),
    hidesAnyOf(schema) {
      if (schema === undefined) return false;
      const hidesAny = searched.get(schema) ?? schema.mayReach(isSecret);
      searched.set(schema, hidesAny);
      return hidesAny;
    },
    hidesParameter(location, name, operation) {
      // Which cookie is a session's, its name does not tell.
      if (location === 'cookie') return true;
      if (location === 'header' && hidesField(name.toLowerCase())) return true;
      if (location === 'query' && keys.query.has(name)) return true;
      if (isSecretName(name)) return true;
      const declared = parametersOf(operation).find(
        (one) => one.in === location && one.name === name,
      );
      return isSecret(nodes.at(declared?.schema?.pointer));
    },
  } satisfies Redaction);
}

/** @returns the parameters of an operation; none where it cannot be read */
export function parametersOf(operation: Operation | undefined): Operation['parameters'] {
  return operation === undefined || operation.fault !== undefined ? [] : operation.parameters;
}

interface Keys {
  /** In lower case. */
  readonly header: ReadonlySet<string>;
  readonly query: ReadonlySet<string>;
}

/** Of all schemes, used or not: a client may send a key to an operation that asks for none. */
function readKeys({ document }: Contract): Keys {
  const header = new Set<string>();
  const query = new Set<string>();
  for (const { place } of document.entries) {
    for (const [, pointer] of document.members(`${place}/components/securitySchemes`)) {
      const scheme = resolve(document, pointer);
      if (scheme?.['type'] !== 'apiKey') continue;
      const name = String(scheme['name'] ?? '');
      if (scheme['in'] === 'header') header.add(name.toLowerCase());
      if (scheme['in'] === 'query') query.add(name);
    }
  }
  return { header, query };
}

/** A scheme that cannot be found is told where it is used. */
function resolve(document: Contract['document'], pointer: string): JsonObject | undefined {
  try {
    return document.resolveObject(pointer)?.value;
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** What parts of one exchange are shown with. */
export interface Showing {
  readonly redaction: Redaction;
  /** Undefined where no operation was meant. */
  readonly operation: Operation | undefined;
  /** The secrets that were come upon: they may come up again where nobody would look for them. */
  readonly secrets: string[];
}
