import { createLookup, isEqual, LONGEST_COMPARED } from '../base/json/equal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import {
  applicators,
  hasMember,
  leaveToAjv,
  type Reading,
  type ReadingSource,
  Undecided,
} from './applicators.ts';
import { keywordOrder } from './schema-keywords.ts';
import {
  around,
  everyOf,
  fail,
  type Place,
  placeBelow,
  pointerOf,
  type Schema,
  type Step,
} from './schema-place.ts';
import { kindOf, standardKeyword, valueChecks } from './value-keywords.ts';

/**
 * Compares values with schemas, keyword by keyword. Compiling a schema takes as long as reading it a
 * thousand times, and most schemas of a large document check a few values. Both have the same result.
 */
export class SchemaReading implements Reading {
  readonly source: ReadingSource;
  readonly #lookups = new WeakMap<readonly JsonValue[], (value: JsonValue) => boolean>();
  /** The keywords of each schema in their order, by the kind of value. */
  readonly #orders = new WeakMap<JsonObject, Map<string, readonly string[]>>();

  constructor(source: ReadingSource) {
    this.source = source;
  }

  /**
   * Returns true for a value that keeps the schema of a place, and adds the errors that are wanted:
   * those that a verbose Ajv with `allErrors` reports, in the same order.
   *
   * @throws {Undecided} after the last step, and where only the compiled schema decides
   */
  accepts(place: Place): boolean {
    const { errors, steps } = place;
    if (++steps.taken > steps.most) throw new Undecided();
    if (place.depth > DEEPEST) return leaveToAjv(place);
    if (this.source.schemaIn !== undefined) place.schema = this.source.schemaIn(place);
    const { schema } = place;
    if (schema === false) return fail(place, 'false schema');
    if (!isJsonObject(schema)) return true;
    const isUnevaluated = UNEVALUATED.some((keyword) => schema[keyword] !== undefined);
    if (isUnevaluated || around(place)?.evaluated !== undefined) place.evaluated = new Set();
    if (!this.#keepsAbsent(place)) return false;
    if (errors !== undefined && this.#acceptsQuietly(place)) return true;
    if (errors !== undefined || isUnevaluated) return this.#keepsInOrder(place, schema);
    for (const keyword in schema) if (!this.#keeps(place, keyword, schema)) return false;
    return true;
  }

  /** Most schemas have no errors, and are read faster where none are wanted. */
  #acceptsQuietly(place: Place): boolean {
    const quiet = { ...place, errors: undefined };
    const isAccepted = this.accepts(quiet);
    if (isAccepted) place.evaluated = quiet.evaluated;
    return isAccepted;
  }

  /** Reads the keywords in the order in which Ajv does. */
  #keepsInOrder(place: Place, schema: JsonObject): boolean {
    const { errors } = place;
    const kind = kindOf(place.value);
    const orders = remember(this.#orders, schema, () => new Map<string, readonly string[]>());
    const keywords = remember(orders, kind, () => orderKeywords(schema, kind));
    return everyOf(place, keywords, (keyword) => {
      const before = errors?.length;
      const isKept = this.#keeps(place, keyword, schema);
      if (!isKept && before !== undefined && before === errors?.length) throw new Undecided();
      return isKept;
    });
  }

  #keeps(place: Place, keyword: string, schema: JsonObject): boolean {
    const wanted = schema[keyword];
    if (wanted === undefined) return true;
    const apply = applicators.get(keyword);
    if (apply !== undefined) return apply(this, place, wanted, schema);
    const keeps = valueChecks.get(standardKeyword(keyword));
    if (keeps === undefined || keeps(wanted, place.value)) return true;
    return fail(place, keyword, {}, messageOf(keyword, wanted));
  }

  lists(list: readonly JsonValue[], value: JsonValue): boolean {
    if (list.length <= LONGEST_COMPARED) return list.some((one) => isEqual(one, value));
    return remember(this.#lookups, list, () => createLookup(list))(value);
  }

  apply(place: Place, step: Step, schema: Schema, value = place.value): boolean {
    const inner = placeBelow(place, step, schema, value);
    if (!this.accepts(inner)) return false;
    if (step.key !== undefined) place.evaluated?.add(step.key);
    else for (const key of inner.evaluated ?? []) place.evaluated?.add(key);
    return true;
  }

  follow(place: Place, reference: string): boolean {
    const { pointer, schema } = this.source.follow(reference, place);
    for (let one: Place | undefined = place; one !== undefined; one = around(one)) {
      // A reference back to a schema that is being compared adds nothing.
      if (one.step.start === pointer) return true;
    }
    // Ajv writes a schema without references in place, and calls a function for others.
    const isCalled = place.errors !== undefined && hasReference(schema);
    return this.apply(place, { start: isCalled ? '#' : pointer }, schema);
  }

  #keepsAbsent(place: Place): boolean {
    if (this.source.absentAt === undefined || !isJsonObject(place.value)) return true;
    const own = this.source.absentAt(pointerOf(place));
    const inherited = around(place)?.absent ?? place.absent;
    place.absent = own.size === 0 ? inherited : new Set([...inherited, ...own]);
    if (this.source.forbidsAbsent !== true) return true;
    return ![...place.absent].some((name) => hasMember(place.value, name));
  }
}

/** Deeper values are left to the compiled schema, which needs less of the stack. */
const DEEPEST = 600;

/** Returns the keywords of a schema that are about values of a type, in Ajv's order. */
function orderKeywords(schema: JsonObject, kind: string): readonly string[] {
  const groups = keywordOrder.map(({ type, keywords }) => ({
    type,
    present: keywords.filter((keyword) => schema[keyword] !== undefined),
  }));
  // Ajv checks a type with the keywords of that type, or before all others if there are none.
  const types = [schema['type'] ?? []].flat();
  const home = groups.find(
    ({ type, present }) => types.length === 1 && type === types[0] && present.length > 0,
  );
  const ordered = groups.flatMap((group) => [
    ...(group === home ? ['type'] : []),
    ...(group.type === undefined || group.type === kind ? group.present : []),
  ]);
  return home === undefined ? ['type', ...ordered] : ordered;
}

const UNEVALUATED = ['unevaluatedItems', 'unevaluatedProperties'];

function hasReference(value: Schema): boolean {
  if (Array.isArray(value)) return value.some(hasReference);
  if (!isJsonObject(value)) return false;
  return value['$ref'] !== undefined || Object.values(value).some(hasReference);
}

/** Returns what Ajv says of a size; a violation says itself what it says of other values. */
function messageOf(keyword: string, limit: JsonValue): string | undefined {
  const [, side = '', things = ''] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  if (side === '') return undefined;
  const unit = things === 'Length' ? 'characters' : things.toLowerCase();
  return `must NOT have ${side === 'min' ? 'fewer' : 'more'} than ${String(limit)} ${unit}`;
}
