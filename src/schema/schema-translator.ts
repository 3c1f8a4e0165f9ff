import { toPointer } from '../base/json/pointer.ts';
import {
  containsExactNumber,
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../base/json/value.ts';
import { isAlsoNull, schemaTypes } from '../document/schema-dialect.ts';
import type { SourceDocument } from '../document/source-document.ts';
import { decideByDiscriminator, readDiscriminator, when } from './discriminator.ts';
import { type DynamicScope, enterScope, findDynamicTarget } from './dynamic-scope.ts';
import { type Direction, findAbsentProperties } from './message-direction.ts';
import type { Pattern } from './pattern/pattern.ts';
import {
  type Depth,
  detailKeywords,
  isWellTyped,
  limitKeywords,
  passedOverKeywords,
  subschemaKeywords,
} from './schema-keywords.ts';
import type { SchemaNodes } from './schema-node.ts';
import { inPlaceKeywords } from './subschemas.ts';
import { replaceByExactKeywords, replaceMisjudgedKeywords } from './value-keywords.ts';

/** The part of the path of references to a schema on which its meaning depends. */
export interface ReferencePath {
  readonly scope: DynamicScope;
  /** Pointers of schemas that lead back to themselves and are being checked on this value. */
  readonly chain: readonly string[];
}

/** The chain where no schema leads back to itself. */
export const NO_CHAIN: readonly string[] = [];

/** The position of a schema that is translated. */
interface SchemaPlace extends ReferencePath {
  readonly pointer: string;
  /**
   * Pointer of the schema that has this one in its `allOf`, at any depth: either may require
   * properties of the other.
   */
  readonly whole: string;
}

/** The settings of a translation. */
export interface TranslationSettings {
  /** True for values with numbers that Ajv does not support. */
  readonly isExact: boolean;
  readonly direction: Direction;
  readonly depth: Depth;
  /** @returns the key under which Ajv knows the schema at a pointer */
  readonly register: (pointer: string, path: ReferencePath) => string;
  /** @throws {SyntaxError} for what is not a regular expression */
  readonly patternOf: (text: string) => Pattern;
}

/** Translates the schemas of a document for Ajv. */
export class SchemaTranslator {
  readonly #nodes: SchemaNodes;
  readonly #document: SourceDocument;
  readonly #settings: TranslationSettings;

  constructor(nodes: SchemaNodes, settings: TranslationSettings) {
    this.#nodes = nodes;
    this.#document = nodes.document;
    this.#settings = settings;
  }

  /** Returns a schema for Ajv: with known keywords only, and the keys of references. */
  translate(schema: JsonObject | boolean, place: SchemaPlace): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema;
    const translated = this.#translateKeywords(schema, place);
    if (this.#settings.direction === 'request') {
      this.#discriminate(schema, translated, place.pointer);
      admitPatchedValue(schema, translated);
    }
    if (this.#settings.depth === 'structure') admitSeveral(translated);
    this.#applyDirection(translated, place.whole);
    this.#compilePatterns(translated);
    this.#heedExample(schema, translated);
    moveUnusualProperty(translated);
    completeCondition(translated);
    if (this.#settings.isExact || hasUnusualConstant(translated)) {
      replaceByExactKeywords(translated);
    } else {
      replaceMisjudgedKeywords(translated);
    }
    roundLimits(translated);
    return isAlsoNull(schema) ? when({ not: { type: 'null' } }, translated) : translated;
  }

  #translateKeywords(schema: JsonObject, place: SchemaPlace): JsonObject {
    const translated: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (this.#passesOver(keyword)) continue;
      const translation = this.#translateKeyword(keyword, value, place);
      if (translation === undefined) continue;
      // Ajv refuses an empty list, to which no value conforms.
      if (keyword === 'enum' && [translation].flat().length === 0) addToAllOf(translated, false);
      // A schema may have both kinds of references, and both are `$ref` to Ajv.
      else if (keyword === '$dynamicRef') addToAllOf(translated, { $ref: translation });
      else if (keyword === 'allOf') addToAllOf(translated, ...[translation].flat());
      else setMember(translated, keyword, translation);
    }
    return translated;
  }

  #passesOver(keyword: string): boolean {
    if (this.#settings.depth === 'structure' && detailKeywords.has(keyword)) return true;
    return passedOverKeywords.has(keyword) || keyword.startsWith('x-');
  }

  /** @returns undefined for a keyword whose value has the wrong type */
  #translateKeyword(keyword: string, value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (keyword === '$ref') return this.#translateReference(value, place);
    if (keyword === '$dynamicRef') return this.#translateDynamicReference(value, place);
    return subschemaKeywords.has(keyword)
      ? this.#translateSubschemas(keyword, value, place)
      : keepValue(keyword, value);
  }

  /** @returns undefined for a value of the wrong type */
  #translateSubschemas(keyword: string, value: JsonValue, place: SchemaPlace) {
    const at = place.pointer + toPointer([keyword]);
    const { scope } = place;
    const chain = IN_PLACE.has(keyword) ? place.chain : NO_CHAIN;
    switch (subschemaKeywords.get(keyword)) {
      case 'list': {
        if (!Array.isArray(value) || value.length === 0) return undefined;
        const isPart = keyword === 'allOf';
        return value.map((one, index) => {
          const pointer = `${at}/${index}`;
          const whole = isPart ? place.whole : pointer;
          return this.#translateInner(one, { pointer, whole, scope, chain });
        });
      }
      case 'map':
        if (!isJsonObject(value)) return undefined;
        return mapMembers(value, (one, name) => {
          const pointer = at + toPointer([name]);
          return this.#translateInner(one, { pointer, whole: pointer, scope, chain });
        });
      default: {
        const whole = CONDITIONS.has(keyword) ? place.whole : at;
        return this.#translateInner(value, { pointer: at, whole, scope, chain });
      }
    }
  }

  /** @returns undefined for a reference to a schema that is being checked on this value already */
  #translateReference(value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (typeof value !== 'string') return undefined;
    const target = this.#findTarget(value, place.pointer);
    return place.chain.includes(target) ? undefined : this.#settings.register(target, place);
  }

  #translateDynamicReference(value: JsonValue, place: SchemaPlace): JsonValue | undefined {
    if (typeof value !== 'string') return undefined;
    const plain = this.#findTarget(value, place.pointer);
    const target = findDynamicTarget(this.#document, value, plain, place.scope);
    return this.#settings.register(target, place);
  }

  #findTarget(reference: string, pointer: string): string {
    const target = this.#document.pointerOf(reference, pointer);
    if (this.#document.schemaAt(target) !== undefined) return target;
    throw this.#document.missing(reference, pointer);
  }

  /** @param value a subschema of the document; anything else allows every value */
  #translateInner(value: JsonValue, place: SchemaPlace): JsonObject | boolean {
    if (!isJsonObject(value)) return value !== false;
    const { pointer } = place;
    const schema = this.#document.upgradeSchema(value, pointer);
    if (typeof schema['$id'] !== 'string') return this.translate(schema, place);
    const scope = enterScope(this.#document, place.scope, pointer);
    return this.translate(schema, { ...place, scope });
  }

  #discriminate(schema: JsonObject, translated: JsonObject, pointer: string): void {
    const { oneOf } = schema;
    const branches = translated['oneOf'];
    if (!Array.isArray(oneOf) || !Array.isArray(branches)) return;
    const discriminator = readDiscriminator(this.#document, { value: schema, pointer }, oneOf);
    if (discriminator === undefined) return;
    delete translated['oneOf'];
    addToAllOf(translated, decideByDiscriminator(discriminator, branches));
  }

  #compilePatterns({ pattern, patternProperties }: JsonObject): void {
    if (typeof pattern === 'string') this.#settings.patternOf(pattern);
    const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    names.forEach(this.#settings.patternOf);
  }

  /**
   * Removes a pattern that the document's own example does not match from the schema of a request.
   * Such patterns are broken, and services accept what their examples show. Responses keep them.
   * An example that matches stays for the refusal, as a pattern alone is hard to read.
   */
  #heedExample({ example, examples }: JsonObject, translated: JsonObject): void {
    const { pattern } = translated;
    if (typeof pattern !== 'string') return;
    const shown = [example, examples].flat().find((one) => typeof one === 'string');
    if (shown === undefined) return;
    if (this.#settings.patternOf(pattern).test(shown)) translated['example'] = shown;
    else if (this.#settings.direction === 'request' && shown === example) {
      delete translated['pattern'];
    }
  }

  /** Removes what the direction of the message excludes from `required` and `properties`. */
  #applyDirection(translated: JsonObject, whole: string): void {
    const { required, properties } = translated;
    const { direction } = this.#settings;
    const forbidden = direction === 'response' && isJsonObject(properties) ? properties : undefined;
    if (!Array.isArray(required) && forbidden === undefined) return;
    const absent = findAbsentProperties(this.#nodes.at(whole), direction);
    if (absent.size === 0) return;
    if (Array.isArray(required)) {
      translated['required'] = required.filter((name) => !absent.has(String(name)));
    }
    for (const name of Object.keys(forbidden ?? {})) {
      if (absent.has(name)) setMember(forbidden ?? {}, name, false);
    }
  }
}

