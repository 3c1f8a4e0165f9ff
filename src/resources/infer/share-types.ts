import { groupBy, once } from '../../base/remember.ts';
import { plain, singularName } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import { type Fact, inferred, type Parent, type ResourceType } from '../resource.ts';
import { above, type PathShape } from '../shape/path-shape.ts';
import { namesItemOf } from '../shape/words.ts';
import { ALIKE } from '../shape/wrapping.ts';
import type { CollectionDraft, Draft } from './draft.ts';
import type { Family } from './families.ts';
import { findIdentifier } from './infer-key.ts';

export interface AssembledType {
  readonly draft: Draft;
  readonly type: ResourceType;
}

export type ServerSet = ResourceType['serverSet'];

/** @param find is called when the properties are first used: most types are never used */
export function createResource(parts: Omit<ResourceType, 'serverSet'>, find: () => ServerSet) {
  const serverSet = once(() => Object.freeze(find()));
  return Object.freeze({
    ...parts,
    get serverSet() {
      return serverSet();
    },
  });
}

/** Returns a type with other parts. */
export function changeType(type: ResourceType, parts: Partial<Omit<ResourceType, 'serverSet'>>) {
  const { name, kind, path, home, itemPath, key, parents, owners, schema, writtenSchema } = type;
  const own = { name, kind, path, home, itemPath, key, parents, owners, schema, writtenSchema };
  return createResource({ ...own, ...parts }, () => type.serverSet);
}

/**
 * Returns the type with the names that a path gives to its parameters: `{orderId}` in
 * `/orders/{orderId}/cancel` beside `/orders/{id}`.
 */
export function asNamedIn(path: PathShape | undefined, { draft, type }: AssembledType) {
  const [item] = draft.family.item?.values() ?? [];
  const own = (item?.path ?? draft.family.path).segments;
  const names = new Map(
    own.flatMap(({ kind, name }, index) => {
      const other = kind === 'parameter' ? path?.segments[index] : undefined;
      return other?.kind === 'parameter' && other.name !== name ? [[name, other.name]] : [];
    }),
  );
  if (names.size === 0) return type;
  const rename = (name: string): string => names.get(name) ?? name;
  const renamed = (template: string): string =>
    template.replaceAll(/\{([^{}]*)\}/g, (_, each: string) => `{${rename(each)}}`);
  return changeType(type, {
    path: renamed(type.path),
    home: type.home && renamed(type.home),
    key: type.key && { ...type.key, parameter: type.key.parameter && rename(type.key.parameter) },
    parents: type.parents.map((one) => ({ ...one, parameter: rename(one.parameter) })),
  });
}

type Types = ReadonlyMap<Family, AssembledType>;
/** Makes the resource type of a draft again. */
type Make = (draft: Draft) => AssembledType;

/**
 * Lets several paths show one collection: `/gardens/{gardenId}/plants` and `/plants`, if both have
 * the same resources.
 */
export function shareTypes(own: Types, make: Make): Types {
  return shareWithViews(shareAmongParents(own, make), make);
}

/**
 * Lets a collection below a parent share the collection above it, if both have the same schema and
 * a property names the parent.
 */
function shareAmongParents(own: Types, make: Make): Types {
  const groups = groupBy(own.values(), ({ draft }) => draft.shown?.identity ?? '');
  const tops = new Map<string, AssembledType>();
  for (const [identity, group] of groups) {
    const top = identity === '' ? undefined : group.find(isTop);
    if (top === undefined) continue;
    const others = group.filter((one) => isBelow(one, top)).map(({ draft }) => draft);
    tops.set(identity, others.length === 0 ? top : make(withWritten(top.draft, others)));
  }
  return new Map(
    [...own].map(([family, one]) => {
      const top = tops.get(one.draft.shown?.identity ?? '');
      if (top?.draft.family === family) return [family, top];
      const { parents } = one.type;
      return [family, top !== undefined && isBelow(one, top) ? shareType(one, top, parents) : one];
    }),
  );
}

/** Returns the draft with the request bodies of all its paths. */
function withWritten(draft: Draft, others: readonly Draft[]): Draft {
  return { ...draft, written: [...draft.written, ...others.flatMap(({ written }) => written)] };
}

