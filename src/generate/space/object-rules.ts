import { toPointer } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import type { Direction } from '../../schema/message-direction.ts';
import type { Patterns } from '../../schema/pattern/pattern.ts';
import type { ConstraintStore } from './constraint-store.ts';
import type { AppliedSchema, Constraints } from './constraints.ts';

/** The constraints on an object's members. */
export class ObjectRules {
  readonly #store: ConstraintStore;
  readonly #constraints: Constraints;
  readonly #members = new Map<string, Constraints>();
  /** Names of declared properties, in the order of the schemas. */
  readonly names: readonly string[];
  /** Names of required properties that a message of this direction can have. */
  readonly required: readonly string[];
  /** Names of properties that a message of this direction cannot have. */
  readonly absent: ReadonlySet<string>;
  /** Patterns of `patternProperties`. */
  readonly namePatterns: readonly string[];
  /** Properties, each with those that it needs. */
  readonly dependencies: readonly (readonly [name: string, needed: readonly string[]])[];
  /** Pointers of `propertyNames`. */
  readonly nameSchemas: readonly string[];

  constructor(store: ConstraintStore, constraints: Constraints, direction: Direction) {
    this.#store = store;
    this.#constraints = constraints;
    const { applied } = constraints;
    this.names = [...new Set(applied.flatMap(({ schema }) => keysOf(schema, 'properties')))];
    this.namePatterns = [
      ...new Set(applied.flatMap(({ schema }) => keysOf(schema, 'patternProperties'))),
    ];
    this.nameSchemas = applied
      .filter(({ schema }) => schema['propertyNames'] !== undefined)
      .map(({ pointer }) => `${pointer}/propertyNames`);
    this.dependencies = applied.flatMap(({ schema }) => readDependencies(schema));
    this.absent = new Set(this.names.filter((name) => this.#isAbsent(name, direction)));
    this.required = constraints.required.filter((name) => !this.absent.has(name));
  }

  /** Returns the constraints of a member; {@link Constraints.contradiction} forbids it. */
  member(name: string): Constraints {
    const { applied } = this.#constraints;
    return remember(this.#members, name, () =>
      this.#store.of(applied.flatMap((entry) => this.#pointersIn(entry, name))),
    );
  }

  /** True when some schema describes members that are not declared. */
  get describesFurther(): boolean {
    return this.#constraints.applied.some(
      ({ schema }) =>
        isJsonObject(schema['additionalProperties']) ||
        isJsonObject(schema['unevaluatedProperties']),
    );
  }

  /** Returns true while a branch that is not chosen yet may evaluate any member. */
  #isOpen(entry: AppliedSchema): boolean {
    return this.#constraints.unions.some(({ owner }) => isBroughtBy(owner, entry));
  }

  #isAbsent(name: string, direction: Direction): boolean {
    const { isReadOnly, isWriteOnly } = this.member(name);
    return direction === 'request' ? isReadOnly : isWriteOnly;
  }

  #pointersIn(entry: AppliedSchema, name: string): string[] {
    const { schema, pointer } = entry;
    const pointers = ownPointers(entry, name, this.#store.patterns);
    if (pointers.length > 0) return pointers;
    if (schema['additionalProperties'] !== undefined) return [`${pointer}/additionalProperties`];
    if (schema['unevaluatedProperties'] === undefined || this.#isOpen(entry)) return [];
    const isEvaluated = this.#constraints.applied.some(
      (other) =>
        other !== entry &&
        isBroughtBy(other, entry) &&
        (ownPointers(other, name, this.#store.patterns).length > 0 ||
          other.schema['additionalProperties'] !== undefined ||
          other.schema['unevaluatedProperties'] !== undefined),
    );
    return isEvaluated ? [] : [`${pointer}/unevaluatedProperties`];
  }
}

/** Returns pointers of the schemas that describe a member by name or pattern. */
function ownPointers(
  { schema, pointer }: AppliedSchema,
  name: string,
  patterns: Patterns,
): string[] {
  const pointers: string[] = [];
  const { properties } = schema;
  if (isJsonObject(properties) && getMember(properties, name) !== undefined) {
    pointers.push(`${pointer}/properties${toPointer([name])}`);
  }
  for (const pattern of keysOf(schema, 'patternProperties')) {
    if (patterns.matches(pattern, name))
      pointers.push(`${pointer}/patternProperties${toPointer([pattern])}`);
  }
  return pointers;
}

/** Returns true when one schema applies because another one does, directly or not. */
export function isBroughtBy(entry: AppliedSchema, other: AppliedSchema): boolean {
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

function keysOf(schema: JsonObject, keyword: string): readonly string[] {
  const map = schema[keyword];
  return isJsonObject(map) ? Object.keys(map) : [];
}

function readDependencies(
  schema: JsonObject,
): (readonly [name: string, needed: readonly string[]])[] {
  const { dependentRequired } = schema;
  if (!isJsonObject(dependentRequired)) return [];
  return Object.entries(dependentRequired).map(
    ([name, needed]) => [name, [needed].flat().filter((one) => typeof one === 'string')] as const,
  );
}