/**
 * Returns the value of a keyword without subschemas; undefined for one of the wrong type.
 *
 * @throws {Error} as Ajv does for a type that JSON Schema does not have
 */
function keepValue(keyword: string, value: JsonValue): JsonValue | undefined {
  if (keyword !== 'type') return isWellTyped(keyword, value) ? value : undefined;
  const types = value ? [value].flat() : [];
  if (types.every((type) => schemaTypes.has(type))) return types.length === 0 ? undefined : value;
  throw new Error(`type must be JSONType or JSONType[]: ${types.join()}`);
}

const IN_PLACE: ReadonlySet<string> = new Set(inPlaceKeywords.all);

/** Keywords whose schemas apply to the same object as the schema that has them. */
const CONDITIONS = new Set(['then', 'else']);

function addToAllOf(schema: JsonObject, ...parts: readonly JsonValue[]): void {
  const { allOf } = schema;
  schema['allOf'] = [...(Array.isArray(allOf) ? allOf : []), ...parts];
}

/** Admits every `value` in an operation of RFC 6902 §4, where documents often say that it is an object. */
function admitPatchedValue({ properties }: JsonObject, { properties: own }: JsonObject): void {
  if (!isJsonObject(properties) || !isJsonObject(own)) return;
  const { op, path, value } = properties;
  if (op === undefined || path === undefined || !isJsonObject(value)) return;
  const isBare = [value['type']].flat().includes('object') && value['properties'] === undefined;
  if (isBare) own['value'] = true;
}

