import { mergeDeep } from '../../base/json/copy.ts';
import { isEqual } from '../../base/json/equal.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { generateFor } from '../generated.ts';
import { fillMissing, repair } from './repair.ts';

/** The most schemas to try for one value: unions of unions have many branches. */
const MOST_TRIED = 150;
const DEEPEST = 8;

/** The contract and the generator that fit values. */
interface FitMaterial {
  readonly contract: Pick<Contract, 'document' | 'schemas'>;
  readonly generator: Generator;
}

/**
 * Makes a value conform to its schema with as few changes as possible. It tries in this order: to
 * add what is missing; to fit each part to its own schema; to remove what is not allowed; to do
 * that with the members of the example or of a generated value added.
 *
 * @param example the first value to take missing members from
 * @param identity the only thing that generated values depend on
 * @returns undefined if no value conforms
 */
export function fitValue(
  material: FitMaterial,
  schema: Schema,
  value: JsonValue,
  example: JsonValue | undefined,
  identity: string,
): JsonValue | undefined {
  if (schema.check(value, 'body').length === 0) return value;
  const generated = generateFor(material.generator, schema, identity)?.value;
  const bases = [example, generated].filter((base) => base !== undefined);
  if (bases.length === 0) return undefined;
  const first = (make: (base: JsonValue) => JsonValue | undefined): JsonValue | undefined => {
    for (const base of bases) {
      const made = make(base);
      if (made !== undefined && schema.check(made, 'body').length === 0) return made;
    }
    return undefined;
  };
  return (
    first((base) => (isJsonObject(value) ? fillMissing(schema, value, base) : undefined)) ??
    new Fitting(material, identity).fit(schema.pointer, value, 0) ??
    first((base) => repair(schema, value, base)) ??
    first((base) => repair(schema, mergeDeep(base, value), base))
  );
}

/** Returns the candidate that shares most values with the given one; of several, the first. */
function closestTo(value: JsonValue, candidates: readonly JsonValue[]): JsonValue | undefined {
  let best: JsonValue | undefined;
  let most = -1;
  for (const candidate of candidates) {
    const kept = countKept(value, candidate);
    if (kept <= most) continue;
    best = candidate;
    most = kept;
  }
  return best;
}

function countKept(value: JsonValue, other: JsonValue): number {
  if (Array.isArray(value) && Array.isArray(other)) {
    return value.reduce<number>((sum, item, at) => sum + countKept(item, other[at] ?? null), 0);
  }
  if (isJsonObject(value) && isJsonObject(other)) {
    return Object.entries(value).reduce(
      (sum, [name, member]) => sum + countKept(member, getMember(other, name) ?? null),
      0,
    );
  }
  return value !== null && isEqual(value, other) ? 1 : 0;
}

/** Fits a value part by part: each branch of a union, each item and each member. */
class Fitting {
  readonly #material: FitMaterial;
  readonly #identity: string;
  #left = MOST_TRIED;

  constructor(material: FitMaterial, identity: string) {
    this.#material = material;
    this.#identity = identity;
  }

  fit(pointer: string, value: JsonValue, depth: number): JsonValue | undefined {
    this.#left--;
    if (this.#left < 0 || depth > DEEPEST) return undefined;
    const schema = this.#material.contract.schemas.schemaAt(pointer, 'response');
    if (schema.check(value, 'body').length === 0) return value;
    const conforms = (one: JsonValue | undefined): one is JsonValue =>
      one !== undefined && schema.check(one, 'body').length === 0;
    const closest = closestTo(
      value,
      this.#branchesOf(pointer)
        .map((branch) => this.fit(branch, value, depth + 1))
        .filter(conforms),
    );
    if (closest !== undefined) return closest;
    const parts = this.#fitParts(pointer, value, depth);
    if (conforms(parts)) return parts;
    const of = `${this.#identity} ${pointer}`;
    const base = generateFor(this.#material.generator, schema, of)?.value;
    if (base === undefined) return undefined;
    const filled = isJsonObject(parts) ? fillMissing(schema, parts, base) : parts;
    return conforms(filled) ? filled : repair(schema, filled, base);
  }

  /** Fits each item and each member to its own schema. One that does not fit stays as it is. */
  #fitParts(pointer: string, value: JsonValue, depth: number): JsonValue {
    const { document, schemas } = this.#material.contract;
    if (Array.isArray(value)) {
      const at = `${document.resolve(pointer)?.pointer ?? pointer}/items`;
      if (document.schemaAt(at) === undefined) return value;
      return value.map((item) => this.fit(at, item, depth + 1) ?? item);
    }
    if (!isJsonObject(value)) return value;
    const fitted: JsonObject = { ...value };
    for (const [name, { pointer: at }] of schemas.nodes.at(pointer)?.properties ?? []) {
      const member = getMember(value, name);
      if (member === undefined || typeof member !== 'object') continue;
      setMember(fitted, name, this.fit(at, member, depth + 1) ?? member);
    }
    return fitted;
  }

  #branchesOf(pointer: string): readonly string[] {
    const { document } = this.#material.contract;
    const place = document.resolve(pointer)?.pointer ?? pointer;
    const schema = document.schemaAt(place);
    if (!isJsonObject(schema)) return [];
    return ['oneOf', 'anyOf'].flatMap((keyword) => {
      const branches = schema[keyword];
      return Array.isArray(branches)
        ? branches.map((_, index) => `${place}/${keyword}/${index}`)
        : [];
    });
  }
}