function isTop({ type: { kind, parents, itemPath } }: AssembledType): boolean {
  return kind === 'collection' && parents.length === 0 && itemPath !== undefined;
}

function isBelow({ type: { kind, parents } }: AssembledType, top: AssembledType): boolean {
  return kind === 'collection' && parents.length > 0 && isNamed(parents, top);
}

/** Returns true if properties of the resources name all parents, none of which is their key. */
function isNamed(parents: readonly Parent[], { type: { key } }: AssembledType): boolean {
  return parents.every(
    ({ property }) => property !== undefined && property.value !== key?.property?.value,
  );
}

/**
 * Lets a path without items of its own show the resources of another path with the same last name:
 * `POST /boards/{boardId}/lists` those of `/lists/{id}`, `GET /pods` those of all namespaces.
 */
function shareWithViews(own: Types, make: Make): Types {
  const named = groupBy(own.values(), ({ draft: { family } }) => nameOf(family));
  const atPaths = groupBy(own.values(), ({ draft: { family } }) => placeOf(family));
  const byType = new Map([...own.values()].reverse().map((one) => [one.type.name, one]));
  const ownerOf: OwnerOf = ({ resource }) =>
    resource === undefined ? undefined : byType.get(resource);
  const views = [...own.values()].flatMap((one) => {
    const { family } = one.draft;
    const others = [...(named.get(nameOf(family)) ?? []), ...partedAt(family, atPaths)];
    return findView(one, others, make, ownerOf) ?? findNested(one, ownerOf) ?? [];
  });
  const shared = new Map(own);
  const renamed = new Map<string, string>();
  for (const [main, all] of groupBy(views, ({ main }) => main)) {
    const drafts = all.map(({ one }) => one.draft);
    const whole = make(withWritten(main.draft, drafts));
    // The path without parents has the best name.
    const top = all.find(({ one, parents }) => parents.length === 0 && !one.draft.family.item);
    const name = top?.one.type.name ?? main.type.name;
    renamed.set(main.type.name, name);
    shared.set(main.draft.family, shareType(whole, whole, whole.type.parents, name));
    for (const { one, parents } of all) {
      shared.set(one.draft.family, shareType(one, whole, parents, name));
    }
  }
  return renamed.size === 0
    ? shared
    : new Map([...shared].map(([family, one]) => [family, withParents(one, renamed)]));
}

/** Returns the collection of which a path lists a part: `/pets` for `/pets/owner/{ownerId}`. */
function partedAt(
  { root, path }: Family,
  atPaths: ReadonlyMap<string, readonly AssembledType[]>,
): readonly AssembledType[] {
  const [parameter, name] = path.segments.toReversed();
  if (parameter?.kind !== 'parameter' || name?.kind !== 'name') return [];
  return atPaths.get(placeOf({ root, path: above(above(path)) })) ?? [];
}

function placeOf({ root, path }: Pick<Family, 'root' | 'path'>): string {
  return `${root} ${path.key}`;
}

/** Returns the type with the names that its parents have now. */
function withParents(one: AssembledType, renamed: ReadonlyMap<string, string>): AssembledType {
  const nameNow = ({ resource = '' }: Parent) => renamed.get(resource);
  if (!one.type.parents.some(nameNow)) return one;
  const parents = one.type.parents.map((parent) => ({
    ...parent,
    resource: nameNow(parent) ?? parent.resource,
  }));
  return shareType(one, one, parents);
}

/** Returns the collection that a path shows, and its parents there; undefined for its own. */
function findView(
  one: AssembledType,
  others: readonly AssembledType[],
  make: Make,
  ownerOf: OwnerOf,
) {
  const { draft, type } = one;
  if (draft.kind === 'singleton') return undefined;
  const twin = others.find((each) => isTwin(one, each) && isMain(each, draft));
  if (twin !== undefined) return { one, main: twin, parents: type.parents };
  // Items that only change are those that the other path reads.
  if (draft.family.item?.has('GET') === true) return undefined;
  const alike = others.filter((each) => isMain(each, draft));
  const same = alike.filter(
    (each) => each.draft.shown?.identity === (draft.list?.item ?? draft.shown)?.identity,
  );
  const main = chooseMain(same.length > 0 ? same : alike);
  if (main === undefined || main.type.name === type.name) return undefined;
  const isBeside = main.type.parents.length === type.parents.length;
  const parents =
    parentsByOwner(type, main.type, ownerOf) ??
    (isBeside ? parentsOfCaller(draft, main) : parentsOfView(draft, main, make));
  return parents && { one, main, parents };
}

