import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { keyTextOf } from '../../resources/collections.ts';
import { makeSlug, makeUuid } from '../../resources/seed/make-key.ts';
import type { Change } from '../../state/store.ts';
import type { Asked } from './state-request.ts';

/** A key that is free, and what has to be remembered of it. */
interface FreeKey {
  readonly value: JsonValue;
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The collection of what is added to the numbers of a place: as many as were taken otherwise. */
const NUMBERS = '$numbers';

const NO_CHANGES: readonly Change[] = [];
const MOST_ATTEMPTS = 50;

/**
 * Makes a key that nobody has, of the session's chance or numbers.
 *
 * @param taken keys that are given to others of the same request
 * @throws {Problem} STATE_BUSY where none is found
 */
export function findFreeKey(
  asked: Asked,
  thing: JsonObject,
  taken: ReadonlySet<string>,
): Awaitable<FreeKey> {
  const generation = asked.meaning.resource.key?.generation.value ?? 'number';
  if (generation === 'number') return nextFreeNumber(asked, taken, (number) => number);
  if (generation === 'numeric-text') return nextFreeNumber(asked, taken, String);
  const random = asked.call.chanceOf(`key ${taken.size}`);
  const make = (attempt: number): JsonValue => {
    if (generation === 'slug') return makeSlug(thing, attempt);
    const drawn = generation === 'uuid' ? undefined : drawBySchema(asked, random, attempt);
    return drawn ?? makeUuid(random);
  };
  const attempt = (count: number): Awaitable<FreeKey> => {
    if (count === MOST_ATTEMPTS) throw noneFree(asked);
    const value = make(count);
    const text = keyTextOf(value);
    return after(isTaken(asked, text, taken), (isHad) =>
      isHad ? attempt(count + 1) : { value, text, changes: NO_CHANGES },
    );
  };
  return attempt(0);
}

/** The document's own example of a key is the first, if nobody has it. */
function drawBySchema(
  { material, meaning }: Asked,
  random: { next(): number },
  attempt: number,
): JsonValue | undefined {
  const name = meaning.resource.key?.property?.value;
  const pointer = name === undefined ? undefined : propertyPointer(material, meaning, name);
  if (pointer === undefined) return undefined;
  const manner = attempt === 0 ? 'given' : 'free';
  return material.generator.generate(pointer, { random, now: 0 }, manner);
}

function propertyPointer(
  { factsOf }: Asked['material'],
  { resource }: Asked['meaning'],
  name: string,
): string | undefined {
  const property = resource.serverSet.find((one) => one.name === name);
  return property?.pointer ?? factsOf(resource).properties.get(name)?.pointer;
}

/** Where seeds or clients took the numbers before, counting begins behind them. */
function nextFreeNumber(
  asked: Asked,
  taken: ReadonlySet<string>,
  form: (number: number) => JsonValue,
): Awaitable<FreeKey> {
  const { store, place } = asked;
  const remembered = store.get(NUMBERS, place);
  const attempt = (count: number, base: number, changes: readonly Change[]): Awaitable<FreeKey> => {
    if (count === MOST_ATTEMPTS) throw noneFree(asked);
    const tryNumber = (number: number, added: number): Awaitable<FreeKey> => {
      const value = form(added + number);
      const text = keyTextOf(value);
      return after(isTaken(asked, text, taken), (isHad) => {
        if (!isHad)
          return { value, text, changes: added === base ? changes : remember(place, added) };
        if (added > 0) return attempt(count + 1, added, remember(place, added));
        return after(store.count(place), (size) => tryNumber(number, size));
      });
    };
    return after(store.nextNumber(place), (number) => tryNumber(number, base));
  };
  return after(remembered, (kept) => attempt(0, Number(kept?.resource['base'] ?? 0), NO_CHANGES));
}

function remember(place: string, base: number): readonly Change[] {
  return [{ collection: NUMBERS, key: place, expected: 'any', resource: { base } }];
}

function isTaken(
  { store, place }: Asked,
  text: string,
  taken: ReadonlySet<string>,
): Awaitable<boolean> {
  if (taken.has(text)) return true;
  return after(store.get(place, text), (stored) => stored !== undefined);
}

function noneFree({ place }: Asked): Problem {
  return new Problem('STATE_BUSY', `no key was found that ${place} does not have: try again`);
}
