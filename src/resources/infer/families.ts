import { groupBy, keepLast, once, remember } from '../../base/remember.ts';
import { isPlural, singularName } from '../../base/words.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import { likeness } from '../../schema/schema-node.ts';
import type { Overrides } from '../override/overrides.ts';
import { readCalls } from '../shape/call.ts';
import { findEnvelope } from '../shape/envelope.ts';
import { createOperationReader, type OperationShape } from '../shape/operation-shape.ts';
import {
  above,
  createTemplateReader,
  lastName,
  type PathShape,
  placeKey,
  shapeOf,
} from '../shape/path-shape.ts';
import { isNamedAction } from '../shape/words.ts';
import { findWrapping, RELATED } from '../shape/wrapping.ts';
import { type Methods, Places } from './places.ts';

/** A path that ends in a name, with the path that has one parameter more: possibly a collection. */
export interface Family {
  readonly root: Place;
  /**
   * The path of the collection. If it has no operations, the item's path without its last segment.
   */
  readonly path: PathShape;
  /** The last name of the path. */
  readonly name: string;
  readonly collection: Methods | undefined;
  readonly item: Methods | undefined;
}

/** The families of a contract. What an operation takes and returns is read when it is needed. */
export interface Families {
  readonly contract: Contract;
  readonly overrides: Overrides;
  /** Returns all families in the order of the document. It reads what many operations return. */
  all(): readonly Family[];
  /** Returns the shapes of all operations without a fault. */
  shapes(): ReadonlyMap<Operation, OperationShape>;
  /** Returns the shape of an operation; undefined for one with a fault. */
  shapeOf(operation: Operation): OperationShape | undefined;
  /** Returns the shapes of all operations with the path of one. */
  shapesBeside(operation: Operation): readonly OperationShape[];
  /** Returns the family whose collection has this path. */
  find(root: Place, path: PathShape): Family | undefined;
  /** Returns true if a family comes before another in the document. */
  isBefore(one: Family, other: Family): boolean;
}

export function arrangeFamilies(contract: Contract, overrides: Overrides): Families {
  const { operations } = contract;
  const pathOf = createPathReader(contract);
  const read = createOperationReader(contract, overrides);
  const named = readCalls(operations.map((one) => read(one, pathOf(one))));
  const keys = new Map(named.map((shape) => [shape.operation, shape.placeKey]));
  const places = new Places(named);
  const finder = new FamilyFinder(places);
  const shapesBeside = (operation: Operation) => places.shapesAt(keys.get(operation) ?? '');
  const shapeOf = (operation: Operation) =>
    shapesBeside(operation).find((one) => one.operation === operation);
  const shapes = once(() => {
    const sound = operations.flatMap((one) => shapeOf(one) ?? []);
    return new Map(sound.map((shape) => [shape.operation, shape]));
  });
  return {
    contract,
    overrides,
    all: once(() => finder.findAll()),
    shapes,
    shapeOf,
    shapesBeside,
    find: (root: Place, path: PathShape) => finder.find(placeKey(root, path)),
    isBefore: (one, other) => finder.orderOf(one) < finder.orderOf(other),
  };
}

/**
 * Reads `/pots/{id}#size` and `/pots/{id}/json` as `/pots/{id}`, and `/pots/{id}/actions/empty` as
 * `/pots/{id}/empty`, where no other operation has its method and this path.
 */
