import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import type { Random } from '../../base/random.ts';
import type { Contract } from '../../contract/contract.ts';
import { getProperty, keyTextOf } from '../collections.ts';
import type { KeyGeneration, ResourceType } from '../resource.ts';
import { FreeNumbers, makeKey, makeSlug } from './make-key.ts';

/**
 * Returns candidates for the key of a generated resource, the best first. The generated value
 * surely keeps the schema.
 */
export function keysFor(
  type: ResourceType,
  value: JsonObject,
  number: number,
  random: () => Random,
): readonly JsonValue[] {
  const { property, generation } = type.key ?? {};
  const given = getProperty(value, property?.value ?? '');
  const own = given === undefined || given === null ? [] : [given];
  if (generation?.value === 'by-schema') {
    return [...own, ...own.map((one) => `${String(one)}${number}`), number, String(number)];
  }
  const made = makeKey(type, value, number, random);
  return generation?.value === 'slug' ? [makeSlug(value, 0), made, ...own] : [made, ...own];
}

/** The keys of existing resources. */
export type TakenKeys = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** How keys are made that depend on the rest of the resource. */
const OF_VALUES: ReadonlySet<KeyGeneration> = new Set(['by-schema', 'slug']);

/**
 * Returns the first candidates for the keys of resources that are not generated yet; undefined where
 * they depend on the resources, or may not be the keys.
 *
 * @param most how many resources there will be
 * @param random returns the random numbers of a key
 */
export function foretellKeys(
  { schemas }: Pick<Contract, 'schemas'>,
  { key }: ResourceType,
  taken: TakenKeys,
  most: number,
  random: (number: number) => Random,
): readonly string[] | undefined {
  if (key?.pointer === undefined || OF_VALUES.has(key.generation.value)) return undefined;
  const schema = schemas.schemaAt(key.pointer, 'response');
  const numbers = new FreeNumbers((one) => taken.has(one));
  const keys: string[] = [];
  while (taken.size + keys.length < most) {
    const number = numbers.take();
    const made = makeKey({ key }, {}, number, () => random(number));
    if (!schema.accepts(made)) return undefined;
    keys.push(keyTextOf(made));
  }
  return keys;
}
