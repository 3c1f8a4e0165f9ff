import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import { quote } from '../../base/words.ts';
import { rankMediaTypes } from '../../http/media-type.ts';
import {
  type Collection,
  describeCollections,
  isShared,
  keyIn,
  keyTextsOf,
  locateCollection,
  markWritten,
  putAll,
} from '../../resources/collections.ts';
import { arrange, type KnownKeys, lacksKeys } from '../../resources/seed/arrange.ts';
import { checkResource } from '../../resources/seed/check-resource.ts';
import { nameByKey } from '../../resources/seed/make-key.ts';
import { type Change, findFirst, listAll, type Store, type Stored } from '../../state/store.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
  textResponse,
  unknownName,
} from '../call.ts';
import {
  chooseView,
  MOST_AT_ONCE,
  readPlace,
  readWholeState,
  streamState,
  tooMany,
} from './read-state.ts';

/** Operations on the stored resources: all, by collection and by key. */
export const stateOperations: ControlOperations = {
  /** Returns the state as JSON or, for `Accept: application/yaml`, as a fixture file. */
  async getState(call) {
    const { session, request, pipeline } = call;
    const [type] = rankMediaTypes(request.fields.get('accept'), [JSON_TYPE, YAML_TYPE]);
    if (type !== YAML_TYPE) {
      return jsonResponse(await readWholeState(session, pipeline.resources, chooseView(call)));
    }
    if (request.method === 'HEAD') return { status: 200, fields: { 'content-type': YAML_TYPE } };
    const stream = streamState(await session.copyState(), pipeline.resources);
    return textResponse(stream, YAML_TYPE);
  },
  /** Replaces the state as if the session had started with it; changes nothing if any is invalid. */
  async putState(call) {
    const { state } = call.session;
    const puts = Object.entries(call.members).flatMap(([name, value]) => {
      const found = findCollection(call, name);
      return putAll(found.name, readResources(call, found, value, toPointer([name])));
    });
    await state.replace('all', puts);
    publish(call);
    const { resources } = call.pipeline;
    return jsonResponse(await readWholeState(call.session, resources, chooseView(call)));
  },
  /** Adds resources, and replaces those with the same key. */
  async addState(call) {
    const { state } = call.session;
    const puts: Change[] = [];
    for (const [name, value] of Object.entries(call.members)) {
      const found = findCollection(call, name);
      const used = lacksKeys(value, found.type) ? await keysIn(state, found) : NONE;
      const known = { taken: NONE, used };
      const resources = readResources(call, found, value, toPointer([name]), known);
      for (const change of putAll(found.name, resources)) puts.push(change);
    }
    return commit(call, puts);
  },
  async clearState(call) {
    const { state } = call.session;
    const { resources } = call.pipeline;
    const marks = resources.all.filter(isShared).map(({ name }) => markWritten(name));
    const counts = await state.counts();
    const others = [...counts.keys()].filter((name) => !name.startsWith('$')).map(markWritten);
    await state.replace('all', [...marks, ...others]);
    return publish(call);
  },
  async getCollection(call) {
    const found = findCollection(call, call.path('collection'));
    const view = chooseView(call);
    if (found.type.kind === 'singleton') {
      const value = await readPlace(call.session.state, found, view);
      if (value === undefined) throw unknownResource(found, 'it');
      return jsonResponse(value);
    }
    const state = await view.open(call.session.state, found);
    const count = await state.count(found.name);
    const limit = call.number('limit');
    if (limit === undefined && count > MOST_AT_ONCE) throw tooMany(found.name, count);
    const range = { offset: call.number('offset') ?? 0, limit: limit ?? MOST_AT_ONCE };
    const listed = (await state.list(found.name, range)).map((stored) => view.show(found, stored));
    return { ...jsonResponse(listed), fields: { 'X-Total-Count': String(count) } };
  },
  async putCollection(call) {
    const found = findCollection(call, call.path('collection'));
    const { state } = call.session;
    const resources = readResources(call, found, call.body ?? null, '');
    await state.replace([found.name], putAll(found.name, resources));
    publish(call);
    return jsonResponse((await readPlace(state, found, chooseView(call))) ?? []);
  },
  async clearCollection(call) {
    const { name: place } = findCollection(call, call.path('collection'));
    await call.session.state.replace([place], [markWritten(place)]);
    return publish(call);
  },
  async getResource(call) {
    const found = await findResource(call);
    return jsonResponse(chooseView(call).show(found, found.stored));
  },
  async putResource(call) {
    const found = findCollection(call, call.path('collection'));
    const { type, name: place } = found;
    const { contract } = call.pipeline;
    const keys = keyTextsOf(call.path('key'));
    const known = await findFirst(call.session.state, place, keys);
    const usual = known?.key ?? keys[0];
    const check = (one: JsonObject) => checkResource(contract, type, one, '');
    const given = call.body ?? null;
    const body = isJsonObject(given) ? nameByKey(type, given, usual, check) : given;
    refuseViolations(checkResource(contract, type, body, ''));
    if (!isJsonObject(body)) throw new Problem('INVALID_REQUEST', 'body must be an object');
    const key = keyIn(type, body) ?? usual;
    if (!keys.includes(key)) {
      const property = type.key?.property?.value;
      throw new Problem('INVALID_REQUEST', `body/${property} differs from the key in the path`);
    }
    await commit(call, putAll(place, new Map([[key, body]])));
    const shown = chooseView(call).show(found, { key, resource: body });
    return jsonResponse(shown, known === undefined ? 201 : 200);
  },
  async removeResource(call) {
    const { name: place, stored } = await findResource(call);
    return commit(call, [remove(place, stored), markWritten(place)]);
  },
};

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';

