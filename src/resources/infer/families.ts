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
  lastName,
  type PathShape,
  placeKey,
  readPath,
  shapeOf,
} from '../shape/path-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';
import { isNamedAction } from '../shape/words.ts';
import { findWrapping, RELATED } from '../shape/wrapping.ts';

/** The operations of one path, by method. */
export type Methods = ReadonlyMap<string, OperationShape>;

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
  readonly all: readonly Family[];
  /** Returns the shapes of all operations without a fault. */
  shapes(): ReadonlyMap<Operation, OperationShape>;
  /** Returns the shape of an operation; undefined for one with a fault. */
  shapeOf(operation: Operation): OperationShape | undefined;
  /** Returns the shapes of all operations with the path of one. */
  shapesBeside(operation: Operation): readonly OperationShape[];
  /** Returns the family whose collection has this path. */
  find(root: Place, path: PathShape): Family | undefined;
}

export function arrangeFamilies(contract: Contract, overrides: Overrides): Families {
  const { operations } = contract;
  const pathOf = createPathReader(contract);
  const read = createOperationReader(contract, overrides);
  const named = readCalls(operations.map((one) => read(one, pathOf(one))));
  const keys = new Map(named.map((shape) => [shape.operation, shape.placeKey]));
  const places = new Places(named);
  const families = joinPlurals(collectFamilies(named, places));
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
    all: [...new Set(families.values())],
    shapes,
    shapeOf,
    shapesBeside,
    find: (root: Place, path: PathShape) => families.get(placeKey(root, path)),
  };
}

/** The operations of a document by their paths. */
class Places {
  readonly #named: ReadonlyMap<string, readonly OperationShape[]>;
  readonly #shapes = new Map<string, readonly OperationShape[]>();
  readonly #methods = new Map<string, Methods>();

  constructor(shapes: readonly OperationShape[]) {
    this.#named = groupBy(shapes, ({ placeKey }) => placeKey);
  }

  /** Returns how many operations a path has; those that are declared to mean nothing are no hint. */
  count(key: string): number {
    return (this.#named.get(key) ?? []).filter(isHint).length;
  }

  /** Returns true for a path with one operation that may list something. */
  mayList(key: string): boolean {
    const [only, ...others] = (this.#named.get(key) ?? []).filter(isHint);
    return only !== undefined && others.length === 0 && /^(?:GET|POST)$/.test(only.method);
  }

  /** Returns the shapes of the operations at a path that have no fault. */
  shapesAt(key: string): readonly OperationShape[] {
    return remember(this.#shapes, key, () =>
      asGets((this.#named.get(key) ?? []).filter(({ hasFault }) => !hasFault)),
    );
  }

  /** Returns the operations at a path by their methods; undefined if there are none. */
  methodsAt(key: string): Methods | undefined {
    const methods = remember(this.#methods, key, () => byMethod(this.shapesAt(key)));
    return methods.size === 0 ? undefined : methods;
  }
}

function isHint({ override }: OperationShape): boolean {
  return override?.value.does !== 'nothing';
}

/** Several may do the same: `ListFleets` and `DescribeFleets`, `/{id}` and `/{number}`. */
function byMethod(shapes: readonly OperationShape[]): Methods {
  const methods = new Map<string, OperationShape>();
  const ordered = shapes.filter(isHint).sort((a, b) => Number(a.isCall) - Number(b.isCall));
  for (const shape of ordered) {
    const { operation, method } = shape;
    const isOther = methods.has(method);
    methods.set(isOther ? `${method} by ${operation.method} ${operation.path}` : method, shape);
  }
  return methods;
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
  const read = keepLast((path: string) => readPath(path, paths));
  return (operation) => {
    const { method, path } = operation;
    const own = bare(operation);
    const isAlone = own !== path && alike().get(`${method} ${own}`)?.length === 1;
    return read(isAlone ? own : path);
  };
}

function collectFamilies(shapes: readonly OperationShape[], places: Places) {
  const parts = new Map<string, { root: Place; path: PathShape; item: string | undefined }>();
  for (const { operation, path, placeKey: here } of shapes) {
    const { root } = operation;
    const last = path.segments.at(-1);
    if (last === undefined || path.segments.some(({ kind }) => kind === 'mixed')) continue;
    const isListAlone =
      last.kind === 'parameter' &&
      places.mayList(here) &&
      places.count(placeKey(root, above(path))) === 0 &&
      isListed(places.methodsAt(here), path);
    const isItem = last.kind === 'parameter' && !isListAlone;
    const own = isItem ? above(path) : path;
    const key = isItem ? placeKey(root, own) : here;
    const family = remember(parts, key, () => ({ root, path: own, item: undefined }));
    if (isItem) family.item ??= here;
  }
  return new Map(
    Array.from(parts, ([key, { root, path, item }]) => {
      const methods = (at: string): Read => once(() => places.methodsAt(at));
      const itemMethods = item === undefined ? undefined : methods(item);
      return [key, createFamily(root, path, methods(key), itemMethods)] as const;
    }),
  );
}

/**
 * Returns the shapes of a path in which a POST with a cursor in its body, which returns a page, is a
 * GET: `POST /beds` with a `nextToken`, where nothing else reads this path.
 */
function asGets(shapes: readonly OperationShape[]): readonly OperationShape[] {
  if (shapes.some(({ method }) => method === 'GET')) return shapes;
  return shapes.map((shape) =>
    shape.method === 'POST' && asksForPage(shape) ? shape.with({ method: 'GET' }) : shape,
  );
}

function asksForPage(shape: OperationShape): boolean {
  const { given, success, path } = shape;
  if (given === undefined || success === undefined) return false;
  const asks = findListQuery(shape, undefined).parameters.some(({ role }) => PAGING.has(role.kind));
  const list = asks && findEnvelope(success.node, { collection: lastName(path), item: undefined });
  return list ? list.envelope.parts.some(({ role }) => /^(?:next|total|page)/.test(role)) : false;
}

const PAGING: ReadonlySet<string> = new Set(['cursor', 'offset', 'offset-from-1', 'page']);

/** Joins the items at `/bed/{id}` with the collection at `/beds`, where neither has the other. */
function joinPlurals(families: ReadonlyMap<string, Family>): ReadonlyMap<string, Family> {
  const plurals = [...families.values()].filter(({ name }) => isPlural(name));
  const bySingular = groupBy(plurals, (one) => placeKey(one.root, singularPath(one)));
  const joined = new Map(families);
  for (const [key, { collection, item, root }] of [...families].filter(([one]) =>
    bySingular.has(one),
  )) {
    const owner = bySingular.get(key)?.findLast(isListAlone);
    if (owner === undefined || collection !== undefined || item === undefined) continue;
    if (!areAlike(owner, item)) continue;
    const family = { ...owner, item };
    joined.set(key, family);
    joined.set(placeKey(root, owner.path), family);
  }
  return joined;
}

function isListAlone({ collection, item }: Family): boolean {
  return collection !== undefined && item === undefined;
}

function singularPath({ path, name }: Family): PathShape {
  return shapeOf([...above(path).segments, { kind: 'name', name: singularName(name) }]);
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