function createPathReader({ operations }: Contract): (operation: Operation) => PathShape {
  const paths = new Set(operations.map(({ path }) => path));
  // `PUT /orgs/{id}/actions/settings` beside GET is about actions.
  const isRead = new Set(
    operations.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])),
  );
  const bare = (operation: Operation): string => {
    const path = /[#?]|\/json$/.test(operation.path)
      ? operation.path.replace(/(?<=[^/])[#?][^=]*$|(?<=[^/])\/json$/, '')
      : operation.path;
    const isAction = isNamedAction(operation) && !isRead.has(operation.path);
    return isAction ? path.replace(/\/actions?(?=\/[^/]+\/?$)/, '') : path;
  };
  const alike = once(() => groupBy(operations, (one) => `${one.method} ${bare(one)}`));
  const read = keepLast(createTemplateReader(paths));
  return (operation) => {
    const { method, path } = operation;
    const own = bare(operation);
    const isAlone = own !== path && alike().get(`${method} ${own}`)?.length === 1;
    return read(isAlone ? own : path);
  };
}

/** Two families that are one: the list at `/beds`, and the items at `/bed/{id}`. */
interface Join {
  readonly list: Family;
  readonly family: Family;
}

/** Finds each family when it is first asked for: a single request needs few of them. */
class FamilyFinder {
  readonly #places: Places;
  /** The families as their paths are, by the key of the collection. */
  readonly #own = new Map<string, Family>();
  readonly #found = new Map<string, { readonly family: Family | undefined }>();
  /** By the key of the singular. */
  readonly #joins = new Map<string, { readonly join: Join | undefined }>();
  /** The keys of collections, by those of their own path and of their items' path. */
  readonly #collections = new Map<string, string>();
  readonly #orders = new Map<Family, number>();
  /** The keys of the paths that may be a collection and have a plural, by that of the singular. */
  readonly #plurals = once(() => this.#listPlurals());

  constructor(places: Places) {
    this.#places = places;
  }

  /** @param key that of the collection's path */
  find(key: string): Family | undefined {
    return remember(this.#found, key, () => ({ family: this.#find(key) })).family;
  }

  #find(key: string): Family | undefined {
    const own = this.#ownAt(key);
    if (own === undefined) return undefined;
    const joined = this.#joinAt(key)?.family;
    if (joined !== undefined || !isPlural(own.name)) return joined ?? own;
    const join = this.#joinAt(singularKey(own.root, own));
    return join?.list === own ? join.family : own;
  }

  findAll(): readonly Family[] {
    const keys = new Set([...this.#places.keys].flatMap((key) => this.#collectionOf(key) ?? []));
    return [...new Set([...keys].flatMap((key) => this.find(key) ?? []))];
  }

  orderOf(family: Family): number {
    return this.#orders.get(family) ?? 0;
  }

  /** Returns the key of the collection that the operations at a path belong to. */
  #collectionOf(key: string): string | undefined {
    const first = this.#places.firstAt(key);
    if (first === undefined || !isReadable(first.path)) return undefined;
    return remember(this.#collections, key, () =>
      this.#isItem(first) ? placeKey(first.operation.root, above(first.path)) : key,
    );
  }

  #isItem({ path, placeKey: key, operation }: OperationShape): boolean {
    const places = this.#places;
    if (path.segments.at(-1)?.kind !== 'parameter') return false;
    const isAlone =
      places.mayList(key) && places.count(placeKey(operation.root, above(path))) === 0;
    return !(isAlone && isListed(places.methodsAt(key), path));
  }

  #ownAt(key: string): Family | undefined {
    const known = this.#own.get(key);
    if (known !== undefined) return known;
    const places = this.#places;
    const [own, item] = [key, itemKey(key)].map((one) =>
      this.#collectionOf(one) === key ? places.firstAt(one) : undefined,
    );
    const [first] = [own, item]
      .flatMap((one) => one ?? [])
      .sort((a, b) => places.orderOf(a.placeKey) - places.orderOf(b.placeKey));
    if (first === undefined) return undefined;
    const path = first === item ? above(item.path) : first.path;
    const readItem = item && once(() => places.methodsAt(item.placeKey));
    const readOwn = once(() => places.methodsAt(key));
    const family = createFamily(first.operation.root, path, readOwn, readItem);
    this.#orders.set(family, places.orderOf(first.placeKey));
    this.#own.set(key, family);
    return family;
  }

  /** Joins the items below a key with the list of its plural, where neither has the other. */
  #joinAt(key: string): Join | undefined {
    return remember(this.#joins, key, () => ({ join: this.#join(key) })).join;
  }

  #join(key: string): Join | undefined {
    const one = this.#ownAt(key);
    const mayBeOne = one !== undefined && this.#places.firstAt(itemKey(key)) !== undefined;
    const plurals = mayBeOne ? this.#plurals().get(key) : undefined;
    // What they return is read last.
    if (plurals === undefined || one?.item === undefined || one.collection) return undefined;
    const list = plurals.flatMap((plural) => this.#ownAt(plural) ?? []).findLast(isListAlone);
    if (list === undefined || !areAlike(list, one.item)) return undefined;
    const family = { ...list, item: one.item };
    this.#orders.set(family, Math.min(this.orderOf(list), this.orderOf(one)));
    return { list, family };
  }

  #listPlurals(): ReadonlyMap<string, readonly string[]> {
    const named = [...this.#places.keys].flatMap((key) => {
      const { operation, path } = this.#places.firstAt(key) ?? {};
      if (operation === undefined || path === undefined) return [];
      const { root } = operation;
      const paths = path.segments.at(-1)?.kind === 'parameter' ? [path, above(path)] : [path];
      return paths
        .map((one) => ({ root, path: one, name: lastName(one) }))
        .filter(({ name }) => isPlural(name));
    });
    const groups = groupBy(named, ({ root, ...one }) => singularKey(root, one));
    return new Map(
      Array.from(groups, ([singular, group]) => [
        singular,
        [...new Set(group.map(({ root, path }) => placeKey(root, path)))],
      ]),
    );
  }
}

/** Returns the key of the path with one parameter more. */
function itemKey(key: string): string {
  return `${key}/{}`;
}

/** Returns false for the root, and for a path with a segment from which nothing is inferred. */
function isReadable({ segments }: PathShape): boolean {
  return segments.length > 0 && segments.every(({ kind }) => kind !== 'mixed');
}

function isListAlone({ collection, item }: Family): boolean {
  return collection !== undefined && item === undefined;
}

/** Returns the key of a path with the singular of its name. */
function singularKey(root: Place, { path, name }: Pick<Family, 'path' | 'name'>): string {
  const { segments } = above(path);
  return placeKey(root, shapeOf([...segments, { kind: 'name', name: singularName(name) }]));
}

/** Returns false for a read that returns something else than the list. */
function areAlike({ collection, name }: Family, item: Methods): boolean {
  const list = findEnvelope(collection?.get('GET')?.success?.node, {
    collection: name,
    item: undefined,
  });
  const read = findWrapping(item.get('GET')?.success?.node, name);
  return list === undefined || read === undefined || likeness(read.node, list.item) >= RELATED;
}

type Read = () => Methods | undefined;

/** Returns a family whose operations are read when they are first needed. */
function createFamily(root: Place, path: PathShape, own: Read, item: Read | undefined): Family {
  const isNamed = path.segments.at(-1)?.kind === 'name';
  const collection = once(() => (isNamed || isListed(own(), path) ? own() : undefined));
  return {
    root,
    path,
    name: lastName(path),
    get collection() {
      return collection();
    },
    get item() {
      return item?.();
    },
  };
}

/** `/repos/{owner}` lists the repositories of an owner, `/repos/{owner}/{repo}` reads one. */
function isListed(methods: Methods | undefined, path: PathShape): boolean {
  const node = methods?.get('GET')?.success?.node;
  if (node?.isArray === true) return true;
  const list = findEnvelope(node, { collection: lastName(path), item: undefined });
  return list !== undefined && !list.envelope.isByKey && list.envelope.parts.length > 1;
}
