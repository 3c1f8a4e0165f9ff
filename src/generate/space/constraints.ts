import { createLookup } from '../../base/json/equal.ts';
import { compareNumbers, isNumber } from '../../base/json/number.ts';
import type { JsonNumber, JsonObject, JsonValue } from '../../base/json/value.ts';
import { numberFormats } from '../../schema/formats.ts';

/**
 * The types of JSON Schema Core §4.2.1; `integer` is a number that is {@link
 * Merge.isIntegral}.
 */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'string';

/** One schema object of those that apply to a value together. */
export interface AppliedSchema {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** The schemas that include it by `$ref`, `allOf`, or as a branch. */
  readonly broughtBy: Set<AppliedSchema>;
}

/** A choice between branches: of `anyOf`, `oneOf`, `if`, or of the alternatives to a `not`. */
export interface Union {
  /** The pointer of the keyword, which identifies the union. */
  readonly place: string;
  readonly owner: AppliedSchema;
  /** Pointers of schemas; all those of one branch apply together. */
  readonly branches: readonly (readonly string[])[];
  /** True for `oneOf`, of which no two branches may match. */
  readonly isExclusive: boolean;
}

export interface NumberLimit {
  readonly value: JsonNumber;
  readonly isExclusive: boolean;
}

/** Why nothing conforms, and the pointer of the keyword that says so. */
export interface Contradiction {
  readonly pointer: string;
  readonly message: string;
}

/** The schemas that apply, and the branches that are chosen, by place of the union. */
export interface Selection {
  readonly roots: readonly string[];
  readonly chosen: ReadonlyMap<string, readonly string[]>;
}

const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'object', 'array', 'number', 'string'];
const ANY_TYPE: ReadonlySet<JsonType> = new Set(ALL_TYPES);

/** The types of most schemas, which name one: each set is made once. */
const ONE_TYPE: ReadonlyMap<JsonValue, ReadonlySet<JsonType>> = new Map<string, Set<JsonType>>([
  ...ALL_TYPES.map((type) => [type, new Set([type])] as const),
  ['integer', new Set(['number'])],
]);

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

const LEAST_SIZES = ['minLength', 'minItems', 'minProperties'] as const;
const GREATEST_SIZES = ['maxLength', 'maxItems', 'maxProperties'] as const;

/** The merged constraints on one value. */
export type Constraints = Omit<
  Readonly<Merge>,
  'add' | 'exclude' | 'contradict' | 'findContradictions'
>;

