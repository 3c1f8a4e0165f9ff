import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { toText } from '../../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { once, remember } from '../../base/remember.ts';
import { plain } from '../../base/words.ts';
import { collectionOf, hasBeenWritten, keyIn, readKey } from '../../resources/collections.ts';
import type { MemberPath } from '../../resources/meaning.ts';
import type { Relation, Relations, Showing } from '../../resources/relations.ts';
import { valueAt, wrapInMembers } from '../../resources/wrapping.ts';
import { writeResource } from '../../state/resource-text.ts';
import { listAll, type Stored } from '../../state/store.ts';
import { findNamed } from './find-stored.ts';
import { isOfParents } from './path-keys.ts';
import { isKey } from './refer.ts';
import type { StateRequest } from './state-request.ts';

/**
 * Returns the resource as a response shows it: with those below it, or their number, and with the
 * resources that it names by their keys, where the schema has no place for a key alone, and where
 * the request asks to expand them.
 */
export function expand(
  request: StateRequest,
  resource: JsonObject,
  { lists, wanted } = beginAll(request),
): Awaitable<JsonObject> {
  const { relations, showings } = request.facts;
  const whole =
    showings().length === 0 ? resource : showBelow(request, resource, showings(), lists);
  if (relations().size === 0) return whole;
  return after(whole, (value) =>
    expandMembers({ request, depth: 0, wanted: wanted() }, value, relations()),
  );
}

/** Returns what all resources of a response have in common. */
function beginAll(request: StateRequest) {
  const lists: Lists = new Map();
  return { lists, wanted: once(() => wantedIn(request)) };
}

type Common = ReturnType<typeof beginAll>;

/** Returns the items of a list, expanded. */
export function expandAll(
  request: StateRequest,
  items: readonly Stored[],
): Awaitable<readonly Stored[]> {
  if (isWhole(request)) return items;
  const common = beginAll(request);
  return afterEach(items, (stored) => expandStored(request, stored, common));
}

/** Returns a stored resource, expanded, with its text; the same one if nothing is added to it. */
export function expandStored(
  request: StateRequest,
  stored: Stored,
  common?: Common,
): Awaitable<Stored> {
  if (isWhole(request)) return stored;
  return after(expand(request, stored.resource, common), (resource) => {
    if (resource === stored.resource) return stored;
    const { key, version } = stored;
    return { key, resource, version, text: `${writeResource(resource)}\n${key}` };
  });
}

/** Returns true if nothing is ever added to a resource of the type. */
function isWhole({ facts }: StateRequest): boolean {
  const { relations, showings } = facts;
  return relations().size === 0 && showings().length === 0;
}

/** The resources of collections below what a request shows, so that a list reads each once. */
type Lists = Map<string, Awaitable<readonly Stored[]>>;

/** Nothing below is shown of a larger collection: a read would look at all of it. */
const MOST_SHOWN = 1000;

/** Returns a resource with those below it, or their number, in collections that were written. */
function showBelow(
  request: StateRequest,
  resource: JsonObject,
  showings: readonly Showing[],
  lists: Lists,
): Awaitable<JsonObject> {
  const { meaning, store, pathParameters } = request;
  const key = keyIn(meaning.type, resource);
  if (key === undefined) return resource;
  const shown = afterEach(showings, ({ child, parent, property, isCount, isGiven }) => {
    const below = new Map(pathParameters).set(parent.parameter, toText(readKey(key)));
    if (child.parents.some(({ parameter }) => !below.has(parameter))) return undefined;
    const name = collectionOf(child, below);
    const path = { meaning: { type: child }, pathParameters: below };
    return after(hasBeenWritten(store, name), (isWritten) => {
      if (!isWritten) return undefined;
      return after(store.count(name), (total) => {
        if (isCount && parent.property === undefined) return [property, total] as const;
        if (total > MOST_SHOWN) return undefined;
        const list = remember(lists, name, () => listAll(store, name));
        return after(list, (all) => {
          const resources = all.map((one) => one.resource);
          const own = resources.filter((one) => isOfParents(path, one));
          const given = isGiven ? [getMember(resource, property) ?? []].flat() : [];
          return [property, isCount ? own.length : [...given, ...own]] as const;
        });
      });
    });
  });
  return after(shown, (all) => {
    const members = all.filter((one) => one !== undefined);
    return members.length === 0 ? resource : { ...resource, ...Object.fromEntries(members) };
  });
}

