import {
  type Description,
  type Located,
  NotJudged,
  type Place,
  type Version,
} from './description.ts';
import { isMembers, type Json, type JsonMembers, member, setMember, step } from './json.ts';

/** OAS 3.1 §4.8.24.3: a request need not have `readOnly` properties, an answer no `writeOnly`. */
export type Direction = 'request' | 'response';

export const DIALECTS: Readonly<Record<Version, string>> = {
  '2.0': 'https://sweep.invalid/dialect/3.0',
  '3.0': 'https://sweep.invalid/dialect/3.0',
  '3.1': 'https://sweep.invalid/dialect/2020-12',
  '3.2': 'https://sweep.invalid/dialect/2020-12',
};

/** Keywords of a schema that leave its type to others. */
const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf'];

const PLAIN = [
  'type', 'enum', 'const', 'format', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum',
  'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems',
  'uniqueItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains',
  'dependentRequired', 'nullable',
]; // biome-ignore format: a list of names
const SINGLE = [
  'not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties', 'items',
  'unevaluatedItems', 'unevaluatedProperties',
]; // biome-ignore format: a list of names
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

/** OAS 3.0.4 §4.7.24: what a Schema Object of 3.0 has of JSON Schema. */
const NOT_IN_30 = new Set([
  'const', 'if', 'then', 'else', 'contains', 'propertyNames', 'unevaluatedItems', 'prefixItems',
  'unevaluatedProperties', 'patternProperties', 'dependentSchemas', 'dependentRequired',
  'minContains', 'maxContains',
]); // biome-ignore format: a list of names

/** A schema brought into a form that the judge reads, with the places that it refers to. */
export interface Lowered {
  readonly schema: Json;
  readonly targets: readonly Target[];
}

/** @param inherits whether what its surroundings waive is waived in it too */
type LowerSubschema = (path: readonly (string | number)[], inherits: boolean) => Json;

/** Where a schema stands, and which required properties its surroundings have waived. */
export interface Target extends Place {
  readonly waived: readonly string[];
}

/**
 * The number of branches of a `oneOf` beside a `discriminator` that a value matches: exactly one, or
 * any. OAS leaves open whether a value may match branches that its discriminator does not name.
 */
export type Strictness = 'one' | 'any';

/**
 * Rewrites one Schema Object: references become names of other lowered schemas, identifiers and
 * examples are left out, and what the direction waives is not required.
 *
 * @throws {NotJudged} where a reference leads nowhere
 */
export class SchemaLowering {
  readonly #description: Description;
  readonly #direction: Direction;
  readonly #strictness: Strictness;
  readonly #nameOf: (target: Target) => string;
  readonly #isOld: boolean;

  constructor(
    description: Description,
    direction: Direction,
    strictness: Strictness,
    nameOf: (target: Target) => string,
  ) {
    this.#description = description;
    this.#direction = direction;
    this.#strictness = strictness;
    this.#nameOf = nameOf;
    this.#isOld = description.version === '2.0' || description.version === '3.0';
  }

  lower(target: Target): Lowered {
    const located = this.#description.at(target);
    if (located === undefined) throw new NotJudged('a schema is not there');
    const targets: Target[] = [];
    return { schema: this.#lower(located, target.waived, targets), targets };
  }

  #lower(located: Located, waivedAround: readonly string[], targets: Target[]): Json {
    const { value } = located;
    if (typeof value === 'boolean') return this.#isOld ? (value ? {} : { not: {} }) : value;
    if (!isMembers(value)) throw new NotJudged('a schema is neither object nor boolean');
    const reference = this.#lowerReference(located, waivedAround, targets);
    if (reference !== undefined && this.#isOld) return this.#admitNull(value, reference);
    const waived = [...new Set([...waivedAround, ...this.#findWaived(located)])].sort();
    const lowered: JsonMembers = { ...reference };
    for (const keyword of PLAIN) this.#copy(value, keyword, lowered);
    this.#mend(value, lowered);
    const sub = (path: readonly (string | number)[], inherits: boolean): Json => {
      const next = this.#description.at({
        file: located.file,
        pointer: step(located.pointer, ...path),
      });
      if (next === undefined) throw new NotJudged('a schema is not there');
      return this.#lower(next, inherits ? waived : [], targets);
    };
    this.#lowerApplicators(value, lowered, sub);
    const required = member(value, 'required');
    if (Array.isArray(required)) {
      const names = required.filter((name) => typeof name === 'string' && !waived.includes(name));
      if (names.length > 0) lowered['required'] = [...new Set(names)];
    }
    return this.#admitNull(value, lowered);
  }

  /** OAS 3.0 has `nullable` beside `type` alone; what authors mean elsewhere is beyond doubt. */
  #admitNull(value: JsonMembers, lowered: JsonMembers): JsonMembers {
    const isNullable = this.#isOld && member(value, 'nullable') === true;
    if (!isNullable || !COMBINING.some((keyword) => lowered[keyword] !== undefined)) return lowered;
    return { anyOf: [lowered, { enum: [null] }] };
  }

  #has(value: JsonMembers, keyword: string): boolean {
    return Object.hasOwn(value, keyword) && !(this.#isOld && NOT_IN_30.has(keyword));
  }

  #copy(value: JsonMembers, keyword: string, lowered: JsonMembers): void {
    const given = member(value, keyword);
    if (given !== undefined && this.#has(value, keyword)) lowered[keyword] = given;
  }

  #lowerReference(
    located: Located,
    waived: readonly string[],
    targets: Target[],
  ): { $ref: string } | undefined {
    const dynamic = member(located.value, '$dynamicRef');
    if (typeof dynamic === 'string') this.#refuseAmbiguity(dynamic, located);
    const own = member(located.value, '$ref') ?? dynamic;
    if (typeof own !== 'string') return undefined;
    const { file, pointer } = this.#description.resolve(own, located);
    const target = { file, pointer, waived };
    targets.push(target);
    return { $ref: this.#nameOf(target) };
  }

  /** Where a dynamic reference leads depends on the way to it, which is not followed here. */
  #refuseAmbiguity(reference: string, from: Place): void {
    const name = reference.split('#')[1] ?? '';
    if (!this.#description.isAmbiguous(name, from)) return;
    throw new NotJudged('a dynamic reference that may lead to several schemas');
  }

  #lowerApplicators(value: JsonMembers, lowered: JsonMembers, sub: LowerSubschema): void {
    for (const keyword of [...SINGLE, ...LISTS, ...MAPS]) {
      const given = member(value, keyword);
      if (given === undefined || !this.#has(value, keyword)) continue;
      const operand = this.#lowerOperand(keyword, given, sub);
      if (operand !== undefined) lowered[keyword] = operand;
    }
    this.#loosen(value, lowered);
  }

  #loosen(value: JsonMembers, lowered: JsonMembers): void {
    const { oneOf, anyOf } = lowered;
    const isOpen = this.#strictness === 'any' && member(value, 'discriminator') !== undefined;
    if (isOpen && oneOf !== undefined && anyOf === undefined) {
      lowered['anyOf'] = oneOf;
      delete lowered['oneOf'];
    }
  }

