import { toPointer } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { once, remember } from '../../base/remember.ts';
import type { Direction } from '../../schema/message-direction.ts';
import type { Patterns } from '../../schema/pattern/pattern.ts';
import type { ConstraintStore } from './constraint-store.ts';
import type { AppliedSchema, Constraints } from './constraints.ts';
import { ownName, pathName, schemaName } from './discriminator.ts';

type SchemaAt = Pick<AppliedSchema, 'schema' | 'pointer'>;

/** Returns pointers of the subschemas that describe a member of an object. */
function memberPointers({ schema, pointer }: SchemaAt, name: string, patterns: Patterns): string[] {
  const pointers: string[] = [];
  const { properties } = schema;
  if (isJsonObject(properties) && getMember(properties, name) !== undefined) {
    pointers.push(`${pointer}/properties${toPointer([name])}`);
  }
  for (const pattern of keysOf(schema, 'patternProperties')) {
    if (!patterns.matches(pattern, name)) continue;
    pointers.push(`${pointer}/patternProperties${toPointer([pattern])}`);
  }
  if (pointers.length === 0 && schema['additionalProperties'] !== undefined) {
    pointers.push(`${pointer}/additionalProperties`);
  }
  return pointers;
}

/** Returns pointers of the subschemas that describe the item at an index. */
function itemPointers({ schema, pointer }: SchemaAt, index: number): string[] {
  if (index < prefixLength(schema)) return [`${pointer}/prefixItems/${index}`];
  return schema['items'] === undefined ? [] : [`${pointer}/items`];
}

/**
 * Returns pointers of the subschemas that describe a part of a value: a member or an item.
 *
 * @param unevaluated the keyword for parts that no other schema describes (JSON Schema Core §11)
 * @param listIn returns the pointers in one schema
 */
function pointersTo(
  { applied, unions }: Constraints,
  unevaluated: 'unevaluatedProperties' | 'unevaluatedItems',
  listIn: (entry: AppliedSchema) => string[],
): string[] {
  return applied.flatMap((entry) => {
    const pointers = listIn(entry);
    if (pointers.length > 0 || entry.schema[unevaluated] === undefined) return pointers;
    // A branch that is not chosen yet may evaluate any part.
    if (unions.some(({ owner }) => isBroughtBy(owner, entry))) return [];
    const isEvaluated = applied.some(
      (other) =>
        other !== entry &&
        isBroughtBy(other, entry) &&
        (other.schema[unevaluated] !== undefined || listIn(other).length > 0),
    );
    return isEvaluated ? [] : [`${entry.pointer}/${unevaluated}`];
  });
}

/** Returns true when one schema applies because another one does, directly or not. */
function isBroughtBy(entry: AppliedSchema, other: AppliedSchema): boolean {
  const visited = new Set<AppliedSchema>();
  const waiting = [entry];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === other) return true;
    if (visited.has(next)) continue;
    visited.add(next);
    waiting.push(...next.broughtBy);
  }
  return false;
}

/** A member of an object; its constraints are merged when they are first needed. */
interface Member {
  /** Of the schemas that describe it. */
  readonly pointers: readonly string[];
  constraints: Constraints | undefined;
  isAbsent: boolean | undefined;
}

/** The constraints on an object's members. */
export class ObjectRules {
  readonly #store: ConstraintStore;
  readonly #constraints: Constraints;
  readonly #members = new Map<string, Member>();
  readonly #declared: ReadonlySet<string>;
  readonly #absent: 'readOnly' | 'writeOnly';
  readonly #required: () => readonly string[];
  /** Names of declared properties, in the order of the schemas. */
  readonly names: readonly string[];
  /** Patterns of `patternProperties`. */
  readonly namePatterns: readonly string[];
  /** Properties, each with those that it needs. */
  readonly dependencies: readonly (readonly [name: string, needed: readonly string[]])[];
  /** The name of the schema of the object, and that of its path. */
  readonly named: { readonly schema: string | undefined; readonly path: string | undefined };
  /** Pointers of `propertyNames`. */
  readonly nameSchemas: readonly string[];

  constructor(store: ConstraintStore, constraints: Constraints, direction: Direction) {
    this.#store = store;
    this.#constraints = constraints;
    const { applied } = constraints;
    const namesIn = (keyword: string): string[] => [
      ...new Set(applied.flatMap(({ schema }) => keysOf(schema, keyword))),
    ];
    this.names = namesIn('properties');
    this.#declared = new Set(this.names);
    this.namePatterns = namesIn('patternProperties');
    const [schema] = applied.flatMap(({ pointer }) => schemaName(pointer) ?? []);
    this.named = { schema: schema && ownName(schema), path: pathName(applied[0]?.pointer ?? '') };
    this.nameSchemas = applied
      .filter(({ schema }) => schema['propertyNames'] !== undefined)
      .map(({ pointer }) => `${pointer}/propertyNames`);
    this.dependencies = applied.flatMap(({ schema }) => readDependencies(schema));
    this.#absent = direction === 'request' ? 'readOnly' : 'writeOnly';
    // The objects that a union offers beside a key are rarely built.
    this.#required = once(() => constraints.required.filter((name) => !this.isAbsent(name)));
  }

