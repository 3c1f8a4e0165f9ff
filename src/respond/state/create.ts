import { type Awaitable, after, afterEach, afterWith } from '../../base/awaitable.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import type { Random } from '../../base/random.ts';
import { drawAlike } from '../../generate/text/codes.ts';
import { getProperty, keyIn, keyTextOf } from '../../resources/collections.ts';
import type { CreateMeaning } from '../../resources/meaning.ts';
import { makeSlug, makeUuid, withKey } from '../../resources/seed/make-key.ts';
import { pathOfOne, unwrapAlone, valueAt } from '../../resources/wrapping.ts';
import type { Change } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { changeExisting, takenProblem } from './change.ts';
import { completeResource } from './complete-resource.ts';
import { expand } from './expand.ts';
import { describeFile, fileOf, findFile, storeFile } from './files.ts';
import { markDeleted, requireParents } from './find-stored.ts';
import {
  isBelowOthers,
  keyBelowParents,
  keysInPath,
  membersOfQuery,
  setFromPath,
} from './path-keys.ts';
import { exampleOf } from './placeholder.ts';
import { findCaller, withLinked, withObjects } from './refer.ts';
import { mayChange, StoringEffect, showWritten } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** `POST /plants`: stores the resource in the body. */
export function create(request: StateRequest<CreateMeaning>): Awaitable<Outcome> {
  const given = givenResources(request);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  if (!request.meaning.copies) return createAll(request, given);
  return changeExisting(request, keysInPath(request), ({ resource }) => {
    const original = withoutOwn(request, resource);
    return createAll(
      request,
      given.map((one) => ({ ...original, ...one })),
    );
  });
}

/** Returns what a copy takes from a resource: all but its key, its times and its links. */
function withoutOwn({ meaning }: StateRequest, resource: JsonObject): JsonObject {
  const copy = { ...resource };
  for (const { name, role } of meaning.type.serverSet) {
    if (role.value !== 'given' && role.value !== 'initial') delete copy[name];
  }
  return copy;
}

function createAll(
  request: StateRequest<CreateMeaning>,
  given: readonly JsonObject[],
): Awaitable<Outcome> {
  return after(requireParents(request), () =>
    after(findCaller(request), (caller) => {
      const creation = new Creation(request, caller, given.length);
      const made = afterEach(given, (one) => creation.make(one));
      return after(made, (all) => respondCreated(request, all));
    }),
  );
}

interface NewResource {
  readonly key: string;
  readonly resource: JsonObject;
  readonly expected: Change['expected'];
  readonly changes: readonly Change[];
}

function givenResources(request: StateRequest<CreateMeaning>): JsonObject[] | undefined {
  const { given, isMany, type, copies = false } = request.meaning;
  const body = request.body?.value;
  // `POST /tokens` creates a resource without a body.
  if (request.operation.body === undefined || (copies && body === undefined)) return [{}];
  if (typeof body === 'string') return [{}];
  // `{"plants": […]}` may also be `{"plant": {…}}`.
  const value = valueAt(body, given.path) ?? (isMany && valueAt(body, pathOfOne(given.path)));
  if (value === false || value === undefined) return undefined;
  const items = isMany && Array.isArray(value) ? value : [value];
  const resources = items.map((item) =>
    unwrapAlone(valueAt(item, given.inItem ?? []), given, type),
  );
  return resources.every(isJsonObject) ? resources : undefined;
}

/** Returns the resource with the members of the query. Those of the body take precedence. */
function withQuery(request: StateRequest, given: JsonObject): JsonObject {
  const members = membersOfQuery(request);
  return members.size === 0 ? { ...given } : { ...Object.fromEntries(members), ...given };
}

/** Returns the key that the client gives, if a response may contain it. */
function ownKey({ material, meaning }: StateRequest, resource: JsonObject): string | undefined {
  const { type } = meaning;
  const key = keyIn(type, resource);
  const name = type.key?.property?.value;
  const property = type.serverSet.find((one) => one.name === name);
  if (key === undefined || name === undefined || property === undefined) return key;
  const schema = material.contract.schemas.schemaAt(property.pointer, 'response');
  return schema.accepts(getMember(resource, name) ?? null) ? key : undefined;
}

/**
 * Returns true if an existing key is a conflict: a setting says so, or the operation declares 409,
 * or 422 and 201, which says that a resource is new (RFC 9110 §15.3.2). Where a read declares 422
 * too, it speaks of requests that are invalid.
 */