interface Expansion {
  readonly request: StateRequest;
  readonly depth: number;
  readonly wanted: readonly MemberPath[];
}

/** A resource that needs another that needs the first would never end. */
const DEEPEST = 3;

function expandMembers(
  expansion: Expansion,
  value: JsonObject,
  relations: Relations,
): Awaitable<JsonObject> {
  const all = afterEach([...relations], ([name, relation]) => {
    const member = getMember(value, name) ?? keyBeside(value, name, relation);
    if (member === undefined || member === null) return [];
    const rest = expansion.wanted.filter(([first]) => first === name).map((path) => path.slice(1));
    return after(expandValue({ ...expansion, wanted: rest }, member, relation), (shown) =>
      shown === member ? [] : [[name, shown] as const],
    );
  });
  return after(all, (shown) => {
    const members = shown.flat();
    return members.length === 0 ? value : { ...value, ...Object.fromEntries(members) };
  });
}

/** Returns the key of `author` that a client gives as `authorId`. */
function keyBeside(value: JsonObject, name: string, { needsObject, list }: Relation) {
  if (!needsObject || list !== undefined) return undefined;
  const key = getMember(value, `${name}_id`) ?? getMember(value, `${name}Id`);
  return key !== undefined && isKey(key) ? key : undefined;
}

function expandValue(expansion: Expansion, value: JsonValue, relation: Relation) {
  const { list } = relation;
  if (list === undefined) return expandOne(expansion, value, relation);
  const items = Array.isArray(value) ? value : valueAt(value, list);
  if (!Array.isArray(items)) return value;
  const wanted = list.length === 0 ? expansion.wanted : below(expansion.wanted, list);
  const shown = afterEach(items, (item) => expandOne({ ...expansion, wanted }, item, relation));
  return after(shown, (all): JsonValue => {
    if (Array.isArray(value)) return wrapInMembers([...all], list);
    return isJsonObject(value) ? { ...value, [list[0] ?? '']: [...all] } : value;
  });
}

/** Returns the rests of the paths that lead through a member. */
function below(paths: readonly MemberPath[], through: MemberPath): readonly MemberPath[] {
  return paths
    .filter((path) => through.every((name, at) => path[at] === name))
    .map((path) => path.slice(through.length));
}

function expandOne(
  expansion: Expansion,
  value: JsonValue,
  relation: Relation,
): Awaitable<JsonValue> {
  const { target, needsObject, inside } = relation;
  if (isJsonObject(value))
    return inside.size === 0 ? value : expandMembers(expansion, value, inside);
  const isShown = needsObject || expansion.wanted.length > 0;
  if (target === undefined || !isShown || !isKey(value) || expansion.depth >= DEEPEST) return value;
  const { request } = expansion;
  return after(findNamed(request, target, value), (found) => {
    if (found === undefined) return value;
    const inner = { ...expansion, depth: expansion.depth + 1 };
    return expandMembers(inner, found, request.material.factsOf(target).relations());
  });
}

/** Returns the paths that a request asks to expand, by `?expand=author,comments.author`. */
function wantedIn({ parameters, body, meaning }: StateRequest): readonly MemberPath[] {
  const ofBody = isJsonObject(body?.value) ? Object.entries(body.value) : [];
  const ofQuery = parameters.map(({ name, value }) => [name, value] as const);
  const texts = [...ofQuery, ...ofBody]
    .filter(([name]) => EXPAND.test(plain(name)))
    .flatMap(([, value]) => [value ?? []].flat())
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []));
  const paths = texts.map((text) => text.trim().split('.'));
  const list = meaning.kind === 'list' ? meaning.envelope.path : [];
  return list.length === 0 ? paths : [...paths, ...below(paths, list)];
}

const EXPAND = /^(?:expand|embed|populate)$/;