/** Returns the tasks that `/tasks/{id}/subtasks` shows: those whose `parent` is that one. */
function findNested(one: AssembledType, ownerOf: OwnerOf) {
  const { draft, type } = one;
  const [parent, ...others] = type.parents.toReversed();
  const main = parent && ownerOf(parent);
  const { shown } = draft;
  const key = main?.type.key?.property?.value;
  if (parent === undefined || main === undefined || shown === undefined || key === undefined)
    return undefined;
  if (draft.family.item !== undefined || shown.identity !== main.draft.shown?.identity)
    return undefined;
  const single = plain(singularName(main.draft.family.name));
  const words = ['', 'id', single, `${single}id`, plain(key)].map((end) => `parent${end}`);
  const name = [...shown.names].find((each) => words.includes(plain(each)));
  if (name === undefined || shown.property(name)?.isArray === true) return undefined;
  const isObject = shown.property(name)?.isObject === true;
  const property = inferred(isObject ? `${name}.${key}` : name, 'it is below one of its own kind');
  return { one, main, parents: [...others.toReversed(), { ...parent, property }] };
}

/** Returns true for `/pets` beside `/pet/{id}`, and for `/pet/{id}` beside all of `/pets`. */
function isTwin({ draft: view }: AssembledType, { draft: main }: AssembledType): boolean {
  const [own, other] = [view.family, main.family];
  const isBeside = own !== other && above(own.path).key === above(other.path).key;
  const isPart = own.collection === undefined && other.collection !== undefined;
  return isBeside && (own.item === undefined || isPart);
}

/** Returns the type of a parent's resources; undefined if they are unknown. */
type OwnerOf = (parent: Parent) => AssembledType | undefined;

/** Returns the only collection, or the one whose items have the only shortest path. */
function chooseMain(all: readonly AssembledType[]): AssembledType | undefined {
  const lengthOf = ({ draft }: AssembledType) => draft.family.path.segments.length;
  const shortest = Math.min(...all.map(lengthOf));
  const [main, other] = all.filter((one) => lengthOf(one) === shortest);
  return other === undefined ? main : undefined;
}

/**
 * Returns the parents of `/orgs/{org}/repos`, which shows those of `/repos/{owner}/{repo}` whose
 * `owner.login` is that of the organization.
 */
function parentsByOwner(view: ResourceType, main: ResourceType, ownerOf: OwnerOf) {
  const [[parent, second], [owner, other]] = [view.parents, main.parents];
  if (parent === undefined || second !== undefined || other !== undefined) return undefined;
  const [, identifier] = owner?.property?.value.split('.') ?? [];
  if (identifier === undefined || owner?.property === undefined) return undefined;
  return findIdentifier(ownerOf(parent)?.draft.shown) === undefined
    ? undefined
    : [{ ...parent, property: owner.property }];
}

/** `/me/albums` alone lists those of `/albums`: who calls has made them. */
function parentsOfCaller({ family }: Draft, { type: { parents } }: AssembledType) {
  const isListAlone = family.collection?.size === 1 && family.collection.has('GET');
  const isOfCaller = /^(?:@?me|self|my|viewer|(?:current-?)?user)$/i.test(
    family.path.segments.at(-2)?.name ?? '',
  );
  return isListAlone && isOfCaller && parents.length === 0 ? parents : undefined;
}

function nameOf({ root, name }: Family): string {
  return `${root} ${plain(singularName(name))}`;
}

/** Returns true for a collection with items, which are like those of another one. */
function isMain({ draft, type }: AssembledType, view: CollectionDraft): boolean {
  if (draft.kind === 'singleton' || type.itemPath === undefined) return false;
  const item = view.list?.item ?? view.shown;
  return likeness(item, draft.shown) >= ALIKE || item?.identity === draft.list?.item.identity;
}

/**
 * Returns the parents of a path that shows the resources of another one.
 *
 * @returns undefined if it shows others: who belongs to whom would be unknown
 */