  /** Names of required properties that a message of this direction can have. */
  get required(): readonly string[] {
    return this.#required();
  }

  /** Returns true for a property that a message of this direction cannot have. */
  isAbsent(name: string): boolean {
    if (!this.#declared.has(name)) return false;
    const member = this.#memberAt(name);
    member.isAbsent ??= member.pointers.some((one) => this.#store.flagsOf(one).has(this.#absent));
    return member.isAbsent;
  }

  /** Returns the constraints of a member; {@link Constraints.contradiction} forbids it. */
  member(name: string): Constraints {
    const member = this.#memberAt(name);
    member.constraints ??= this.#store.of(member.pointers);
    return member.constraints;
  }

  #memberAt(name: string): Member {
    return remember(this.#members, name, () => {
      const { patterns } = this.#store;
      const listIn = (entry: AppliedSchema) => memberPointers(entry, name, patterns);
      const pointers = pointersTo(this.#constraints, 'unevaluatedProperties', listIn);
      return { pointers, constraints: undefined, isAbsent: undefined };
    });
  }

  /** True when some schema describes members that are not declared. */
  get describesFurther(): boolean {
    return this.#constraints.applied.some(
      ({ schema }) =>
        isJsonObject(schema['additionalProperties']) ||
        isJsonObject(schema['unevaluatedProperties']),
    );
  }
}

function keysOf(schema: JsonObject, keyword: string): readonly string[] {
  const map = schema[keyword];
  return isJsonObject(map) ? Object.keys(map) : [];
}

function readDependencies({ dependentRequired }: JsonObject): ObjectRules['dependencies'] {
  if (!isJsonObject(dependentRequired)) return [];
  return Object.entries(dependentRequired).map(
    ([name, needed]) => [name, [needed].flat().filter((one) => typeof one === 'string')] as const,
  );
}

/** A `contains` and how many items must match it. */
export interface Containment {
  readonly pointer: string;
  readonly least: number;
  readonly most: number;
}

/** The constraints on an array's items. */
export class ArrayRules {
  readonly #store: ConstraintStore;
  readonly #constraints: Constraints;
  readonly #items = new Map<number, Constraints>();
  /** The number of leading items with their own schemas. */
  readonly tupleLength: number;
  readonly containments: readonly Containment[];
  /**
   * True when `unevaluatedItems` applies after the tuple to items that `contains` does not match.
   */
  readonly isClosed: boolean;
  /** False when no schema describes the items. */
  readonly describesItems: boolean;

  constructor(store: ConstraintStore, constraints: Constraints) {
    this.#store = store;
    this.#constraints = constraints;
    const { applied } = constraints;
    this.tupleLength = Math.max(0, ...applied.map(({ schema }) => prefixLength(schema)));
    this.containments = applied.flatMap(readContainment);
    this.isClosed =
      this.containments.length > 0 && this.#pointersAt(this.tupleLength).some(isUnevaluated);
    this.describesItems = applied.some(
      ({ schema }) => schema['items'] !== undefined || schema['prefixItems'] !== undefined,
    );
  }

  /** Returns the constraints of the item at an index, except `contains`. */
  item(index: number): Constraints {
    const place = Math.min(index, this.tupleLength);
    return remember(this.#items, place, () => this.#store.of(this.#pointersAt(place)));
  }

  /**
   * @param pointers of `contains` schemas that the item matches: `unevaluatedItems` does not apply
   *   to it then (JSON Schema Core §11.2)
   */
  itemWith(index: number, pointers: readonly string[]): Constraints {
    const own = this.#pointersAt(Math.min(index, this.tupleLength));
    return this.#store.of([...own.filter((one) => !isUnevaluated(one)), ...pointers]);
  }

  #pointersAt(index: number): string[] {
    const listIn = (entry: AppliedSchema) => itemPointers(entry, index);
    return pointersTo(this.#constraints, 'unevaluatedItems', listIn);
  }
}

function isUnevaluated(pointer: string): boolean {
  return pointer.endsWith('/unevaluatedItems');
}

function prefixLength({ prefixItems }: JsonObject): number {
  return Array.isArray(prefixItems) ? prefixItems.length : 0;
}

function readContainment({ schema, pointer }: AppliedSchema): Containment[] {
  const { contains, minContains: least, maxContains: most } = schema;
  if (contains === undefined) return [];
  return [
    {
      pointer: `${pointer}/contains`,
      least: typeof least === 'number' ? least : 1,
      most: typeof most === 'number' ? most : Number.POSITIVE_INFINITY,
    },
  ];
}
