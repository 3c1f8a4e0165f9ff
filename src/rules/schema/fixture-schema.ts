import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { ValueHints } from '../match/value-hints.ts';
import { describeRuleOf, type SharedSchemas } from './operation-schema.ts';

/** A collection that a fixture file may have resources for. */
export interface SeededPlace {
  /** Its name in the file; a pattern if each parent has its own. */
  readonly name: string | RegExp;
  readonly isOne: boolean;
  /** Pointers of the schemas that describe a resource. */
  readonly pointers: readonly string[];
}

/**
 * Creates the schema of fixture files for one contract: the published one with the document's
 * operations and their statuses, examples, parameters and members of bodies. It accepts every file
 * that the mock accepts.
 *
 * @param format the published schema, `fixtures/fixtures.schema.json`
 * @param places the collections of the document
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

/** Returns a condition for the rules of one operation. */
function constrain(operation: Operation, name: string, shared: SharedSchemas): JsonObject {
  setMember(shared.definitions, name, describeRuleOf(operation, shared));
  return {
    if: { required: ['match'], properties: { match: { anyOf: namings(operation) } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
    then: { $ref: `#/$defs/${name}` },
  };
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
    {
      if: { required: ['method', 'path'] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
      then: pairs.length > 0 && { anyOf: pairs },
    },
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
