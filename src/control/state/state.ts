import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { rankMediaTypes } from '../../http/accept.ts';
import {
  type FoundPlace,
  isWhole,
  keyIn,
  keyTextsOf,
  markTouched,
} from '../../resources/collections.ts';
import { lacksKeys } from '../../resources/seed/arrange.ts';
import { checkKept } from '../../resources/seed/kept.ts';
import { nameByKey } from '../../resources/seed/make-key.ts';
import { listAll } from '../../state/list-all.ts';
import type { Change, Store, Stored } from '../../state/store.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from '../call.ts';
import { commit, put, putAll, remove, removeAll, removePlace } from './change-state.ts';
import { streamState } from './export-state.ts';
import { arrangeGiven, findNamed, refuseViolations } from './given-state.ts';
import { MOST_AT_ONCE, readPlace, readStill, showAll, tooMany } from './read-state.ts';

/** What is stored: whole, by collection and by key. */
export const stateOperations: ControlOperations = {
  getState,
  putState,
  addState,
  clearState,
  getCollection,
  putCollection,
  clearCollection,
  getResource: async (call) => answerJson((await findResource(call)).stored.resource),
  putResource,
  async removeResource(call) {
    const { place, stored } = await findResource(call);
    await commit(call.session.state, [remove(place, stored), markTouched(place)]);
    return changed(call);
  },
};

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

/** As JSON, to be read by a program, or as a fixture file, to begin with. */
async function getState(call: ControlCall): Promise<ControlAnswer> {
  const { session, request, serving } = call;
  const [type] = rankMediaTypes(request.fields.get('accept'), [JSON_TYPE, YAML_TYPE]);
  if (type !== YAML_TYPE) return answerJson(await readStill(session, serving.resources));
  if (request.method === 'HEAD') return { status: 200, headers: { 'content-type': YAML_TYPE } };
  const stream = streamState(await session.copyState(), serving.resources);
  return { status: 200, content: { kind: 'stream', stream, mediaType: YAML_TYPE } };
}

/**
 * The session goes on as if it had begun with this. Nothing changes unless all of it may be kept.
 */
async function putState(call: ControlCall): Promise<ControlAnswer> {
  const { state } = call.session;
  const puts = Object.entries(call.members).flatMap(([name, value]) => {
    const found = findNamed(call, name);
    return putAll(found, arrangeGiven(call, found, value, toPointer([name])));
  });
  await commit(state, [...(await removeAll(state)), ...puts]);
  return changed(call, answerJson(await readStill(call.session, call.serving.resources)));
}

/** What has the same key is replaced, all else stays. */
async function addState(call: ControlCall): Promise<ControlAnswer> {
  const { state } = call.session;
  const puts: Change[] = [];
  for (const [name, value] of Object.entries(call.members)) {
    const found = findNamed(call, name);
    const used = lacksKeys(value, found.resource) ? await keysIn(state, found) : NONE;
    const known = { taken: NONE, used };
    const arranged = arrangeGiven(call, found, value, toPointer([name]), known);
    for (const change of putAll(found, arranged)) puts.push(change);
  }
  await commit(state, puts);
  return changed(call);
}

const NONE: ReadonlySet<string> = new Set();

async function keysIn(store: Store, { place }: FoundPlace): Promise<ReadonlySet<string>> {
  return new Set((await listAll(store, place)).map(({ key }) => key));
}

async function clearState(call: ControlCall): Promise<ControlAnswer> {
  const { state } = call.session;
  const { resources } = call.serving;
  const marks = resources.all.filter(isWhole).map(({ name }) => markTouched(name));
  const counts = await state.counts();
  const others = [...counts.keys()].filter((name) => !name.startsWith('$')).map(markTouched);
  await commit(state, [...(await removeAll(state)), ...marks, ...others]);
  return changed(call);
}

async function getCollection(call: ControlCall): Promise<ControlAnswer> {
  const found = findNamed(call, call.path('collection'));
  const { state } = call.session;
  if (found.resource.kind === 'singleton') {
    const value = await readPlace(state, found);
    if (value === undefined) throw unknownResource(found, 'it');
    return answerJson(value);
  }
  const count = await state.count(found.place);
  const limit = call.number('limit');
  if (limit === undefined && count > MOST_AT_ONCE) throw tooMany(found.place, count);
  const range = { offset: call.number('offset') ?? 0, limit: limit ?? MOST_AT_ONCE };
  const value = showAll(await state.list(found.place, range));
  return { ...answerJson(value), headers: { 'X-Total-Count': String(count) } };
}

async function putCollection(call: ControlCall): Promise<ControlAnswer> {
  const found = findNamed(call, call.path('collection'));
  const { state } = call.session;
  const arranged = arrangeGiven(call, found, call.body ?? null, '');
  const gone = await removePlace(state, found.place);
  await commit(state, [...gone, ...putAll(found, arranged)]);
  return changed(call, answerJson((await readPlace(state, found)) ?? []));
}

async function clearCollection(call: ControlCall): Promise<ControlAnswer> {
  const { place } = findNamed(call, call.path('collection'));
  const { state } = call.session;
  await commit(state, [...(await removePlace(state, place)), markTouched(place)]);
  return changed(call);
}

/** @throws {Problem} by what is wrong with the resource, or with its key */
async function putResource(call: ControlCall): Promise<ControlAnswer> {
  const found = findNamed(call, call.path('collection'));
  const { resource, place } = found;
  const { contract, session } = { ...call.serving, session: call.session };
  const keys = keyTextsOf(call.path('key'));
  const known = await findFirst(session.state, place, keys);
  const usual = known?.key ?? keys[0];
  const check = (one: JsonObject) => checkKept(contract, resource, one, '');
  const given = call.body ?? null;
  const body = isJsonObject(given) ? nameByKey(resource, given, usual, check) : given;
  refuseViolations(checkKept(contract, resource, body, ''));
  if (!isJsonObject(body)) throw new Problem('INVALID_REQUEST', 'body must be an object');
  const key = keyIn(resource, body) ?? usual;
  if (!keys.includes(key)) {
    const property = resource.key?.property?.value;
    throw new Problem('INVALID_REQUEST', `body/${property} is not the key of the path`);
  }
  await commit(session.state, [put(place, key, body)]);
  return changed(call, answerJson(body, known === undefined ? 201 : 200));
}

interface FoundResource extends FoundPlace {
  readonly stored: Stored;
}

/** @throws {Problem} UNKNOWN_RESOURCE */
async function findResource(call: ControlCall): Promise<FoundResource> {
  const found = findNamed(call, call.path('collection'));
  const segment = call.path('key');
  const stored = await findFirst(call.session.state, found.place, keyTextsOf(segment));
  if (stored === undefined) throw unknownResource(found, segment);
  return { ...found, stored };
}

/** A segment may be the key of a number, or of a text without its quotes. */
async function findFirst(
  store: Store,
  place: string,
  keys: readonly string[],
): Promise<Stored | undefined> {
  for (const key of keys) {
    const stored = await store.get(place, key);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

function unknownResource({ place, resource }: FoundPlace, segment: string): Problem {
  return new Problem(
    'UNKNOWN_RESOURCE',
    resource.kind === 'singleton'
      ? `nobody has written to ${place}`
      : `${place} has no resource with the key ${JSON.stringify(segment.slice(0, 80))}`,
  );
}

function changed(call: ControlCall, answer: ControlAnswer = DONE): ControlAnswer {
  const collection = call.path('collection');
  call.publish('state', () => (collection === '' ? {} : { collection }));
  return answer;
}