/** Gathers constraints, schema by schema. */
export class Merge {
  readonly key: string;
  readonly selection: Selection;
  readonly applied: AppliedSchema[] = [];
  types: ReadonlySet<JsonType> = ANY_TYPE;
  isIntegral = false;
  /** True when a `not` excludes integers. */
  isFractional = false;
  /** The values of `const` and `enum`, which must be checked against the other keywords. */
  listed: readonly JsonValue[] | undefined;
  /** Values that a `not` excludes. */
  readonly excluded: JsonValue[] = [];
  minimum: NumberLimit | undefined;
  maximum: NumberLimit | undefined;
  readonly divisors: JsonNumber[] = [];
  minLength = 0;
  maxLength = Number.POSITIVE_INFINITY;
  readonly patterns: string[] = [];
  readonly excludedPatterns: string[] = [];
  readonly formats: string[] = [];
  readonly excludedFormats: string[] = [];
  minItems = 0;
  maxItems = Number.POSITIVE_INFINITY;
  hasUniqueItems = false;
  minProperties = 0;
  maxProperties = Number.POSITIVE_INFINITY;
  /** In the order in which the schemas name them. */
  readonly required: string[] = [];
  readonly unions: Union[] = [];
  /** True when a value that is built by these constraints may still not conform. */
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
    this.#addTextsAndSizes(schema);
    if (CHECKED_KEYWORDS.some((keyword) => keyword in schema)) this.needsCheck = true;
  }

  /** Excludes what a schema with a single keyword allows; returns false for other schemas. */
  exclude(schema: JsonObject, pointer: string): boolean {
    const [keyword, ...more] = Object.keys(schema);
    if (keyword === undefined || more.length > 0) return false;
    const value: JsonValue = schema[keyword] ?? null;
    const list = [value].flat();
    if (keyword === 'type') {
      const types = new Set([...this.types].filter((type) => !list.includes(type)));
      this.#keepTypes(types, pointer, `every type but ${list.join(' and ')}`);
      if (list.includes('integer')) this.isFractional = true;
    } else if (keyword === 'const') this.excluded.push(value);
    else if (keyword === 'enum') this.excluded.push(...list);
    else if (keyword === 'pattern') addOnce(this.excludedPatterns, value);
    else if (keyword === 'format') addOnce(this.excludedFormats, value);
    else return keyword === 'multipleOf' || keyword === 'uniqueItems';
    return true;
  }

  /** Records a contradiction; the first one is kept. */
  contradict(pointer: string, message: string): void {
    this.contradiction ??= { pointer, message };
  }

  #addTypes({ schema, pointer }: AppliedSchema): void {
    const { type } = schema;
    if (type === undefined) return;
    const only = this.types === ANY_TYPE ? ONE_TYPE.get(type) : undefined;
    if (only !== undefined) {
      this.types = only;
      if (type === 'integer') this.isIntegral = true;
      return;
    }
    const named = new Set([type].flat());
    const types = new Set(
      ALL_TYPES.filter(
        (one) =>
          this.types.has(one) && (named.has(one) || (one === 'number' && named.has('integer'))),
      ),
    );
    this.#keepTypes(types, `${pointer}/type`, `type ${[...named].join(' or ')}`);
    if (named.has('integer') && !named.has('number')) this.isIntegral = true;
  }

  #keepTypes(types: ReadonlySet<JsonType>, pointer: string, asked: string): void {
    if (types.size === 0 && this.types.size > 0) {
      this.contradict(pointer, `${asked} where ${[...this.types].join(' or ')} is asked for`);
    }
    this.types = types;
  }

  #addValues({ schema, pointer }: AppliedSchema): void {
    for (const keyword of ['const', 'enum']) {
      const given = schema[keyword];
      const list = keyword === 'const' && given !== undefined ? [given] : given;
      if (!Array.isArray(list)) continue;
      this.listed = this.listed?.filter(createLookup(list)) ?? list;
      if (this.listed.length > 0) continue;
      const message = `${keyword} allows no value that is allowed elsewhere`;
      this.contradict(`${pointer}/${keyword}`, message);
    }
  }

  #omitExcluded(): void {
    if (this.listed === undefined || this.excluded.length === 0) return;
    const isExcluded = createLookup(this.excluded);
    this.listed = this.listed.filter((value) => !isExcluded(value));
    if (this.listed.length > 0) return;
    this.contradict(this.applied[0]?.pointer ?? '', 'each value of enum must not be');
  }

  #addNumbers({ schema }: AppliedSchema): void {
    const { multipleOf, format } = schema;
    this.#narrow('minimum', schema['minimum'], false);
    this.#narrow('minimum', schema['exclusiveMinimum'], true);
    this.#narrow('maximum', schema['maximum'], false);
    this.#narrow('maximum', schema['exclusiveMaximum'], true);
    if (isNumberLike(multipleOf) && compareNumbers(multipleOf, 0) > 0) {
      this.divisors.push(multipleOf);
    }
    const known = typeof format === 'string' ? numberFormats.get(format) : undefined;
    if (known === undefined) return;
    this.#narrow('minimum', known.lowest, false);
    this.#narrow('maximum', known.highest, false);
    if (known.isIntegral) this.isIntegral = true;
  }

  #narrow(side: 'minimum' | 'maximum', value: JsonValue | undefined, isExclusive: boolean): void {
    if (!isNumberLike(value)) return;
    const { value: before } = this[side] ?? {};
    const order = before === undefined ? undefined : compareNumbers(value, before);
    const isNarrower = side === 'minimum' ? (order ?? 1) > 0 : (order ?? -1) < 0;
    if (isNarrower || (order === 0 && isExclusive)) this[side] = { value, isExclusive };
  }

  #addTextsAndSizes(schema: JsonObject): void {
    const { pattern, format, required, uniqueItems } = schema;
    addOnce(this.patterns, pattern);
    addOnce(this.formats, format);
    for (const keyword of LEAST_SIZES) {
      const size = sizeOf(schema[keyword]);
      if (size !== undefined && size > this[keyword]) this[keyword] = size;
    }
    for (const keyword of GREATEST_SIZES) {
      const size = sizeOf(schema[keyword]);
      if (size !== undefined && size < this[keyword]) this[keyword] = size;
    }
    if (uniqueItems === true) this.hasUniqueItems = true;
    for (const name of Array.isArray(required) ? required : []) addOnce(this.required, name);
  }

  /** Removes types whose limits cross; when no type is left, nothing conforms. */
  findContradictions(): void {
    this.#omitExcluded();
    if (this.excludedPatterns.length > 0 || this.excludedFormats.length > 0) this.#findExcluded();
    for (const [type, isCrossed, message] of CROSSINGS) {
      if (!isCrossed(this) || !this.types.has(type)) continue;
      const types = new Set(this.types);
      types.delete(type);
      this.types = types;
      if (types.size === 0) this.contradict(this.applied[0]?.pointer ?? '', message);
    }
  }

  #findExcluded(): void {
    const excluded = new Set([...this.excludedPatterns, ...this.excludedFormats]);
    if ([...this.patterns, ...this.formats].some((one) => excluded.has(one))) {
      this.contradict(this.applied[0]?.pointer ?? '', 'a pattern or format must not apply');
    }
  }
}

/** The limits between which no value of a type is left. */
const CROSSINGS: readonly [JsonType, (limits: Constraints) => boolean, message: string][] = [
  ['number', (one) => areCrossed(one.minimum, one.maximum), 'minimum is above maximum'],
  ['number', (one) => one.isIntegral && one.isFractional, 'an integer must not be one'],
  ['string', (one) => one.minLength > one.maxLength, 'minLength is above maxLength'],
  ['array', (one) => one.minItems > one.maxItems, 'minItems is above maxItems'],
  [
    'object',
    (one) => one.minProperties > one.maxProperties,
    'minProperties is above maxProperties',
  ],
];

function areCrossed(minimum: NumberLimit | undefined, maximum: NumberLimit | undefined): boolean {
  if (minimum === undefined || maximum === undefined) return false;
  const order = compareNumbers(minimum.value, maximum.value);
  return order > 0 || (order === 0 && (minimum.isExclusive || maximum.isExclusive));
}

function isNumberLike(value: JsonValue | undefined): value is JsonNumber {
  return value !== undefined && isNumber(value);
}

function sizeOf(value: JsonValue | undefined): number | undefined {
  return isNumberLike(value) ? Number(String(value)) : undefined;
}

/** Adds a text to a list that does not have it. */
function addOnce(texts: string[], text: JsonValue | undefined): void {
  if (typeof text === 'string' && !texts.includes(text)) texts.push(text);
}
