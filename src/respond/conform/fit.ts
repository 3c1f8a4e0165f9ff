import { isEqual } from '../../base/json/equal.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { fillMissing, mend } from '../../resources/mend.ts';
import { placeholderBySchema } from '../state/placeholder.ts';
import type { StateMaterial } from '../state/state-request.ts';

/** Schemas that are tried for one value, so that unions of unions come to an end. */
const MOST_TRIED = 150;
const DEEPEST = 8;

/**
 * Makes a value conform part by part: of a union each branch is tried, so that what is missing is
 * what the branch wants that the value is of.
 *
 * @param pointer of the schema
 * @param identity what is made up depends on this alone
 * @returns undefined where that does not lead to a value that conforms
 */
export function fit(
  material: StateMaterial,
  pointer: string,
  value: JsonValue,
  identity: string,
): JsonValue | undefined {
  return new Fitting(material, identity).fit(pointer, value, 0);
}

/** Of several the one that says most of what the value says; of those, the first. */
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

class Fitting {
  readonly #material: StateMaterial;
  readonly #identity: string;
  #left = MOST_TRIED;

  constructor(material: StateMaterial, identity: string) {
    this.#material = material;
    this.#identity = identity;
  }

  fit(pointer: string, value: JsonValue, depth: number): JsonValue | undefined {
    this.#left--;
    if (this.#left < 0 || depth > DEEPEST) return undefined;
    const schema = this.#material.contract.schemas.schemaAt(pointer, 'response');
    if (schema.check(value, 'body').length === 0) return value;
    const isWhole = (one: JsonValue | undefined): one is JsonValue =>
      one !== undefined && schema.check(one, 'body').length === 0;
    const closest = closestTo(
      value,
      this.#branchesOf(pointer)
        .map((branch) => this.fit(branch, value, depth + 1))
        .filter(isWhole),
    );
    if (closest !== undefined) return closest;
    const parts = this.#fitParts(pointer, value, depth);
    if (isWhole(parts)) return parts;
    const of = `${this.#identity} ${pointer}`;
    const base = placeholderBySchema(this.#material, { schema }, of)?.value;
    if (base === undefined) return undefined;
    const filled = isJsonObject(parts) ? fillMissing(schema, parts, base) : parts;
    return isWhole(filled) ? filled : mend(schema, filled, base);
  }

  /** Each item and each member by its own schema, as far as it can be made to conform. */
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
    const collection = document.resolve(pointer)?.pointer ?? pointer;
    const schema = document.schemaAt(collection);
    if (!isJsonObject(schema)) return [];
    return ['oneOf', 'anyOf'].flatMap((keyword) => {
      const branches = schema[keyword];
      return Array.isArray(branches)
        ? branches.map((_, index) => `${collection}/${keyword}/${index}`)
        : [];
    });
  }
}
