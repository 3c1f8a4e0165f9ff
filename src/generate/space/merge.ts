import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber } from '../../base/json/number.ts';
import type { JsonNumber, JsonObject, JsonValue } from '../../base/json/value.ts';
import { numberFormats } from '../../schema/formats.ts';
import type {
  AppliedSchema,
  Constraints,
  Contradiction,
  JsonType,
  NumberLimit,
  Selection,
  Union,
} from './constraints.ts';

const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'object', 'array', 'number', 'string'];

/** Keywords by which a value must be checked after it is built. */
const CHECKED_KEYWORDS: readonly string[] = [
  'not',
  'if',
  'oneOf',
  'contains',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'patternProperties',
];

/** Gathers constraints, schema by schema. */
export class Merge implements Constraints {
  readonly key: string;
  readonly selection: Selection;
  readonly applied: AppliedSchema[] = [];
  types: ReadonlySet<JsonType> = new Set(ALL_TYPES);
  isIntegral = false;
  listed: readonly JsonValue[] | undefined;
  readonly excluded: JsonValue[] = [];
  minimum: NumberLimit | undefined;
  maximum: NumberLimit | undefined;
  readonly divisors: JsonNumber[] = [];
  minLength = 0;
  maxLength = Number.POSITIVE_INFINITY;
  readonly patterns: string[] = [];
  readonly excludedPatterns: string[] = [];
  readonly formats: string[] = [];
  minItems = 0;
  maxItems = Number.POSITIVE_INFINITY;
  hasUniqueItems = false;
  minProperties = 0;
  maxProperties = Number.POSITIVE_INFINITY;
  readonly required: string[] = [];
  readonly unions: Union[] = [];
  isReadOnly = false;
  isWriteOnly = false;
  needsCheck = false;
  contradiction: Contradiction | undefined;

  constructor(key: string, selection: Selection) {
    this.key = key;
    this.selection = selection;
  }

  /** Adds the keywords of one schema; subschemas that apply in place are added on their own. */
  add(applied: AppliedSchema): void {
    const { schema } = applied;
    this.applied.push(applied);
    this.#addTypes(applied);
    this.#addValues(applied);
    this.#addNumbers(applied);
    this.#addText(schema);
    this.#addSizes(schema);
    if (schema['readOnly'] === true) this.isReadOnly = true;
    if (schema['writeOnly'] === true) this.isWriteOnly = true;
    if (CHECKED_KEYWORDS.some((keyword) => keyword in schema)) this.needsCheck = true;
  }

  /** Records a contradiction; the first one is kept. */
  contradict(pointer: string, message: string): void {
    this.contradiction ??= { pointer, message };
  }