function refusesTaken({ material, facts, operation: { responses } }: StateRequest): boolean {
  if (material.uniqueIds || responses.has('409')) return true;
  const isNew = responses.success?.status === 201 && responses.has('422');
  const read = facts.read?.operation.responses;
  return isNew && read?.has('422') !== true;
}

function respondCreated(request: StateRequest<CreateMeaning>, made: readonly NewResource[]) {
  const shown = afterEach(made, ({ resource }) => expand(request, resource));
  return after(shown, (resources) => showCreated(request, made, resources));
}

function showCreated(
  request: StateRequest<CreateMeaning>,
  made: readonly NewResource[],
  resources: readonly JsonObject[],
) {
  const key = made[0]?.key;
  const candidate = showWritten(request, { resources, key: key ?? '' }, true);
  const changes = changesOf(request, made);
  const effect = new StoringEffect(request, changes, request.meaning.isMany ? undefined : key);
  return { candidate, effect };
}

/** Returns the changes of a request: the new resources come first. */
function changesOf({ collection, facts }: StateRequest, made: readonly NewResource[]): Change[] {
  const changes: Change[] = made.map(({ key, resource, expected }) => {
    return { collection, key, expected, resource };
  });
  for (const one of made) {
    changes.push(...one.changes);
    if (facts.declaresGone()) changes.push(markDeleted(collection, one.key, undefined));
  }
  return changes;
}

interface FreeKey {
  readonly value: JsonValue;
  readonly text: string;
  readonly changes: readonly Change[];
}

/** The collection of offsets: how many numbers seeds and clients have taken in a collection. */
const NUMBERS = '$numbers';

const MOST_ATTEMPTS = 50;

const NONE: readonly Change[] = [];

class Creation {
  readonly #request: StateRequest<CreateMeaning>;
  readonly #caller: JsonObject | undefined;
  /** The keys of the resources before; undefined where there is only one. */
  readonly #taken: Set<string> | undefined;
  readonly #file: ReturnType<typeof findFile>;

  constructor(request: StateRequest<CreateMeaning>, caller: JsonObject | undefined, count: number) {
    this.#request = request;
    this.#caller = caller;
    this.#taken = count > 1 ? new Set() : undefined;
    this.#file = findFile(request);
  }

