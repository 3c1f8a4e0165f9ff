import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { getMember, isJsonObject, type JsonObject, setMember } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { keyIn } from '../../resources/collections.ts';
import type { CreateMeaning } from '../../resources/meaning.ts';
import { unwrapAlone, valueAt } from '../../resources/wrapping.ts';
import type { Change } from '../../state/store.ts';
import type { Outcome } from '../answer.ts';
import { makeWhole } from './complete-resource.ts';
import { effectOf } from './effect.ts';
import { DELETED, deletedKey, requireParents } from './find-stored.ts';
import { findFreeKey } from './free-key.ts';
import { keyBelowParents, setFromQuery, setKeyOfPath, setParents } from './path-keys.ts';
import { identityOf } from './placeholder.ts';
import { answerBeside, chooseSuccess, mayChange, showThings } from './show.ts';
import type { Asked } from './state-request.ts';

/** `POST /plants`: what was sent is kept. */
export function create(asked: Asked<CreateMeaning>): Awaitable<Outcome> {
  const given = givenThings(asked);
  if (given === undefined || !mayChange(asked.request.operation)) return undefined;
  return after(requireParents(asked), () =>
    after(makeAll(asked, given), (made) => answerCreated(asked, made)),
  );
}

function makeAll(
  asked: Asked<CreateMeaning>,
  given: readonly JsonObject[],
): Awaitable<readonly Made[]> {
  const [only] = given;
  if (only !== undefined && given.length === 1) {
    return after(makeOne(asked, only, NONE), (made) => [made]);
  }
  return afterEach(given, (one, made: readonly Made[]) => makeOne(asked, one, made));
}

/** A resource that is to be put, with what changes beside it. */
interface Made {
  readonly key: string;
  readonly thing: JsonObject;
  readonly expected: Change['expected'];
  readonly changes: readonly Change[];
}

const NONE: readonly Made[] = [];

/** @returns undefined where the body has none */
function givenThings({
  meaning,
  request,
}: Asked<CreateMeaning>): readonly JsonObject[] | undefined {
  const { given, isMany, resource } = meaning;
  // `POST /tokens` makes one of nothing.
  if (request.operation.body === undefined) return [{}];
  const body = request.body?.value;
  const value = body === undefined ? undefined : valueAt(body, given.path);
  if (value === undefined) return undefined;
  const items = isMany && Array.isArray(value) ? value : [value];
  const things = items.map((item) => unwrapAlone(item, given.form, resource));
  return things.every(isJsonObject) ? things : undefined;
}

function makeOne(
  asked: Asked<CreateMeaning>,
  given: JsonObject,
  made: readonly Made[],
): Awaitable<Made> {
  const { resource } = asked.meaning;
  const thing = withQuery(asked, given);
  setParents(asked, thing);
  setKeyOfPath(asked, thing);
  const key = ownKey(asked, thing);
  if (key !== undefined) {
    return after(keyBelowParents(asked, key), (kept) => putUnder(asked, thing, kept));
  }
  const taken = new Set(made.map((one) => one.key));
  return after(findFreeKey(asked, thing, taken), ({ value, text, changes }) => {
    const name = resource.key?.property?.value;
    const keyed: JsonObject = {};
    if (name !== undefined) setMember(keyed, name, value);
    for (const [member, one] of Object.entries(thing)) {
      if (member !== name) setMember(keyed, member, one);
    }
    const whole = makeWhole(asked, keyed, text, undefined);
    return { key: text, thing: whole, expected: 'absent', changes };
  });
}

/** What the body says goes before what the query says. */
function withQuery(asked: Asked, given: JsonObject): JsonObject {
  if (asked.request.parameters.length === 0) return { ...given };
  const queried: JsonObject = {};
  setFromQuery(asked, queried);
  return { ...queried, ...given };
}

/** The key that the client gives, unless it could never be shown. */
function ownKey({ material, meaning }: Asked, thing: JsonObject): string | undefined {
  const { resource } = meaning;
  const key = keyIn(resource, thing);
  const name = resource.key?.property?.value;
  const property = resource.serverSet.find((one) => one.name === name);
  if (key === undefined || name === undefined || property === undefined) return key;
  const schema = material.contract.schemas.schemaAt(property.pointer, 'response');
  return schema.check(getMember(thing, name) ?? null, 'body').length === 0 ? key : undefined;
}

function putUnder(asked: Asked<CreateMeaning>, thing: JsonObject, key: string): Awaitable<Made> {
  const put = (): Made => {
    const whole = makeWhole(asked, thing, key, undefined);
    return { key, thing: whole, expected: isRefused ? 'absent' : 'any', changes: [] };
  };
  const isRefused = refusesTaken(asked);
  if (!isRefused) return put();
  return after(asked.store.get(asked.place, key), (stored) => {
    if (stored === undefined) return put();
    throw new Problem(
      'RESOURCE_EXISTS',
      `${asked.meaning.resource.name} has ${key.slice(0, 80)} already`,
    );
  });
}

/** A document that declares 409 says that the same key twice is a conflict. */
function refusesTaken({ material, request }: Asked): boolean {
  return material.uniqueIds || request.operation.responses.all.some(({ key }) => key === '409');
}

function answerCreated(asked: Asked<CreateMeaning>, made: readonly Made[]): Outcome {
  const { place, request, meaning, material } = asked;
  const [first] = made;
  const { declaresGone } = material.factsOf(meaning.resource);
  const changes: Change[] = [];
  for (const { key, thing, expected } of made) {
    changes.push({ collection: place, key, expected, resource: thing });
  }
  for (const one of made) {
    changes.push(...one.changes);
    if (declaresGone) changes.push(forget(place, one.key));
  }
  const key = meaning.isMany ? undefined : first?.key;
  const effect = effectOf(asked, changes, key);
  const declared = chooseSuccess(request.operation, 'created');
  if (declared === undefined) return { answer: undefined, effect };
  const things = made.map(({ thing }) => thing);
  const identity = identityOf(asked, first?.key ?? '');
  const shown = showThings(asked, declared, things, identity);
  // Later sources answer as if nothing was created.
  const isUsual = declared.status === request.operation.responses.success?.status;
  const answer = shown ?? (isUsual ? undefined : answerBeside(asked, declared, identity));
  return { answer, effect };
}

function forget(place: string, key: string): Change {
  return { collection: DELETED, key: deletedKey(place, key), expected: 'any', resource: undefined };
}
