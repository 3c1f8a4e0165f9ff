import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { exampleNames } from '../../contract/content.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { parameterNames } from '../../contract/path-template.ts';
import type { DeclaredResponse } from '../../contract/responses.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { SchemaNode, type SchemaNodes } from '../../schema/schema-node.ts';
import { PARAMETER_MEMBERS } from '../match/parameters.ts';

/** A collection that a fixture file may have resources for. */
export interface SeededPlace {
  /** Its name in the file; a pattern if each parent has its own. */
  readonly name: string | RegExp;
  readonly isOne: boolean;
  /** Pointers of the schemas that describe a resource. */
  readonly pointers: readonly string[];
}

interface SharedSchemas {
  readonly document: SourceDocument;
  readonly hints: ValueHints;
  readonly definitions: JsonObject;
  /** Names of the definitions of responses, by pointer. */
  readonly responses: Map<string, string>;
}

/**
 * Creates the schema of fixture files for one contract: the published one with the document's
 * operations and their statuses, examples, parameters and members of bodies. It accepts every file
 * that the mock accepts.
 */
export function createFixtureSchema(
  format: JsonObject,
  contract: Contract,
  places: readonly SeededPlace[],
): JsonObject {
  const definitions: JsonObject = { ...objectAt(format, '$defs') };
  const { document, schemas } = contract;
  const hints = new ValueHints(schemas.nodes, definitions);
  const shared = { document, hints, definitions, responses: new Map<string, string>() };
  defineMethods(contract, definitions);
  const constraints = contract.operations.map((operation, index) =>
    constrain(operation, `operation-${index + 1}`, shared),
  );
  definitions['operationId'] = describeIds(contract);
  definitions['match'] = describeMatch(objectAt(definitions, 'match'), contract);
  definitions['rule'] = withAll(objectAt(definitions, 'rule'), constraints);
  definitions['resources'] = describeResources(objectAt(definitions, 'resources'), places, hints);
  const title = `${String(format['title'] ?? 'Fixtures')} for ${contract.title}`;
  return { ...format, title, $defs: definitions };
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

function withAll(schema: JsonObject, more: readonly JsonObject[]): JsonObject {
  const all = schema['allOf'];
  return { ...schema, allOf: [...(Array.isArray(all) ? all : []), ...more] };
}

function constrain(operation: Operation, name: string, shared: SharedSchemas): JsonObject {
  setMember(shared.definitions, name, describeRuleOf(operation, shared));
  return implies(
    { required: ['match'], properties: { match: { anyOf: namings(operation) } } },
    { $ref: `#/$defs/${name}` },
  );
}

function implies(condition: JsonObject, consequence: JsonValue): JsonObject {
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
  return { if: condition, then: consequence };
}

/** Returns how a rule may name an operation: by its id, alone or in a list, or by its path. */
function namings({ id, method, path }: Operation): JsonObject[] {
  const one = { const: id };
  return [
    { required: ['operationId'], properties: { operationId: one } },
    { required: ['operationId'], properties: { operationId: { type: 'array', contains: one } } },
    {
      required: ['method', 'path'],
      properties: { method: { $ref: methodReference(method) }, path: { const: path } },
    },
  ];
}

function describeIds({ operations }: Contract): JsonValue {
  if (operations.length === 0) return false;
  const known = new Map(operations.map((operation) => [operation.id, operation]));
  return {
    description: 'An operation of the document.',
    oneOf: [...known].map(([id, { method, path, summary }]) => ({
      const: id,
      description: summary === undefined ? `${method} ${path}` : `${method} ${path}: ${summary}`,
    })),
  };
}

function describeMatch(match: JsonObject, { operations }: Contract): JsonObject {
  const id = { $ref: '#/$defs/operationId' };
  const paths = new Map<string, JsonValue[]>();
  for (const { method, path } of operations) {
    paths.set(path, [...(paths.get(path) ?? []), { $ref: methodReference(method) }]);
  }
  const pairs = [...paths].map(([path, methods]) => ({
    properties: { path: { const: path }, method: { anyOf: methods } },
  }));
  return withAll(match, [
    { properties: { operationId: { anyOf: [id, { type: 'array', items: id }] } } },
    { properties: { path: pairs.length > 0 && { enum: [...paths.keys()] } } },
    implies({ required: ['method', 'path'] }, pairs.length > 0 && { anyOf: pairs }),
  ]);
}

/** Returns the schema of `resources`: the names of collections and of their members. */
function describeResources(
  schema: JsonObject,
  places: readonly SeededPlace[],
  hints: ValueHints,
): JsonObject {
  const properties: JsonObject = {};
  const patterns: JsonObject = {};
  for (const { name, isOne, pointers } of places) {
    const one = hints.of(pointers);
    const described = isOne ? { type: 'object', ...one } : { type: 'array', items: one };
    if (typeof name === 'string') setMember(properties, name, described);
    else setMember(patterns, name.source, described);
  }
  return { ...schema, properties, patternProperties: patterns, additionalProperties: false };
}

/** A file may write a method in any case; editors complete it in capitals. */
function defineMethods({ operations }: Contract, definitions: JsonObject): void {
  for (const method of new Set(operations.map((one) => one.method))) {
    const anyCase = { pattern: `^${[...method].map(inAnyCase).join('')}$` };
    definitions[`method-${method}`] = { anyOf: [{ enum: [method] }, anyCase] };
  }
}

/** A method may have characters that have a meaning in a pattern (RFC 9110 §5.6.2). */
function inAnyCase(letter: string): string {
  if (/[a-z]/i.test(letter)) return `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
  return /[$*+.^|]/.test(letter) ? `\\${letter}` : letter;
}

function methodReference(method: string): string {
  return `#/$defs/${encodeURIComponent(`method-${method}`)}`;
}

/** Returns what a rule of an operation must satisfy, besides the schema of every rule. */
function describeRuleOf(operation: Operation, shared: SharedSchemas): JsonObject {
  // An operation that cannot be served declares nothing to compare a rule with.
  if (operation.fault !== undefined) return {};
  return {
    properties: {
      match: { properties: describeParameters(operation, shared) },
      per: describeScope(operation),
      answer: describeAnswer(operation, shared),
    },
  };
}

function describeParameters(operation: Operation, { document, hints }: SharedSchemas): JsonObject {
  const match: JsonObject = {};
  for (const [member, location] of PARAMETER_MEMBERS) {
    const parameters = operation.parameters.filter((one) => one.in === location);
    if (parameters.length === 0) continue;
    const named: JsonObject = {};
    for (const { name, schema } of parameters) {
      const described = schema && document.schemaAt(schema.pointer);
      // A parameter may be compared with a value or by a matcher: only its description is known.
      const { description } = isJsonObject(described) ? described : {};
      setMember(named, name, description === undefined ? {} : { description });
    }
    match[member] = { properties: named };
  }
  const bodies = operation.body?.contents.flatMap(({ schema }) => schema?.pointer ?? []) ?? [];
  if (bodies.length > 0) match['body'] = hints.of(bodies);
  return match;
}

/** Counting by resource needs path parameters. */
function describeScope({ path }: Operation): JsonObject {
  const names = parameterNames(path);
  return {
    ...(names.length === 0 && { not: { const: 'resource' } }),
    properties: { path: oneOf(names) },
  };
}

/** Failures may have a status that is not declared. */
const FAILURES = { minimum: 400, maximum: 599 };

/** Returns the schema of `answer`, which allows everything off the contract. */
function describeAnswer({ responses }: Operation, shared: SharedSchemas): JsonObject {
  const groups = groupStatuses(responses);
  const byStatus = groups.flatMap((group) => [
    whereStatus('status', group, shared),
    whereStatus('fail', group, shared),
  ]);
  const described = groups.flatMap(({ response, ranges }) => {
    const description = shared.document.at(`${response.pointer}/description`);
    if (typeof description !== 'string') return ranges;
    return ranges.map((range) => ({ ...range, description }));
  });
  return {
    if: { required: ['offContract'], properties: { offContract: { const: true } } },
    else: {
      properties: { status: { anyOf: [...described, FAILURES] } },
      ...(byStatus.length > 0 && { allOf: byStatus }),
    },
  };
}

interface StatusGroup {
  readonly response: DeclaredResponse;
  readonly ranges: readonly JsonObject[];
}

function groupStatuses(responses: Operation['responses']): readonly StatusGroup[] {
  const groups = new Map<DeclaredResponse, { readonly from: number; to: number }[]>();
  for (let status = 200; status <= 599; status++) {
    const response = responses.find(status);
    if (response === undefined) continue;
    const ranges = remember(groups, response, () => []);
    const last = ranges.at(-1);
    if (last?.to === status - 1) last.to = status;
    else ranges.push({ from: status, to: status });
  }
  const describe = ({ from, to }: { readonly from: number; readonly to: number }): JsonObject =>
    from === to ? { const: from } : { minimum: from, maximum: to };
  return [...groups].map(([response, ranges]) => ({ response, ranges: ranges.map(describe) }));
}

function whereStatus(
  member: 'status' | 'fail',
  { response, ranges }: StatusGroup,
  shared: SharedSchemas,
): JsonObject {
  return implies(
    { required: [member], properties: { [member]: anyOf(ranges) } },
    { $ref: `#/$defs/${nameResponse(response, shared)}` },
  );
}

function nameResponse(response: DeclaredResponse, shared: SharedSchemas): string {
  const { pointer } = response;
  return remember(shared.responses, pointer, () => {
    const name = `response-${shared.responses.size + 1}`;
    setMember(shared.definitions, name, describeResponse(response, shared));
    return name;
  });
}

function describeResponse(
  { contents, headers }: DeclaredResponse,
  { hints }: SharedSchemas,
): JsonObject {
  const bodies = contents.flatMap(({ schema }) => schema?.pointer ?? []);
  const fields: JsonObject = {};
  for (const name of headers.schemas.keys()) setMember(fields, name, {});
  return {
    properties: {
      example: oneOf(exampleNames(contents)),
      ...(bodies.length > 0 && { body: hints.of(bodies) }),
      ...(headers.schemas.size > 0 && { headers: { properties: fields } }),
    },
  };
}

function oneOf(texts: readonly string[]): JsonValue {
  return texts.length === 0 ? false : { enum: [...new Set(texts)] };
}

function anyOf(schemas: readonly JsonObject[]): JsonValue {
  return schemas.length === 0 ? false : { anyOf: [...schemas] };
}

/** Creates schemas by which an editor completes values; they accept every value. */
class ValueHints {
  readonly #nodes: SchemaNodes;
  readonly #definitions: JsonObject;
  readonly #names = new Map<SchemaNode, string>();

  constructor(nodes: SchemaNodes, definitions: JsonObject) {
    this.#nodes = nodes;
    this.#definitions = definitions;
  }

  /** Returns the schema of a value that these schemas describe; an empty one if none does. */
  of(pointers: readonly string[]): JsonObject {
    return this.#hintOf(SchemaNode.unite(pointers.map((pointer) => this.#nodes.at(pointer))));
  }

  #hintOf(schema: SchemaNode | undefined): JsonObject {
    if (schema === undefined) return {};
    const { target } = schema;
    const known = this.#names.get(target);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const remarks = remarksOf(target.possible.map(({ value }) => value));
    if (target.names.size === 0 && target.items === undefined) return remarks;
    const name = `value-${this.#names.size + 1}`;
    // Added before its parts: a schema may be one of its own parts.
    this.#names.set(target, name);
    setMember(this.#definitions, name, { ...remarks, ...this.#partsOf(target) });
    return { $ref: `#/$defs/${name}` };
  }

  #partsOf({ properties, items }: SchemaNode): JsonObject {
    const hints: JsonObject = {};
    for (const [name, property] of properties) setMember(hints, name, this.#hintOf(property));
    return {
      ...(properties.size > 0 && { properties: hints }),
      ...(items !== undefined && { items: this.#hintOf(items) }),
    };
  }
}

const MOST_EXAMPLES = 50;

function remarksOf(schemas: readonly JsonObject[]): JsonObject {
  const description = schemas
    .flatMap((schema) => [getMember(schema, 'description'), getMember(schema, 'title')])
    .find((text) => typeof text === 'string');
  const examples = schemas.flatMap(examplesOf).slice(0, MOST_EXAMPLES);
  return {
    ...(description !== undefined && { description }),
    ...(examples.length > 0 && { examples }),
  };
}

function examplesOf(schema: JsonObject): readonly JsonValue[] {
  const lists = ['enum', 'examples'].flatMap((name) => {
    const list = getMember(schema, name);
    return Array.isArray(list) ? list : [];
  });
  const lone = ['const', 'example', 'default'].flatMap((name) => getMember(schema, name) ?? []);
  return [...lists, ...lone];
}
