import { toPointer } from '../base/json/pointer.ts';
import {
  containsExactNumber,
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { decideByDiscriminator, readDiscriminator } from './discriminator.ts';
import { type DynamicScope, enterScope, findDynamicTarget } from './dynamic-scope.ts';
import { replaceByExactKeywords, replaceFractionalDivisor } from './exact-keywords.ts';
import { type Direction, findAbsentProperties } from './message-direction.ts';
import { isWellTyped, passedOverKeywords, subschemaKeywords } from './schema-keywords.ts';
import type { SchemaNodes } from './schema-node.ts';
import { inPlaceKeywords } from './subschemas.ts';

/** What a schema may mean different things by. */
export interface Way {
  readonly scope: DynamicScope;
  /** Pointers of schemas that come back to themselves, and are being held against this value. */
  readonly chain: readonly string[];
}

/** Where no schema comes back to itself. */
export const NO_CHAIN: readonly string[] = [];

/** A schema on its way to Ajv. */
interface SchemaPlace extends Way {
  readonly pointer: string;
  /**
   * Pointer of the schema that this one is a part of by `allOf`: what the one requires may be a
   * property of the other.
   */
  readonly whole: string;
}

/** What a translation is for. */
export interface TranslationSettings {
  /** True where numbers are of a kind that Ajv does not know. */
  readonly isExact: boolean;
  readonly direction: Direction;
  /** @returns the key under which Ajv knows the schema at a pointer */
  readonly register: (pointer: string, way: Way) => string;
}

/** Writes the schemas of a document as Ajv is to see them. */
export class SchemaTranslator {
  readonly #nodes: SchemaNodes;
  readonly #document: SourceDocument;
  readonly #isExact: boolean;
  readonly #direction: Direction;
  readonly #register: TranslationSettings['register'];

  constructor(nodes: SchemaNodes, { isExact, direction, register }: TranslationSettings) {
    this.#nodes = nodes;
    this.#document = nodes.document;
    this.#isExact = isExact;
    this.#direction = direction;
    this.#register = register;
  }

  /** A schema as Ajv is to see it: known keywords only, references by key, data left alone. */
  translate(schema: JsonObject | boolean, place: SchemaPlace): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema;
    const translated = this.#translateKeywords(schema, place);
    if (this.#direction === 'request') this.#discriminate(schema, translated, place.pointer);
    this.#applyDirection(translated, place.whole);
    moveUnusualProperty(translated);
    completeCondition(translated);
    if (this.#isExact || hasUnusualConstant(translated)) {
      replaceByExactKeywords(translated);
    } else {
      replaceFractionalDivisor(translated);
      roundLimits(translated);
    }
    return translated;
  }

  #translateKeywords(schema: JsonObject, place: SchemaPlace): JsonObject {
    const translated: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (passedOverKeywords.has(keyword) || keyword.startsWith('x-')) continue;
      const translation = this.#translateKeyword(keyword, value, place);
      if (translation === undefined) continue;
      // Ajv takes no list without values, which nothing is one of.
      if (keyword === 'enum' && [translation].flat().length === 0) addToAllOf(translated, false);
      // A reference may stand beside a dynamic one: both are references to Ajv.
      else if (keyword === '$dynamicRef') addToAllOf(translated, { $ref: translation });
      else if (keyword === 'allOf') addToAllOf(translated, ...[translation].flat());
      else setMember(translated, keyword, translation);
    }
    return translated;
  }

  /** @returns undefined for a keyword whose value is of the wrong type: it cannot be applied */
  #translateKeyword(keyword: string, value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (keyword === '$ref') return this.#translateReference(value, place);
    if (keyword === '$dynamicRef') return this.#translateDynamicReference(value, place);
    const { whole } = place;
    const at = place.pointer + toPointer([keyword]);
    const inside = IN_PLACE.has(keyword) ? place : { ...place, chain: NO_CHAIN };
    switch (subschemaKeywords.get(keyword)) {
      case 'list': {
        if (!Array.isArray(value) || value.length === 0) return undefined;
        const isPart = keyword === 'allOf';
        return value.map((_, index) => {
          const pointer = `${at}/${index}`;
          return this.#translateAt({ ...inside, pointer, whole: isPart ? whole : pointer });
        });
      }
      case 'map': {
        if (!isJsonObject(value)) return undefined;
        const map: JsonObject = {};
        for (const name of Object.keys(value)) {
          const pointer = at + toPointer([name]);
          setMember(map, name, this.#translateAt({ ...inside, pointer, whole: pointer }));
        }
        return map;
      }
      case 'schema': {
        const isPart = CONDITIONS.has(keyword);
        return this.#translateAt({ ...inside, pointer: at, whole: isPart ? whole : at });
      }
      default:
        return isWellTyped(keyword, value) ? value : undefined;
    }
  }

  /** @returns undefined for a reference to what is being held against the same value already */
  #translateReference(value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (typeof value !== 'string') return undefined;
    const target = this.#findTarget(value, place.pointer);
    return place.chain.includes(target) ? undefined : this.#register(target, place);
  }

  #translateDynamicReference(value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (typeof value !== 'string') return undefined;
    const target = this.#findTarget(value, place.pointer);
    return this.#register(findDynamicTarget(this.#document, value, target, place.scope), place);
  }

  #findTarget(reference: string, pointer: string): string {
    const target = this.#document.pointerOf(reference, pointer);
    if (this.#document.schemaAt(target) !== undefined) return target;
    throw this.#document.missing(reference, pointer);
  }

  #translateAt(place: SchemaPlace): JsonObject | boolean {
    const schema = this.#document.schemaAt(place.pointer) ?? true;
    const hasOwnScope = isJsonObject(schema) && typeof schema['$id'] === 'string';
    const scope = hasOwnScope
      ? enterScope(this.#document, place.scope, place.pointer)
      : place.scope;
    return this.translate(schema, { ...place, scope });
  }

  #discriminate(schema: JsonObject, translated: JsonObject, pointer: string): void {
    const { oneOf } = schema;
    const branches = translated['oneOf'];
    if (!Array.isArray(oneOf) || !Array.isArray(branches)) return;
    const discriminator = readDiscriminator(this.#document, schema, oneOf, pointer);
    if (discriminator === undefined) return;
    delete translated['oneOf'];
    addToAllOf(translated, decideByDiscriminator(discriminator, branches));
  }

  /** Requires and allows what the direction of the message leaves. */
  #applyDirection(translated: JsonObject, whole: string): void {
    const { required, properties } = translated;
    if (!Array.isArray(required) && (this.#direction === 'request' || !isJsonObject(properties))) {
      return;
    }
    const absent = findAbsentProperties(this.#nodes.at(whole), this.#direction);
    if (absent.size === 0) return;
    if (Array.isArray(required)) {
      translated['required'] = required.filter((name) => !absent.has(String(name)));
    }
    if (this.#direction === 'response' && isJsonObject(properties)) {
      for (const name of Object.keys(properties)) {
        if (absent.has(name)) setMember(properties, name, false);
      }
    }
  }
}