/** Lets a value fit several branches of `oneOf`. */
function admitSeveral(schema: JsonObject): void {
  const { oneOf } = schema;
  if (oneOf === undefined) return;
  delete schema['oneOf'];
  addToAllOf(schema, { anyOf: oneOf });
}

/** Moves the property `__proto__`, which Ajv ignores, to a pattern, which Ajv checks. */
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
 * Replaces an `if` without `then` by a choice between the two cases: Ajv counts what the `if` looks
 * at as evaluated even if it fails.
 */
function completeCondition(schema: JsonObject): void {
  const { if: condition, then: consequence, else: alternative = true } = schema;
  if (condition === undefined || consequence !== undefined) return;
  delete schema['if'];
  delete schema['else'];
  const otherwise = { allOf: [{ not: condition }, alternative] };
  addToAllOf(schema, { anyOf: [condition, alternative === true ? true : otherwise] });
}

/** True for a constant that is no double, which Ajv cannot write into its code. */
function hasUnusualConstant(schema: JsonObject): boolean {
  return [schema['const'], schema['enum']].some(
    (value) => value !== undefined && containsExactNumber(value),
  );
}

/**
 * Converts limits to doubles. Ajv compares them with sizes and exact doubles only, all within ±2^53
 * or with a fraction. A limit that no double holds is outside of that, and so is the double next to
 * it, so the comparison is still right.
 */
function roundLimits(schema: JsonObject): void {
  for (const keyword of limitKeywords) {
    const limit = schema[keyword];
    if (typeof limit === 'bigint' || limit instanceof Decimal) schema[keyword] = Number(limit);
  }
}
