import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import { once } from '../base/remember.ts';
import { type Direction, findAbsentProperties, mayLeaveOut } from './message-direction.ts';
import { SchemaNode } from './schema-node.ts';

/** Returns a value with something left out; the value itself is never changed. */
export type Conversion = (value: JsonValue) => JsonValue;

/** Returns the conversion of a part of the value; of a part that no schema describes, none. */
type CompilePart = (part: SchemaNode | undefined) => Conversion;
type CompileNode = (node: SchemaNode, compile: CompilePart) => Conversion;

/**
 * Compiles a schema to the projection of values onto it: of an object it keeps the properties that
 * the schema names or requires, directly or through `$ref`, `allOf`, `anyOf`, `oneOf` and
 * conditions, and drops members that the schema merely does not forbid. Where a schema names no
 * property at all, it keeps all members.
 */
export function compileProjection(schema: SchemaNode | undefined): Conversion {
  return compileConversion(schema, (node, compile) => {
    return byType(compile(node.items), projectMembers(node, compile));
  });
}

function projectMembers(node: SchemaNode, compile: CompilePart): (value: JsonObject) => JsonObject {
  const { properties } = node;
  const patterns = node.patterns.map((one) => ({ ...one, project: compile(one.node) }));
  if (properties.size === 0 && patterns.length === 0) return (value) => value;
  const undescribed = [...node.required].filter((name) => !properties.has(name));
  const named = [
    ...[...properties].map(([name, one]) => [name, compile(one)] as const),
    ...undescribed.map((name) => [name, keep] as const),
  ];
  const allowsAll = node.possible.some(({ value }) => value['additionalProperties'] === true);
  const others = allowsAll ? keep : node.additional && compile(node.additional);
  if (patterns.length === 0 && others === undefined) return (value) => pick(value, named);
  const byName = new Map(named);
  return (value) => {
    const projected: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      const project =
        byName.get(name) ?? patterns.find(({ pattern }) => pattern.test(name))?.project ?? others;
      if (project !== undefined) setMember(projected, name, project(member));
    }
    return projected;
  };
}

type Named = readonly (readonly [string, Conversion])[];

/** Returns the named members in the order of the names; the object itself where it is that. */
function pick(value: JsonObject, named: Named): JsonObject {
  const isInOrder = hasOnly(value, named);
  let picked: JsonObject | undefined = isInOrder ? undefined : {};
  for (const [name, project] of named) {
    const member = getMember(value, name);
    if (member === undefined) continue;
    const projected = project(member);
    if (isInOrder && projected === member) continue;
    picked ??= { ...value };
    setMember(picked, name, projected);
  }
  return picked ?? value;
}

/** Returns true for an object that has named members only, in the order of the names. */
function hasOnly(value: JsonObject, named: Named): boolean {
  let place = 0;
  for (const name in value) {
    while (named[place]?.[0] !== name) if (++place >= named.length) return false;
  }
  return true;
}

/**
 * Compiles a schema to what leaves `readOnly` properties out of requests and `writeOnly` ones out
 * of responses (OAS 3.1 §4.8.24.2), at all depths.
 */
export function compileWithholding(schema: SchemaNode | undefined, direction: Direction) {
  const hasAbsent = (node: SchemaNode): boolean => findAbsentProperties(node, direction).size > 0;
  if (schema === undefined || !mayLeaveOut(schema, direction)) return keep;
  if (!schema.mayReach(hasAbsent, schema.nodes.leaveOut[direction])) return keep;
  return compileConversion(schema, (node, compile) => {
    const absent = findAbsentProperties(node, direction);
    const members = new Map([...node.properties].map(([name, one]) => [name, compile(one)]));
    const patterns = node.patterns.map((one) => one.node);
    const others = compile(SchemaNode.unite([...patterns, node.additional]));
    const items = compile(SchemaNode.unite([node.items, ...node.prefixItems]));
    const convert = (value: JsonObject): JsonObject => {
      const kept: JsonObject = {};
      for (const [name, member] of Object.entries(value)) {
        if (!absent.has(name)) setMember(kept, name, (members.get(name) ?? others)(member));
      }
      return kept;
    };
    return byType(items, convert);
  });
}

/** Compiles each node once, with its first value: schemas may be recursive. */
function compileConversion(schema: SchemaNode | undefined, compileNode: CompileNode): Conversion {
  const compiled = new Map<SchemaNode, Conversion>();
  const compile: CompilePart = (part) => {
    if (part === undefined) return keep;
    const known = compiled.get(part.target);
    if (known !== undefined) return known;
    const convert = once(() => compileNode(part.target, compile));
    const lazy: Conversion = (value) => convert()(value);
    compiled.set(part.target, lazy);
    return lazy;
  };
  return compile(schema);
}

/** Returns the conversion of arrays by their items, and of objects. */
function byType(items: Conversion, convert: (value: JsonObject) => JsonObject): Conversion {
  return (value) => {
    if (Array.isArray(value)) return items === keep ? value : convertItems(value, items);
    return isJsonObject(value) ? convert(value) : value;
  };
}

/** Returns the items as they are converted; the array itself where none changes. */
function convertItems(array: JsonValue[], convert: Conversion): JsonValue[] {
  const converted = array.map(convert);
  return converted.every((item, index) => item === array[index]) ? array : converted;
}

function keep(value: JsonValue): JsonValue {
  return value;
}