  make(given: JsonObject): Awaitable<NewResource> {
    const linked = withLinked(this.#request, given);
    const named = afterWith(linked, this.#request, withObjects);
    const made = afterWith(named, this, Creation.#make);
    return afterWith(made, this, Creation.#keep);
  }

  static #keep(creation: Creation, made: NewResource): NewResource {
    creation.#taken?.add(made.key);
    const file = creation.#file;
    if (file === undefined) return made;
    const stored = storeFile(fileOf(creation.#request.collection, made.key), file);
    return { ...made, changes: [...made.changes, stored] };
  }

  static #make(creation: Creation, given: JsonObject): Awaitable<NewResource> {
    const request = creation.#request;
    const file = creation.#file;
    const resource = withQuery(request, given);
    if (file !== undefined) {
      if (file.part !== undefined) delete resource[file.part];
      describeFile(request, file, resource);
    }
    setFromPath(request, resource);
    const key = ownKey(request, resource);
    if (key === undefined) return creation.#putNew(resource);
    return isBelowOthers(request.meaning.type)
      ? creation.#putBelow(key, resource)
      : creation.#putUnder(key, resource);
  }

  #putNew(given: JsonObject): Awaitable<NewResource> {
    return after(this.#findFreeKey(given), ({ value, text, changes }) => {
      const name = this.#request.meaning.type.key?.property?.value;
      const keyed = name === undefined ? given : withKey(given, name, value);
      return this.#finish(text, keyed, 'absent', changes);
    });
  }

  #putBelow(key: string, given: JsonObject): Awaitable<NewResource> {
    const kept = keyBelowParents(this.#request, key, () => this.#complete(key, given));
    return after(kept, (one) => this.#putUnder(one, given));
  }

  #putUnder(key: string, given: JsonObject): Awaitable<NewResource> {
    return refusesTaken(this.#request)
      ? this.#putUnlessTaken(key, given)
      : this.#finish(key, given, 'any', NONE);
  }

  #putUnlessTaken(key: string, given: JsonObject): Awaitable<NewResource> {
    const { store, collection, meaning } = this.#request;
    return after(store.get(collection, key), (stored) => {
      if (stored === undefined) return this.#finish(key, given, 'absent', NONE);
      throw takenProblem(meaning.type, key);
    });
  }

  #finish(
    key: string,
    given: JsonObject,
    expected: Change['expected'],
    changes: readonly Change[],
  ): NewResource {
    return { key, resource: this.#complete(key, given), expected, changes };
  }

  #complete(key: string, resource: JsonObject) {
    const written = { key, resource, before: undefined, caller: this.#caller };
    return completeResource(this.#request, written);
  }

  /**
   * Finds a free key, from the random numbers or the counter of the session.
   *
   * @throws {Problem} STATE_BUSY if none is found
   */
  #findFreeKey(resource: JsonObject): Awaitable<FreeKey> {
    const { call, meaning } = this.#request;
    const generation = meaning.type.key?.generation.value ?? 'number';
    if (generation === 'number') return this.#nextFreeNumber((number) => number);
    if (generation === 'numeric-text') return this.#nextFreeNumber(String);
    const random = call.chanceOf(`key ${this.#taken?.size ?? 0}`);
    const make = (attempt: number): JsonValue => {
      if (generation === 'slug') return makeSlug(resource, attempt);
      const drawn =
        generation === 'uuid' ? this.#drawAlike(random) : this.#drawBySchema(random, attempt);
      return drawn ?? makeUuid(random);
    };
    const attempt = (count: number): Awaitable<FreeKey> => {
      if (count === MOST_ATTEMPTS) throw this.#noneFree();
      const value = make(count);
      const text = keyTextOf(value);
      return after(this.#isTaken(text), (isHad) =>
        isHad ? attempt(count + 1) : { value, text, changes: [] },
      );
    };
    return attempt(0);
  }

  /** Returns a key like the one in the example of a response. */
  #drawAlike(random: Random): JsonValue | undefined {
    const { material, meaning } = this.#request;
    const { property, pointer } = meaning.type.key ?? {};
    const example = exampleOf(this.#request);
    const usual = property && example && getProperty(example, property.value);
    if (typeof usual !== 'string' || pointer === undefined) return undefined;
    const drawn = drawAlike({ random, now: 0 }, usual);
    const schema = material.contract.schemas.schemaAt(pointer, 'response');
    return drawn !== undefined && schema.accepts(drawn) ? drawn : undefined;
  }

  /** Generates a key from its schema. The document's example is the first choice. */
  #drawBySchema(random: Random, attempt: number): JsonValue | undefined {
    const { material, meaning } = this.#request;
    const { property, pointer } = meaning.type.key ?? {};
    if (property === undefined || pointer === undefined) return undefined;
    const manner = attempt === 0 ? 'given' : 'free';
    return material.generator.generate(pointer, { random, now: 0 }, manner);
  }

  /** Counts on. If seeds or clients have taken the next numbers, it counts after them. */
  #nextFreeNumber(form: (number: number) => JsonValue): Awaitable<FreeKey> {
    const { store, collection, call } = this.#request;
    return after(store.get(NUMBERS, collection), (kept) => {
      const known = Number(kept?.resource['base'] ?? 0);
      const countOn = (base: number): readonly Change[] =>
        base === known
          ? []
          : [{ collection: NUMBERS, key: collection, expected: 'any', resource: { base } }];
      const attempt = (count: number, base: number): Awaitable<FreeKey> => {
        if (count === MOST_ATTEMPTS) throw this.#noneFree();
        const tryNumber = (number: number, added: number): Awaitable<FreeKey> => {
          const value = form(added + number);
          const text = keyTextOf(value);
          return after(this.#isTaken(text), (isHad) => {
            if (!isHad) return { value, text, changes: countOn(added) };
            if (added > 0) return attempt(count + 1, added);
            // Those of this request are not in the store yet.
            return after(store.count(collection), (size) =>
              tryNumber(number, size === 0 ? (this.#taken?.size ?? 0) : size),
            );
          });
        };
        const next = call.session.state.nextNumber(collection);
        return after(next, (number) => tryNumber(number, base));
      };
      return attempt(0, known);
    });
  }

  #isTaken(text: string): Awaitable<boolean> {
    if (this.#taken?.has(text) === true) return true;
    const { store, collection } = this.#request;
    return after(store.get(collection, text), (stored) => stored !== undefined);
  }

  #noneFree(): Problem {
    const { collection } = this.#request;
    return new Problem(
      'STATE_BUSY',
      `no key was found that ${collection} does not have: try again`,
    );
  }
}
