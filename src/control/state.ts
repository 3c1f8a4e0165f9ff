import { isUtf8 } from 'node:buffer';
import type { Serving } from '../handle.ts';
import type { WireBody } from '../http/message.ts';
import { JsonError, parseJson } from '../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json/value.ts';
import { Problem, type Violation } from '../problem.ts';
import { createMemoryStore } from '../state/memory-store.ts';
import { type CreateAction, keyOf, type Resources } from '../state/resources.ts';

type StateOwner = Serving & { readonly resources: Resources };

/**
 * @param name of a collection; without it, all of them
 * @returns the resources as they were stored, to the last digit
 * @throws {Problem} UNKNOWN_COLLECTION
 */
export function readState(owner: StateOwner, name?: string): JsonValue {
  const { state } = owner.session;
  if (name !== undefined) {
    findCollection(owner, name);
    return [...state.collection(name).list()];
  }
  const all: JsonObject = {};
  for (const one of owner.resources.names) setMember(all, one, [...state.collection(one).list()]);
  return all;
}

/**
 * Puts a list of resources in place of what a collection holds; nothing changes unless all of
 * them conform to the schema that a create has to keep.
 *
 * @throws {Problem} by what is wrong with the list
 */
export function replaceState(owner: StateOwner, name: string, body: WireBody): JsonValue {
  const action = findCollection(owner, name);
  const resources = readResources(body, action);
  const next = createMemoryStore().collection(name);
  for (const [index, resource] of resources.entries()) {
    const key = keyOf(resource, action, next);
    if (next.has(key)) {
      throw new Problem('RESOURCE_EXISTS', `body/${index} has the key ${key} of one before it`);
    }
    next.put(key, resource);
  }
  const collection = owner.session.state.collection(name);
  collection.clear();
  for (const resource of resources) collection.put(keyOf(resource, action, collection), resource);
  return [...collection.list()];
}

/** @param name of a collection; without it, all of them are emptied */
export function clearState(owner: StateOwner, name?: string): void {
  const { state } = owner.session;
  if (name === undefined) {
    state.clear();
  } else {
    findCollection(owner, name);
    state.collection(name).clear();
  }
}

function findCollection({ resources }: StateOwner, name: string): CreateAction {
  const action = resources.collection(name);
  if (action !== undefined) return action;
  const names = resources.names.join(', ');
  throw new Problem(
    'UNKNOWN_COLLECTION',
    `there is no collection ${JSON.stringify(name.slice(0, 80))}, ` +
      (names === '' ? 'the document creates nothing' : `there is ${names}`),
  );
}

function readResources(body: WireBody, action: CreateAction): readonly JsonObject[] {
  const value = readBody(body);
  if (!Array.isArray(value)) {
    throw new Problem('INVALID_REQUEST', 'body must be an array of resources');
  }
  const violations: Violation[] = value.flatMap((resource, index) => [
    ...action.schema.check(resource, 'body', `/${index}`),
  ]);
  if (violations.length > 0) {
    const told = violations.slice(0, 25).map(({ message }) => message);
    throw new Problem('INVALID_REQUEST', told.join('; '), { violations });
  }
  return value.filter(isJsonObject);
}

function readBody(body: WireBody): JsonValue {
  if (body === 'too-large') throw new Problem('BODY_TOO_LARGE', 'body is larger than the limit');
  if (!isUtf8(body)) throw new Problem('INVALID_UTF8', 'body must be UTF-8, and it is not');
  try {
    return parseJson(
      Buffer.from(body)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Problem('MALFORMED_JSON', `body is not taken: ${error.message}`);
  }
}