  #addTypes({ schema, pointer }: AppliedSchema): void {
    const { type } = schema;
    if (type === undefined) return;
    const named = new Set([type].flat());
    const types = new Set(
      ALL_TYPES.filter(
        (one) =>
          this.types.has(one) && (named.has(one) || (one === 'number' && named.has('integer'))),
      ),
    );
    if (types.size === 0 && this.types.size > 0) {
      const before = [...this.types].join(' or ');
      this.contradict(
        `${pointer}/type`,
        `type ${[...named].join(' or ')} where ${before} is asked for`,
      );
    }
    this.types = types;
    if (named.has('integer') && !named.has('number')) this.isIntegral = true;
  }

  #addValues({ schema, pointer }: AppliedSchema): void {
    for (const keyword of ['const', 'enum']) {
      const given = schema[keyword];
      if (given === undefined) continue;
      const list = keyword === 'const' ? [given] : Array.isArray(given) ? given : [];
      if (!Array.isArray(given) && keyword === 'enum') continue;
      this.listed = this.listed?.filter((value) => list.some((one) => isEqual(one, value))) ?? list;
      if (this.listed.length === 0) {
        this.contradict(
          `${pointer}/${keyword}`,
          `${keyword} allows no value that is allowed elsewhere`,
        );
      }
    }
  }

  #addNumbers({ schema }: AppliedSchema): void {
    const { multipleOf, format } = schema;
    this.#raise(schema['minimum'], false);
    this.#raise(schema['exclusiveMinimum'], true);
    this.#lower(schema['maximum'], false);
    this.#lower(schema['exclusiveMaximum'], true);
    if (isNumberLike(multipleOf) && compareNumbers(multipleOf, 0) > 0) {
      this.divisors.push(multipleOf);
    }
    const known = typeof format === 'string' ? numberFormats.get(format) : undefined;
    if (known === undefined) return;
    this.#raise(known.lowest, false);
    this.#lower(known.highest, false);
    if (known.isIntegral) this.isIntegral = true;
  }

  #raise(value: JsonValue | undefined, isExclusive: boolean): void {
    if (!isNumberLike(value)) return;
    const order = this.minimum === undefined ? 1 : compareNumbers(value, this.minimum.value);
    if (order > 0 || (order === 0 && isExclusive)) this.minimum = { value, isExclusive };
  }

  #lower(value: JsonValue | undefined, isExclusive: boolean): void {
    if (!isNumberLike(value)) return;
    const order = this.maximum === undefined ? -1 : compareNumbers(value, this.maximum.value);
    if (order < 0 || (order === 0 && isExclusive)) this.maximum = { value, isExclusive };
  }

  #addText(schema: JsonObject): void {
    const { pattern, format, minLength, maxLength } = schema;
    addOnce(this.patterns, pattern);
    addOnce(this.formats, format);
    this.minLength = Math.max(this.minLength, sizeOf(minLength) ?? 0);
    this.maxLength = Math.min(this.maxLength, sizeOf(maxLength) ?? this.maxLength);
  }

  #addSizes(schema: JsonObject): void {
    const { required, uniqueItems } = schema;
    this.minItems = Math.max(this.minItems, sizeOf(schema['minItems']) ?? 0);
    this.maxItems = Math.min(this.maxItems, sizeOf(schema['maxItems']) ?? this.maxItems);
    if (uniqueItems === true) this.hasUniqueItems = true;
    this.minProperties = Math.max(this.minProperties, sizeOf(schema['minProperties']) ?? 0);
    this.maxProperties = Math.min(
      this.maxProperties,
      sizeOf(schema['maxProperties']) ?? this.maxProperties,
    );
    if (!Array.isArray(required)) return;
    for (const name of required) addOnce(this.required, name);
  }

  /** Removes types whose limits cross; when no type is left, nothing conforms. */
  findContradictions(): void {
    const crossed: [JsonType, boolean, string][] = [
      ['number', areCrossed(this.minimum, this.maximum), 'minimum is above maximum'],
      ['string', this.minLength > this.maxLength, 'minLength is above maxLength'],
      ['array', this.minItems > this.maxItems, 'minItems is above maxItems'],
      ['object', this.minProperties > this.maxProperties, 'minProperties is above maxProperties'],
    ];
    const types = new Set(this.types);
    for (const [type, isCrossed, message] of crossed) {
      if (!isCrossed || !types.delete(type) || types.size > 0) continue;
      this.contradict(this.applied[0]?.pointer ?? '', message);
    }
    this.types = types;
  }
}

function areCrossed(minimum: NumberLimit | undefined, maximum: NumberLimit | undefined): boolean {
  if (minimum === undefined || maximum === undefined) return false;
  const order = compareNumbers(minimum.value, maximum.value);
  return order > 0 || (order === 0 && (minimum.isExclusive || maximum.isExclusive));
}

function isNumberLike(value: JsonValue | undefined): value is JsonNumber {
  return value !== undefined && isNumber(value);
}

/** Returns the value of a keyword such as `minLength`; undefined when it has none. */
function sizeOf(value: JsonValue | undefined): number | undefined {
  return isNumberLike(value) ? Number(String(value)) : undefined;
}

/** Adds a text to a list that does not have it. */
export function addOnce(texts: string[], text: JsonValue | undefined): void {
  if (typeof text === 'string' && !texts.includes(text)) texts.push(text);
}