function parentsOfView(view: CollectionDraft, main: AssembledType, make: Make) {
  const { draft, type } = main;
  const isCreatedThere = draft.kind === 'collection' && draft.created !== undefined;
  const shared = sharedParents(view.family.path, draft.family.path);
  const { shown, written } = draft;
  // The name tells which property is the key of what it shows.
  const family = { ...view.family, name: draft.family.name };
  const { parents } = make({ ...view, family, shown, written }).type;
  if (isNamed(parents, main)) return isNamed(type.parents, main) ? parents : undefined;
  // `/shops/{shop}/beds/{bed}/plants` lists those of `/shops/{shop}/plants` that name the bed.
  const added = shared === type.parents.length ? parents.slice(shared) : [];
  if (added.length > 0 && isNamed(added, main)) return [...type.parents, ...added];
  const [parent, second] = parents;
  const isListAlone = view.list !== undefined && view.family.collection?.size === 1;
  if (parent !== undefined && second === undefined && isListAlone && isTop(main)) {
    const property = findListOf(parent, draft.shown);
    return property && [{ ...parent, property, isMany: true }];
  }
  if (shared !== type.parents.length || isCreatedThere || view.created === undefined)
    return undefined;
  const all = parents.map((parent, index) => {
    const { property } = type.parents[index] ?? { property: parent.property ?? unnamed(parent) };
    return { ...parent, property };
  });
  const isFree = all.every(
    ({ property }, index) =>
      parents[index]?.property !== undefined ||
      property === undefined ||
      draft.shown?.names.has(property.value) !== true,
  );
  return isFree ? all : undefined;
}

/** Returns `projects.id`, or `projects` for a list of keys, of what `/projects/{id}` shows. */
function findListOf({ parameter, resource }: Parent, shown: SchemaNode | undefined) {
  const family = resource?.split('/').at(-1) ?? '';
  const list = [...(shown?.names ?? [])].find(
    (one) => shown?.property(one)?.isArray === true && namesItemOf(one, family),
  );
  const item = list === undefined ? undefined : shown?.property(list)?.items;
  if (list === undefined || item === undefined || family === '') return undefined;
  const reason = `the path has ${parameter}`;
  if (!item.isObject) return inferred(list, reason);
  const word = plain(parameter).replace(plain(singularName(family)), '');
  const key = item.singles.like(word === '' ? 'id' : word);
  return key === undefined ? undefined : inferred(`${list}.${key}`, reason);
}

/** Returns how many parameters two paths have in common, from the first on. */
function sharedParents(one: PathShape, other: PathShape): number {
  const end = one.segments.findIndex(({ kind, name }, index) => {
    const own = other.segments[index];
    return own?.kind !== kind || (kind !== 'parameter' && own.name !== name);
  });
  const common = end < 0 ? one.segments : one.segments.slice(0, end);
  return common.filter(({ kind }) => kind === 'parameter').length;
}

/** Returns the path of a collection with the parameter names of a path that shows a part of it. */
function homeOf(view: string, main: string): string {
  const names = [...view.matchAll(/\{[^{}]*\}/g)].map(([name]) => name);
  return main.replaceAll(/\{[^{}]*\}/g, (name) => names.shift() ?? name);
}

/** Returns a property that is stored with the resource, although no schema has it. */
function unnamed({ parameter, resource }: Parent): Fact<string> {
  const isGeneral = /^(?:id|key|uuid|name|slug|code)$/i.test(parameter);
  const name = isGeneral ? `${singularName(resource ?? 'parent')}Id` : parameter;
  return inferred(name, 'the path has it, and no property');
}

/** Returns the shared type, as one of its paths shows it. */
function shareType(
  { draft, type }: AssembledType,
  { type: main }: AssembledType,
  parents: readonly Parent[],
  name = main.name,
): AssembledType {
  const { kind, path } = type;
  const key = main.key && { ...main.key, parameter: type.key?.parameter ?? main.key.parameter };
  const itemPath = type.itemPath ?? main.itemPath;
  const home = path === main.path ? main.home : homeOf(path, main.path);
  return { draft, type: changeType(main, { name, kind, path, home, parents, key, itemPath }) };
}
