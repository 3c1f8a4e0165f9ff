import { mergeDeep } from '../../base/json/copy.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import { keyTextOf } from '../collections.ts';
import type { ResourceType, ServerSetRole } from '../resource.ts';
import { checkResource } from './check-resource.ts';
import { makeSlug, makeUuid, withKey } from './make-key.ts';

/** What resources are made up with. */
export interface GenerationMaterial {
  readonly contract: Contract;
  /** Of what a read shows. */
  readonly answering: Generator;
  /** Of what a create takes. */
  readonly requesting: Generator;
  /** Where chance comes from. */
  readonly seed: string;
  /** The time that it is, so that the same seed gives the same on every day. */
  readonly now: number;
}

/** A resource that was made up. */
interface GeneratedResource {
  readonly key: string;
  readonly value: JsonObject;
}

/** Which one is made up. */
interface Which {
  /** From 1: the number that its key may be, and which no other of its place has. */
  readonly number: number;
  readonly collection: string;
}

/** With other chance a key that is taken may be free; so often it is tried. */
const MOST_TRIES = 12;

/**
 * Makes up a resource that may be kept, with a key that is free.
 *
 * @returns undefined where none was found
 */
export function generateResource(
  material: GenerationMaterial,
  type: ResourceType,
  { number, collection }: Which,
  isTaken: (key: string) => boolean,
): GeneratedResource | undefined {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const random = createRandom(`${material.seed}\npopulate\n${collection}\n${number}\n${attempt}`);
    const value = generateValue(material, type, random);
    if (value === undefined) continue;
    const keyed = addKey(material, type, value, number + attempt, isTaken, random);
    if (keyed !== undefined) return keyed;
  }
  return undefined;
}

/** What is sent and what is shown together make what is kept. */
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

/** Nothing was changed before it was made. */
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
): GeneratedResource | undefined {
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

/** The likeliest first; what the schema made up is what it surely takes. */
function keysFor(
  { key }: ResourceType,
  value: JsonObject,
  number: number,
  random: Random,
): readonly JsonValue[] {
  const property = key?.property?.value ?? '';
  const given = getMember(value, property);
  const own = given === undefined || given === null ? [] : [given];
  switch (key?.generation.value) {
    case 'number':
      return [number, ...own];
    case 'numeric-text':
      return [String(number), ...own];
    case 'uuid':
      return [makeUuid(random), ...own];
    case 'slug':
      return [makeSlug(value, 0), makeSlug(value, number - 1), ...own];
    case 'by-schema':
    case undefined:
      return [...own, ...own.map((one) => `${String(one)}${number}`), number, String(number)];
  }
}
