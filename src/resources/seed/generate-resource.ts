import { mergeDeep } from '../../base/json/copy.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import { keyTextOf } from '../collections.ts';
import type { ResourceType, ServerSetRole } from '../resource.ts';
import { checkResource } from './check-resource.ts';
import { makeKey, makeSlug, withKey } from './make-key.ts';

/** The material from which resources are generated. */
export interface GenerationMaterial {
  readonly contract: Contract;
  /** Generates responses. */
  readonly answering: Generator;
  /** Generates request bodies. */
  readonly requesting: Generator;
  /** The random seed. */
  readonly seed: string;
  /** The current time, which generated dates are near. */
  readonly now: number;
}

/** How often to try again with other random numbers if the key is taken. */
const MOST_TRIES = 12;

/**
 * Generates a resource with a free key that passes {@link checkResource}.
 *
 * @param number from 1: unique in the collection, and usually its key
 * @returns undefined if none was found
 */
export function generateResource(
  material: GenerationMaterial,
  type: ResourceType,
  number: number,
  collection: string,
  isTaken: (key: string) => boolean,
): { readonly key: string; readonly value: JsonObject } | undefined {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const random = createRandom(`${material.seed}\npopulate\n${collection}\n${number}\n${attempt}`);
    const value = generateValue(material, type, random);
    if (value === undefined) continue;
    const keyed = addKey(material, type, value, number + attempt, isTaken, random);
    if (keyed !== undefined) return keyed;
  }
  return undefined;
}

/** Merges a generated request and a generated response. */
function generateValue(
  { contract, answering, requesting, now }: GenerationMaterial,
  type: ResourceType,
  random: Random,
): JsonObject | undefined {
  const { schema, writtenSchema } = type;
  const draw = (generator: Generator, pointer: string | undefined): JsonObject | undefined => {
    if (pointer === undefined) return undefined;
    const value = generator.generate(pointer, { random, now }, 'free');
    return isJsonObject(value) ? value : undefined;
  };
  const shown = draw(answering, schema?.pointer);
  const written = draw(requesting, writtenSchema?.pointer);
  const whole =
    shown !== undefined && written !== undefined ? mergeDeep(written, shown) : undefined;
  return [whole, shown, written]
    .filter(isJsonObject)
    .map((one) => inOrderOfTime(type, one))
    .find((one) => checkResource(contract, type, one, '').length === 0);
}

/** Swaps the times of creation and last change if they are in the wrong order. */
function inOrderOfTime({ serverSet }: ResourceType, value: JsonObject): JsonObject {
  const nameOf = (role: ServerSetRole) => serverSet.find((one) => one.role.value === role)?.name;
  const [made, changed] = [nameOf('created-at'), nameOf('updated-at')];
  if (made === undefined || changed === undefined) return value;
  const [first, second] = [getMember(value, made), getMember(value, changed)];
  const isSo = typeof first !== typeof second || String(first ?? '') <= String(second ?? '');
  return isSo || first === undefined || second === undefined
    ? value
    : { ...value, [made]: second, [changed]: first };
}

function addKey(
  { contract }: GenerationMaterial,
  type: ResourceType,
  value: JsonObject,
  number: number,
  isTaken: (key: string) => boolean,
  random: Random,
): ReturnType<typeof generateResource> {
  const property = type.key?.property?.value;
  if (property === undefined) {
    const key = String(number);
    return isTaken(key) ? undefined : { key, value };
  }
  for (const candidate of keysFor(type, value, number, random)) {
    const key = keyTextOf(candidate);
    const keyed = withKey(value, property, candidate);
    if (!isTaken(key) && checkResource(contract, type, keyed, '').length === 0) {
      return { key, value: keyed };
    }
  }
  return undefined;
}

/** Returns candidates for the key, the best first. The generated value surely keeps the schema. */
function keysFor(
  type: ResourceType,
  value: JsonObject,
  number: number,
  random: Random,
): readonly JsonValue[] {
  const { property, generation } = type.key ?? {};
  const given = getMember(value, property?.value ?? '');
  const own = given === undefined || given === null ? [] : [given];
  if (generation?.value === 'by-schema') {
    return [...own, ...own.map((one) => `${String(one)}${number}`), number, String(number)];
  }
  const made = makeKey(type, value, number, () => random);
  return generation?.value === 'slug' ? [makeSlug(value, 0), made, ...own] : [made, ...own];
}
