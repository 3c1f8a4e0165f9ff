import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { keyIn, keyTextOf } from '../../resources/collections.ts';
import type { CreateMeaning } from '../../resources/meaning.ts';
import { makeSlug, makeUuid, withKey } from '../../resources/seed/make-key.ts';
import { unwrapAlone, valueAt } from '../../resources/wrapping.ts';
import type { Change } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { completeResource } from './complete-resource.ts';
import { markDeleted, requireParents } from './find-stored.ts';
import { keyBelowParents, setFromQuery, setKeyOfPath, setParents } from './path-keys.ts';
import { effectOf, mayChange, showWritten } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** `POST /plants`: stores the resource in the body. */
export function create(request: StateRequest<CreateMeaning>): Awaitable<Outcome> {
  const given = givenResources(request);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  return after(requireParents(request), () =>
    after(makeAll(request, given), (made) => respondCreated(request, made)),
  );
}

function makeAll(
  request: StateRequest<CreateMeaning>,
  given: readonly JsonObject[],
): Awaitable<readonly NewResource[]> {
  const taken = new Set<string>();
  return afterEach(given, (one) =>
    after(makeOne(request, one, taken), (made) => {
      taken.add(made.key);
      return made;
    }),
  );
}

interface NewResource {
  readonly key: string;
  readonly resource: JsonObject;
  readonly expected: Change['expected'];
  readonly changes: readonly Change[];
}

/** Returns the resources in the body; undefined if there are none. */
function givenResources({
  meaning,
  operation,
  body: sent,
}: StateRequest<CreateMeaning>): readonly JsonObject[] | undefined {
  const { given, isMany, type } = meaning;
  // `POST /tokens` creates a resource without a body.
  if (operation.body === undefined) return [{}];
  const body = sent?.value;
  const value = body === undefined ? undefined : valueAt(body, given.path);
  if (value === undefined) return undefined;
  const items = isMany && Array.isArray(value) ? value : [value];
  const resources = items.map((item) => unwrapAlone(item, given.form, type));
  return resources.every(isJsonObject) ? resources : undefined;
}

function makeOne(
  request: StateRequest<CreateMeaning>,
  given: JsonObject,
  taken: ReadonlySet<string>,
): Awaitable<NewResource> {
  const { type } = request.meaning;
  const resource = withQuery(request, given);
  setParents(request, resource);
  setKeyOfPath(request, resource);
  const key = ownKey(request, resource);
  if (key !== undefined) {
    return after(keyBelowParents(request, key), (kept) => putUnder(request, resource, kept));
  }
  return after(findFreeKey(request, resource, taken), ({ value, text, changes }) => {
    const name = type.key?.property?.value;
    const keyed = name === undefined ? resource : withKey(resource, name, value);
    const whole = completeResource(request, keyed, text, undefined);
    return { key: text, resource: whole, expected: 'absent', changes };
  });
}

/** Returns the resource with the members of the query. Those of the body take precedence. */
function withQuery(request: StateRequest, given: JsonObject): JsonObject {
  if (request.parameters.length === 0) return { ...given };
  const queried: JsonObject = {};
  setFromQuery(request, queried);
  return { ...queried, ...given };
}

/** Returns the key that the client gives, if a response may contain it. */
function ownKey({ material, meaning }: StateRequest, resource: JsonObject): string | undefined {
  const { type } = meaning;
  const key = keyIn(type, resource);
  const name = type.key?.property?.value;
  const property = type.serverSet.find((one) => one.name === name);
  if (key === undefined || name === undefined || property === undefined) return key;
  const schema = material.contract.schemas.schemaAt(property.pointer, 'response');
  return schema.check(getMember(resource, name) ?? null, 'body').length === 0 ? key : undefined;
}

function putUnder(
  request: StateRequest<CreateMeaning>,
  resource: JsonObject,
  key: string,
): Awaitable<NewResource> {
  const put = (): NewResource => {
    const whole = completeResource(request, resource, key, undefined);
    return { key, resource: whole, expected: isRefused ? 'absent' : 'any', changes: [] };
  };
  const isRefused = refusesTaken(request);
  if (!isRefused) return put();
  return after(request.store.get(request.collection, key), (stored) => {
    if (stored === undefined) return put();
    throw new Problem(
      'RESOURCE_EXISTS',
      `${request.meaning.type.name} has ${key.slice(0, 80)} already`,
    );
  });
}

/**
 * Returns true if an existing key is a conflict: a setting says so, or the operation declares 409.
 */
function refusesTaken({ material, operation }: StateRequest): boolean {
  return material.uniqueIds || operation.responses.all.some(({ key }) => key === '409');
}

function respondCreated(
  request: StateRequest<CreateMeaning>,
  made: readonly NewResource[],
): Outcome {
  const { collection, meaning, material } = request;
  const [first] = made;
  const { declaresGone } = material.factsOf(meaning.type);
  const changes: Change[] = [];
  for (const { key, resource, expected } of made) {
    changes.push({ collection, key, expected, resource });
  }
  for (const one of made) {
    changes.push(...one.changes);
    if (declaresGone) changes.push(markDeleted(collection, one.key, undefined));
  }
  const key = meaning.isMany ? undefined : first?.key;
  const effect = effectOf(request, changes, key);
  const resources = made.map(({ resource }) => resource);
  const candidate = showWritten(request, { resources, key: first?.key ?? '' }, true);
  return { candidate, effect };
}

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
function findFreeKey(
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
