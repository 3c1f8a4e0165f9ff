import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../json/value.ts';
import { Problem, type Violation } from '../problem.ts';
import { createMemoryStore } from '../state/memory-store.ts';
import { type CreateAction, keyOf } from '../state/resources.ts';
import type { Collection } from '../state/store.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
  DONE,
} from './call.ts';

/** What requests have created: whole, by collection and by key. */
export const stateOperations: ControlOperations = {
  getState: (call) => answerJson(readState(call)),
  putState,
  clearState(call) {
    call.session.state.clear();
    return changed(call);
  },
  getCollection: (call) => answerJson([...findCollection(call).collection.list()]),
  putCollection,
  clearCollection(call) {
    findCollection(call).collection.clear();
    return changed(call);
  },
  getResource: (call) => answerJson(findResource(call).resource),
  putResource,
  removeResource(call) {
    const { collection, key } = findResource(call);
    collection.delete(key);
    return changed(call);
  },
};

function changed(call: ControlCall, answer: ControlAnswer = DONE): ControlAnswer {
  const collection = call.path('collection');
  call.publish('state', () => (collection === '' ? {} : { collection }));
  return answer;
}

/** The resources as they were stored, to the last digit. */
function readState({ session, serving }: ControlCall): JsonObject {
  const all: JsonObject = {};
  for (const name of serving.resources.names) {
    setMember(all, name, [...session.state.collection(name).list()]);
  }
  return all;
}

/** Nothing changes unless all of them conform to what a create has to keep. */
function putState(call: ControlCall): ControlAnswer {
  const { state } = call.session;
  const next = Object.entries(call.members).map(([name, list]) => {
    const action = findAction(call, name);
    return [name, arrange(list, action, `/${name}`)] as const;
  });
  state.clear();
  for (const [name, resources] of next) fill(state.collection(name), resources);
  return changed(call, answerJson(readState(call)));
}

function putCollection(call: ControlCall): ControlAnswer {
  const { action, collection } = findCollection(call);
  const resources = arrange(call.body ?? [], action, '');
  collection.clear();
  fill(collection, resources);
  return changed(call, answerJson([...collection.list()]));
}

/** @throws {Problem} by what is wrong with the resource, or with its key */
function putResource(call: ControlCall): ControlAnswer {
  const { action, collection } = findCollection(call);
  const body = call.body ?? null;
  refuseViolations([...action.schema.check(body, 'body')]);
  if (!isJsonObject(body)) throw new Problem('INVALID_REQUEST', 'body must be an object');
  const key = keyToPut(call.path('key'), body, action, collection);
  const isNew = !collection.has(key);
  collection.put(key, body);
  return changed(call, answerJson(body, isNew ? 201 : 200));
}

function keyToPut(
  segment: string,
  body: JsonObject,
  action: CreateAction,
  collection: Collection,
): string {
  const keys = keysOf(segment);
  const own = action.key === undefined ? undefined : getMember(body, action.key);
  if (own === undefined) return keys.find((key) => collection.has(key)) ?? keys[0];
  const key = keyOf(body, action, collection);
  if (keys.includes(key)) return key;
  throw new Problem('INVALID_REQUEST', `body/${action.key} is not the key of the path`);
}

/** Resources by their keys, in their order. */
type Arranged = ReadonlyMap<string, JsonObject>;

/**
 * Holds a list of resources to the schema that a create has to keep.
 *
 * @param pointer of the list in the body
 * @throws {Problem} by what is wrong with it
 */
function arrange(list: JsonValue, action: CreateAction, pointer: string): Arranged {
  const values = Array.isArray(list) ? list : [];
  refuseViolations(
    values.flatMap((value, index) => [
      ...action.schema.check(value, 'body', `${pointer}/${index}`),
    ]),
  );
  const scratch = createMemoryStore().collection(action.collection);
  const arranged = new Map<string, JsonObject>();
  for (const [index, resource] of values.filter(isJsonObject).entries()) {
    const key = keyOf(resource, action, scratch);
    if (arranged.has(key)) {
      throw new Problem(
        'RESOURCE_EXISTS',
        `body${pointer}/${index} has the key ${key} of one before it`,
      );
    }
    scratch.put(key, resource);
    arranged.set(key, resource);
  }
  return arranged;
}

function fill(collection: Collection, resources: Arranged): void {
  for (const [key, resource] of resources) collection.put(key, resource);
}

const MOST_TOLD = 25;

function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const told = violations.slice(0, MOST_TOLD).map(({ message }) => message);
  throw new Problem('INVALID_REQUEST', told.join('; '), { violations });
}

interface FoundCollection {
  readonly action: CreateAction;
  readonly collection: Collection;
}

function findCollection(call: ControlCall): FoundCollection {
  const name = call.path('collection');
  return { action: findAction(call, name), collection: call.session.state.collection(name) };
}

const NUMBER = /^-?(?:0|[1-9]\d*)$/;

/** Keys are JSON texts: a segment may be that of a number, or of a string without its quotes. */
function keysOf(segment: string): readonly [string, ...string[]] {
  const quoted = JSON.stringify(segment);
  return NUMBER.test(segment) ? [segment, quoted] : [quoted, segment];
}

interface FoundResource {
  readonly collection: Collection;
  readonly key: string;
  readonly resource: JsonObject;
}

function findResource(call: ControlCall): FoundResource {
  const { collection } = findCollection(call);
  const segment = call.path('key');
  for (const key of keysOf(segment)) {
    const resource = collection.get(key);
    if (resource !== undefined) return { collection, key, resource };
  }
  throw new Problem(
    'UNKNOWN_RESOURCE',
    `${call.path('collection')} has no resource with the key ${JSON.stringify(segment.slice(0, 80))}`,
  );
}

function findAction({ serving: { resources } }: ControlCall, name: string): CreateAction {
  const action = resources.collection(name);
  if (action !== undefined) return action;
  const names = resources.names.join(', ');
  throw new Problem(
    'UNKNOWN_COLLECTION',
    `there is no collection ${JSON.stringify(name.slice(0, 80))}, ` +
      (names === '' ? 'the document creates nothing' : `there is ${names}`),
  );
}