const IN_PLACE: ReadonlySet<string> = new Set(inPlaceKeywords.all);

/** Their schemas apply to the same object as the schema in which they stand. */
const CONDITIONS = new Set(['then', 'else']);

function addToAllOf(schema: JsonObject, ...parts: readonly JsonValue[]): void {
  const { allOf } = schema;
  schema['allOf'] = [...(Array.isArray(allOf) ? allOf : []), ...parts];
}

/** Ajv passes over a property of this name, but not over a pattern that is the name. */
function moveUnusualProperty(schema: JsonObject): void {
  const { properties, patternProperties } = schema;
  if (!isJsonObject(properties) || !Object.hasOwn(properties, '__proto__')) return;
  const { ['__proto__']: unusual = true, ...rest } = properties;
  schema['properties'] = rest;
  schema['patternProperties'] = {
    ...(isJsonObject(patternProperties) && patternProperties),
    '^__proto__$': unusual,
  };
}

/**
 * Ajv counts as evaluated what an `if` without `then` looked at even where it failed: the same is
 * said by a choice between the two cases.
 */
function completeCondition(schema: JsonObject): void {
  const { if: condition, then: consequence, else: alternative = true } = schema;
  if (condition === undefined || consequence !== undefined) return;
  delete schema['if'];
  delete schema['else'];
  const otherwise = { allOf: [{ not: condition }, alternative] };
  addToAllOf(schema, { anyOf: [condition, alternative === true ? true : otherwise] });
}

/** A constant that Ajv could not write into its code, as it is no double. */
function hasUnusualConstant(schema: JsonObject): boolean {
  return [schema['const'], schema['enum']].some(
    (value) => value !== undefined && containsExactNumber(value),
  );
}

/**
 * Limits as doubles. What comes to this engine are doubles that say exactly what was sent, all of
 * them within ±2^53 or with a fraction; a limit that no double holds lies outside of that, and so
 * does the double next to it: the comparison is still right.
 */
function roundLimits(schema: JsonObject): void {
  for (const keyword of [
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ]) {
    const limit = schema[keyword];
    if (typeof limit === 'bigint' || limit instanceof Decimal) schema[keyword] = Number(limit);
  }
}
