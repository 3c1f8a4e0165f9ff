import { createLookup, findDuplicate, isEqual } from '../base/json/equal.ts';
import { compareNumbers, isMultipleOf, isNumber } from '../base/json/number.ts';
import { toPointer } from '../base/json/pointer.ts';
import {
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { countCharacters } from '../base/words.ts';
import { isOfType } from '../schema/exact-keywords.ts';
import { acceptsNumber } from '../schema/formats.ts';
import type { Direction } from '../schema/message-direction.ts';
import { branchesOf, type ConstraintStore } from './space/constraint-store.ts';
import type { Constraints } from './space/constraints.ts';
import { itemPointers, memberPointers, ObjectRules } from './space/part-rules.ts';
import type { TextFormats } from './text/formats.ts';

/** The members and items of a value that schemas have evaluated (JSON Schema Core §11). */
interface Evaluated {
  readonly names: Set<string>;
  readonly items: Set<number>;
}

/** The state of evaluating one value. */
interface Progress {
  readonly absent: ReadonlySet<string>;
  /** Schemas that are being applied to this same value: a reference loop ends here. */
  readonly active: readonly string[];
  readonly depth: number;
}

/** Deeper values are not built. */
const DEEPEST = 300;

/**
 * Checks whether a value conforms to a schema while the rest of the document's value is not built
 * yet: to choose between branches and samples. The compiled validator then checks the whole.
 */
export class Evaluator {
  /** The number of schemas that values were compared with. */
  steps = 0;
  readonly #store: ConstraintStore;
  readonly #direction: Direction;
  readonly #formats: TextFormats;
  readonly #lookups = new WeakMap<readonly JsonValue[], (value: JsonValue) => boolean>();
  readonly #absent = new Map<string, ReadonlySet<string>>();

  constructor(store: ConstraintStore, direction: Direction, formats: TextFormats) {
    this.#store = store;
    this.#direction = direction;
    this.#formats = formats;
  }

  /** Returns true when the value conforms to all schemas that the constraints were merged from. */
  conforms({ selection, key }: Constraints, value: JsonValue): boolean {
    const pointers = [...selection.roots, ...[...selection.chosen.values()].flat()];
    const progress = { absent: this.#absentAt(selection.roots, key), active: [], depth: 0 };
    return pointers.every((pointer) => this.#apply(pointer, value, progress) !== undefined);
  }

  accepts(pointer: string, value: JsonValue): boolean {
    return this.#accepts(pointer, value, 0);
  }

  #accepts(pointer: string, value: JsonValue, depth: number): boolean {
    const progress = { absent: NO_NAMES, active: [], depth: depth + 1 };
    return this.#apply(pointer, value, progress) !== undefined;
  }

  #absentAt(pointers: readonly string[], key: string): ReadonlySet<string> {
    return remember(this.#absent, key, () => {
      const rules = new ObjectRules(this.#store, this.#store.of(pointers), this.#direction);
      return new Set(rules.names.filter((name) => rules.isAbsent(name)));
    });
  }

  #absentWith(absent: ReadonlySet<string>, pointer: string): ReadonlySet<string> {
    const own = this.#absentAt([pointer], pointer);
    if (own.size === 0) return absent;
    return absent.size === 0 ? own : new Set([...absent, ...own]);
  }

  /** Returns what the schema evaluated; undefined when the value does not conform. */
  #apply(pointer: string, value: JsonValue, progress: Progress): Evaluated | undefined {
    const { depth } = progress;
    this.steps++;
    const schema = this.#store.space.schemaAt(pointer);
    if (schema === false || depth > DEEPEST) return undefined;
    const evaluated: Evaluated = { names: new Set(), items: new Set() };
    if (!isJsonObject(schema) || progress.active.includes(pointer)) return evaluated;
    const inner = {
      absent: isJsonObject(value) ? this.#absentWith(progress.absent, pointer) : NO_NAMES,
      active: [...progress.active, pointer],
      depth,
    };
    const at = { schema, pointer, value, progress: inner, evaluated };
    const isKept = this.#keepsValue(at) && this.#keepsInPlace(at) && this.#keepsMembers(at);
    return isKept && this.#keepsUnevaluated(at) ? evaluated : undefined;
  }

  /** Returns true when the value conforms to the keywords that are not about members. */
  #keepsValue({ schema, value }: Place): boolean {
    const { type, const: constant, enum: list } = schema;
    if (type !== undefined && ![type].flat().some((one) => isOfType(value, one))) return false;
    if (constant !== undefined && !isEqual(constant, value)) return false;
    if (Array.isArray(list) && list.length > 0 && !this.#lists(list, value)) return false;
    const { minLength, maxLength, pattern, format } = schema;
    if (isNumber(value)) {
      return keepsLimits(schema, value) && acceptsNumber(format, value);
    }
    if (typeof value !== 'string') return true;
    const isSized = minLength !== undefined || maxLength !== undefined;
    if (isSized && !isBetween(countCharacters(value), minLength, maxLength)) return false;
    if (typeof pattern === 'string' && !this.#store.patterns.matches(pattern, value)) return false;
    return this.#formats.acceptsText(format, value);
  }

  #lists(list: readonly JsonValue[], value: JsonValue): boolean {
    return remember(this.#lookups, list, () => createLookup(list))(value);
  }

  /** Checks the subschemas that apply to the same value. */
  #keepsInPlace(at: Place): boolean {
    const { schema, pointer } = at;
    const joins = (other: string): boolean => this.#joins(at, other);
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = schema[keyword];
      if (typeof reference !== 'string') continue;
      if (!joins(this.#store.space.pointerOf(reference, pointer))) return false;
    }
    if (!branchesOf(at, 'allOf').every(joins)) return false;
    const anyOf = branchesOf(at, 'anyOf');
    if (anyOf.length > 0 && anyOf.filter(joins).length === 0) return false;
    const oneOf = branchesOf(at, 'oneOf');
    if (oneOf.length > 0 && oneOf.filter(joins).length !== 1) return false;
    return (
      (schema['not'] === undefined || this.#applyTo(at, `${pointer}/not`) === undefined) &&
      this.#keepsConditions(at)
    );
  }

  #keepsConditions(at: Place): boolean {
    const { schema, pointer, value } = at;
    if (schema['if'] !== undefined) {
      const keyword = this.#joins(at, `${pointer}/if`) ? 'then' : 'else';
      if (schema[keyword] !== undefined && !this.#joins(at, `${pointer}/${keyword}`)) return false;
    }
    const { dependentSchemas } = schema;
    if (!isJsonObject(dependentSchemas) || !isJsonObject(value)) return true;
    return Object.keys(dependentSchemas)
      .filter((name) => Object.hasOwn(value, name))
      .every((name) => this.#joins(at, `${pointer}/dependentSchemas${toPointer([name])}`));
  }

  #applyTo({ value, progress }: Place, pointer: string): Evaluated | undefined {
    return this.#apply(pointer, value, { ...progress, depth: progress.depth + 1 });
  }

  /** Applies another schema to the value; what it evaluates counts for this one too. */
  #joins(at: Place, pointer: string): boolean {
    const other = this.#applyTo(at, pointer);
    for (const name of other?.names ?? []) at.evaluated.names.add(name);
    for (const index of other?.items ?? []) at.evaluated.items.add(index);
    return other !== undefined;
  }

  #keepsMembers(at: Place): boolean {
    if (Array.isArray(at.value)) return this.#keepsItems(at, at.value);
    return !isJsonObject(at.value) || this.#keepsObject(at, at.value);
  }

  #keepsItems(at: Place, items: JsonValue[]): boolean {
    const { schema, progress, evaluated } = at;
    if (!isBetween(items.length, schema['minItems'], schema['maxItems'])) return false;
    if (schema['uniqueItems'] === true && findDuplicate(items) !== undefined) return false;
    for (const [index, item] of items.entries()) {
      const pointers = itemPointers(at, index);
      if (pointers.length === 0) break;
      if (!pointers.every((pointer) => this.#accepts(pointer, item, progress.depth))) return false;
      evaluated.items.add(index);
    }
    return this.#keepsContained(at, items);
  }

  #keepsContained({ schema, pointer, progress, evaluated }: Place, items: JsonValue[]): boolean {
    if (schema['contains'] === undefined) return true;
    const found = [...items.entries()].filter(([, item]) =>
      this.#accepts(`${pointer}/contains`, item, progress.depth),
    );
    for (const [index] of found) evaluated.items.add(index);
    return isBetween(found.length, schema['minContains'] ?? 1, schema['maxContains']);
  }

  #keepsObject(at: Place, value: JsonObject): boolean {
    const { schema, progress } = at;
    const names = Object.keys(value);
    if (!isBetween(names.length, schema['minProperties'], schema['maxProperties'])) return false;
    const { required, dependentRequired } = schema;
    const has = (name: JsonValue): boolean => Object.hasOwn(value, String(name));
    if (Array.isArray(required)) {
      if (!required.every((name) => has(name) || progress.absent.has(String(name)))) return false;
    }
    if (isJsonObject(dependentRequired)) {
      for (const [name, needed] of Object.entries(dependentRequired)) {
        if (has(name) && ![needed].flat().every(has)) return false;
      }
    }
    return names.every((name) => this.#keepsMember(at, name, value[name] as JsonValue));
  }

  #keepsMember(at: Place, name: string, value: JsonValue): boolean {
    const { schema, pointer, evaluated, progress } = at;
    const { depth } = progress;
    if (this.#direction === 'response' && progress.absent.has(name)) return false;
    if (schema['propertyNames'] !== undefined) {
      if (!this.#accepts(`${pointer}/propertyNames`, name, depth)) return false;
    }
    const pointers = memberPointers(at, name, this.#store.patterns);
    if (pointers.length > 0) evaluated.names.add(name);
    return pointers.every((place) => this.#accepts(place, value, depth));
  }

  #keepsUnevaluated(at: Place): boolean {
    const { value, evaluated } = at;
    if (Array.isArray(value)) {
      return this.#keepsRest(at, 'unevaluatedItems', value.entries(), evaluated.items);
    }
    if (!isJsonObject(value)) return true;
    const members = Object.entries(value);
    return this.#keepsRest(at, 'unevaluatedProperties', members, evaluated.names);
  }

  /** Returns true when all of the parts that no other schema has evaluated conform to one. */
  #keepsRest<Key>(
    { schema, pointer, progress }: Place,
    keyword: string,
    parts: Iterable<readonly [Key, JsonValue]>,
    evaluated: Set<Key>,
  ): boolean {
    if (schema[keyword] === undefined) return true;
    for (const [key, part] of parts) {
      if (evaluated.has(key)) continue;
      if (!this.#accepts(`${pointer}/${keyword}`, part, progress.depth)) return false;
      evaluated.add(key);
    }
    return true;
  }
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** A value to which a schema is being applied. */
interface Place {
  readonly schema: JsonObject;
  readonly pointer: string;
  readonly value: JsonValue;
  readonly progress: Progress;
  readonly evaluated: Evaluated;
}

type Limit = JsonValue | undefined;

function keepsLimits(schema: JsonObject, value: JsonNumber): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const compare = (limit: Limit): number | undefined =>
    limit !== undefined && isNumber(limit) ? compareNumbers(value, limit) : undefined;
  return (
    (compare(minimum) ?? 0) >= 0 &&
    (compare(maximum) ?? 0) <= 0 &&
    (compare(exclusiveMinimum) ?? 1) > 0 &&
    (compare(exclusiveMaximum) ?? -1) < 0 &&
    (multipleOf === undefined || !isNumber(multipleOf) || isMultipleOf(value, multipleOf))
  );
}

function isBetween(size: number, least: Limit, most: Limit): boolean {
  if (least !== undefined && isNumber(least) && size < Number(String(least))) return false;
  return most === undefined || !isNumber(most) || size <= Number(String(most));
}