const NONE: ReadonlySet<string> = new Set();

async function keysIn(store: Store, { name: place }: Collection): Promise<ReadonlySet<string>> {
  return new Set((await listAll(store, place)).map(({ key }) => key));
}

interface FoundResource extends Collection {
  readonly stored: Stored;
}

async function findResource(call: ControlCall): Promise<FoundResource> {
  const found = findCollection(call, call.path('collection'));
  const segment = call.path('key');
  const state = await chooseView(call).open(call.session.state, found);
  const stored = await findFirst(state, found.name, keyTextsOf(segment));
  if (stored === undefined) throw unknownResource(found, segment);
  return { ...found, stored };
}

function unknownResource({ name: place, type }: Collection, segment: string): Problem {
  return new Problem(
    'UNKNOWN_RESOURCE',
    type.kind === 'singleton'
      ? `${place} does not exist yet`
      : `${place} has no resource with the key ${quote(segment)}`,
  );
}

function findCollection({ pipeline: { resources } }: ControlCall, name: string): Collection {
  const found = locateCollection(resources, name);
  if (found !== undefined) return found;
  throw unknownName('UNKNOWN_COLLECTION', 'collection', name, describeCollections(resources));
}

/** Returns resources of a body by key. `known` has the keys that stay in the collection. */
function readResources(
  { pipeline: { contract } }: ControlCall,
  { type }: Collection,
  value: JsonValue,
  pointer: string,
  known?: KnownKeys,
): ReadonlyMap<string, JsonObject> {
  const isSingleton = type.kind === 'singleton';
  if (isSingleton ? !isJsonObject(value) : !Array.isArray(value)) {
    const expected = isSingleton ? 'an object, not a list' : 'an array of resources';
    throw new Problem('INVALID_REQUEST', `body${pointer} must be ${expected}`);
  }
  const { entries, violations, repeated } = arrange(value, type, contract, pointer, known);
  refuseViolations(violations);
  const [duplicate] = repeated;
  if (duplicate === undefined) return entries;
  throw new Problem(
    'RESOURCE_EXISTS',
    `body${duplicate.pointer} repeats the key ${duplicate.key.slice(0, 80)}`,
  );
}

const MOST_MESSAGES = 25;

function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const messages = violations.slice(0, MOST_MESSAGES).map(({ message }) => message);
  throw new Problem('INVALID_REQUEST', messages.join('; '), { violations });
}

async function commit(call: ControlCall, changes: readonly Change[]): Promise<ControlResponse> {
  if ((await call.session.state.commit(changes)) === undefined) {
    throw new Problem('STATE_BUSY', 'another request changed the state; try again');
  }
  return publish(call);
}

function publish(call: ControlCall): ControlResponse {
  const collection = call.path('collection');
  return call.publish('state', collection === '' ? {} : { collection });
}

function remove(collection: string, { key }: { readonly key: string }): Change {
  return { collection, key, expected: 'any', resource: undefined };
}
