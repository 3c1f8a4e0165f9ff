import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { keyTextOf } from '../../resources/collections.ts';
import { makeSlug, makeUuid } from '../../resources/seed/make-key.ts';
import type { Change } from '../../state/store.ts';
import type { StateRequest } from './state-request.ts';

interface FreeKey {
  readonly value: JsonValue;
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The collection of offsets: how many numbers seeds and clients have taken in a collection. */
const NUMBERS = '$numbers';

const NO_CHANGES: readonly Change[] = [];
const MOST_ATTEMPTS = 50;

/**
 * Finds a free key, from the random numbers or the counter of the session.
 *
 * @param taken keys of other resources in the same request
 * @throws {Problem} STATE_BUSY if none is found
 */
export function findFreeKey(
  request: StateRequest,
  resource: JsonObject,
  taken: ReadonlySet<string>,
): Awaitable<FreeKey> {
  const generation = request.meaning.type.key?.generation.value ?? 'number';
  if (generation === 'number') return nextFreeNumber(request, taken, (number) => number);
  if (generation === 'numeric-text') return nextFreeNumber(request, taken, String);
  const random = request.call.chanceOf(`key ${taken.size}`);
  const make = (attempt: number): JsonValue => {
    if (generation === 'slug') return makeSlug(resource, attempt);
    const drawn = generation === 'uuid' ? undefined : drawBySchema(request, random, attempt);
    return drawn ?? makeUuid(random);
  };
  const attempt = (count: number): Awaitable<FreeKey> => {
    if (count === MOST_ATTEMPTS) throw noneFree(request);
    const value = make(count);
    const text = keyTextOf(value);
    return after(isTaken(request, text, taken), (isHad) =>
      isHad ? attempt(count + 1) : { value, text, changes: NO_CHANGES },
    );
  };
  return attempt(0);
}

/** Generates a key from its schema. The document's example is the first choice. */
function drawBySchema(
  { material, meaning }: StateRequest,
  random: { next(): number },
  attempt: number,
): JsonValue | undefined {
  const name = meaning.type.key?.property?.value;
  const pointer = name === undefined ? undefined : propertyPointer(material, meaning, name);
  if (pointer === undefined) return undefined;
  const manner = attempt === 0 ? 'given' : 'free';
  return material.generator.generate(pointer, { random, now: 0 }, manner);
}

function propertyPointer(
  { factsOf }: StateRequest['material'],
  { type }: StateRequest['meaning'],
  name: string,
): string | undefined {
  const property = type.serverSet.find((one) => one.name === name);
  return property?.pointer ?? factsOf(type).properties.get(name)?.pointer;
}

/** Counts on. If seeds or clients have taken the next numbers, it counts after them. */
function nextFreeNumber(
  request: StateRequest,
  taken: ReadonlySet<string>,
  form: (number: number) => JsonValue,
): Awaitable<FreeKey> {
  const { store, collection } = request;
  const remembered = store.get(NUMBERS, collection);
  const attempt = (count: number, base: number, changes: readonly Change[]): Awaitable<FreeKey> => {
    if (count === MOST_ATTEMPTS) throw noneFree(request);
    const tryNumber = (number: number, added: number): Awaitable<FreeKey> => {
      const value = form(added + number);
      const text = keyTextOf(value);
      return after(isTaken(request, text, taken), (isHad) => {
        if (!isHad)
          return { value, text, changes: added === base ? changes : remember(collection, added) };
        if (added > 0) return attempt(count + 1, added, remember(collection, added));
        return after(store.count(collection), (size) => tryNumber(number, size));
      });
    };
    return after(store.nextNumber(collection), (number) => tryNumber(number, base));
  };
  return after(remembered, (kept) => attempt(0, Number(kept?.resource['base'] ?? 0), NO_CHANGES));
}

function remember(collection: string, base: number): readonly Change[] {
  return [{ collection: NUMBERS, key: collection, expected: 'any', resource: { base } }];
}

function isTaken(
  { store, collection }: StateRequest,
  text: string,
  taken: ReadonlySet<string>,
): Awaitable<boolean> {
  if (taken.has(text)) return true;
  return after(store.get(collection, text), (stored) => stored !== undefined);
}

function noneFree({ collection }: StateRequest): Problem {
  return new Problem('STATE_BUSY', `no key was found that ${collection} does not have: try again`);
}
