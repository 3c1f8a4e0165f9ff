import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { SINGLETON_KEY } from '../../resources/collections.ts';
import { placeholderResource } from './placeholder.ts';
import { type StateRequest, toStateRequest } from './state-request.ts';

/**
 * Returns the resource that `GET /me` shows; undefined if the document has none, or if a resource of
 * this type says nothing of the caller.
 */
export function findCaller(request: StateRequest): Awaitable<JsonObject | undefined> {
  const { material, meaning, call, store } = request;
  if (!meaning.type.serverSet.some(({ role }) => role.value === 'caller')) return undefined;
  const me = material.resources.caller();
  if (me === undefined) return undefined;
  const own = toStateRequest(material, me, request, call, store);
  return after(
    store.get(own.collection, SINGLETON_KEY),
    (stored) => stored?.resource ?? placeholderResource(own, SINGLETON_KEY),
  );
}

/** Returns the forms in which a resource may show the caller: as an object, or as a key. */
export function formsOfCaller(
  caller: JsonObject | undefined,
  usual: JsonValue | undefined,
): readonly JsonValue[] {
  if (caller === undefined) return [];
  if (usual === undefined || !isJsonObject(usual)) return [getMember(caller, 'id') ?? null];
  const members = Object.entries(usual).map(([name, value]) => [name, caller[name] ?? value]);
  return [Object.fromEntries(members)];
}