  /** @returns undefined for what the keyword cannot take */
  #lowerOperand(keyword: string, given: Json, sub: LowerSubschema): Json | undefined {
    if (MAPS.includes(keyword)) {
      return isMembers(given) ? this.#lowerMap(keyword, given, sub) : undefined;
    }
    if (LISTS.includes(keyword)) {
      const inherits = keyword !== 'prefixItems';
      return Array.isArray(given)
        ? given.map((_, index) => sub([keyword, index], inherits))
        : undefined;
    }
    if (Array.isArray(given)) return undefined;
    if (typeof given === 'boolean' && keyword === 'additionalProperties') return given;
    return sub([keyword], keyword === 'then' || keyword === 'else');
  }

  #lowerMap(keyword: string, given: JsonMembers, sub: LowerSubschema): JsonMembers {
    const map: JsonMembers = {};
    for (const name of Object.keys(given)) {
      const isHidden = keyword === 'properties' && this.#isWriteOnly(given[name]);
      setMember(map, name, isHidden ? this.#nothing() : sub([keyword, name], false));
    }
    return map;
  }

  #nothing(): Json {
    return this.#isOld ? { not: {} } : false;
  }

  #isWriteOnly(property: Json | undefined): boolean {
    return this.#direction === 'response' && member(property, 'writeOnly') === true;
  }

  /** Old keywords in new documents and the reverse: what their authors mean is beyond doubt. */
  #mend(value: JsonMembers, lowered: JsonMembers): void {
    const { type } = lowered;
    if (type === 'file') delete lowered['type'];
    if (this.#isOld && member(value, 'x-nullable') === true) lowered['nullable'] = true;
    if (this.#isOld && Array.isArray(type) && lowered['nullable'] === true) {
      lowered['type'] = [...type, 'null'];
      delete lowered['nullable'];
    }
    if (this.#isOld) return;
    delete lowered['nullable'];
    for (const [exclusive, bound] of BOUNDS) {
      if (typeof lowered[exclusive] !== 'boolean') continue;
      const isExclusive = lowered[exclusive];
      delete lowered[exclusive];
      const limit = lowered[bound];
      if (isExclusive && limit !== undefined) lowered[exclusive] = limit;
    }
  }

  /** @returns names of properties that this direction leaves out, also those of `allOf` */
  #findWaived(located: Located, depth = 0): string[] {
    if (depth > 10) return [];
    const keyword = this.#direction === 'request' ? 'readOnly' : 'writeOnly';
    const names: string[] = [];
    for (const [name] of Object.entries(member(located.value, 'properties') ?? {})) {
      const property = this.#at(located, ['properties', name]);
      if (property !== undefined && this.#says(property, keyword)) names.push(name);
    }
    const parts = member(located.value, 'allOf');
    if (!Array.isArray(parts)) return names;
    const inherited = parts.flatMap((_, index) => {
      const part = this.#at(located, ['allOf', index]);
      return part === undefined ? [] : this.#findWaived(this.#tryFollow(part), depth + 1);
    });
    return [...names, ...inherited];
  }

  #at({ file, pointer }: Place, path: readonly (string | number)[]): Located | undefined {
    return this.#description.at({ file, pointer: step(pointer, ...path) });
  }

  #says(property: Located, keyword: string): boolean {
    if (member(property.value, keyword) === true) return true;
    const target = this.#tryFollow(property);
    if (member(target.value, keyword) === true) return true;
    const parts = member(target.value, 'allOf');
    return (
      Array.isArray(parts) &&
      parts.some((_, index) => {
        const part = this.#at(target, ['allOf', index]);
        return part !== undefined && member(this.#tryFollow(part).value, keyword) === true;
      })
    );
  }

  #tryFollow(located: Located): Located {
    try {
      return this.#description.follow(located);
    } catch {
      return located;
    }
  }
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;
