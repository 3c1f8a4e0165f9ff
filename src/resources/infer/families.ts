import { groupBy } from '../../base/remember.ts';
import { isPlural, singularName } from '../../base/words.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import { likeness } from '../../schema/schema-node.ts';
import type { Overrides } from '../override/overrides.ts';
import { readCalls } from '../shape/call.ts';
import { findEnvelope } from '../shape/envelope.ts';
import { type OperationShape, readOperation } from '../shape/operation-shape.ts';
import { above, lastName, type PathShape, readPath, shapeOf } from '../shape/path-shape.ts';
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

/** The families of a contract. */
export interface Families {
  readonly contract: Contract;
  readonly overrides: Overrides;
  readonly all: readonly Family[];
  readonly shapes: ReadonlyMap<Operation, OperationShape>;
  /** Returns the family whose collection has this path. */
  find(root: Place, path: PathShape): Family | undefined;
}

export function arrangeFamilies(contract: Contract, overrides: Overrides): Families {
  const methodsByPath = new Map<string, Map<string, OperationShape>>();
  const pathOf = createPathReader(contract);
  const read = contract.operations.flatMap(
    (operation) => readOperation(operation, contract, overrides, pathOf(operation)) ?? [],
  );
  const shapes = new Map(asGets(readCalls(read)).map((shape) => [shape.operation, shape]));
  for (const shape of [...shapes.values()].sort((a, b) => Number(a.isCall) - Number(b.isCall))) {
    const { operation, method } = shape;
    // An operation that is declared to mean nothing is no hint either.
    if (shape.override?.value.does === 'nothing') continue;
    const key = keyOf(operation.root, shape.path);
    const methods = methodsByPath.get(key) ?? new Map<string, OperationShape>();
    // Several may do the same: `ListFleets` and `DescribeFleets`, `/{id}` and `/{number}`.
    const isOther = methods.has(method);
    methods.set(isOther ? `${method} by ${operation.method} ${operation.path}` : method, shape);
    methodsByPath.set(key, methods);
  }
  const families = joinPlurals(collectFamilies(shapes, methodsByPath));
  return {
    contract,
    overrides,
    all: [...new Set(families.values())],
    shapes,
    find: (root: Place, path: PathShape) => families.get(keyOf(root, path)),
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
    const path = operation.path.replace(/(?<=[^/])[#?][^=]*$|(?<=[^/])\/json$/, '');
    const isAction = isNamedAction(operation) && !isRead.has(operation.path);
    return isAction ? path.replace(/\/actions?(?=\/[^/]+\/?$)/, '') : path;
  };
  const alike = groupBy(operations, (one) => `${one.method} ${bare(one)}`);
  return (operation) => {
    const isAlone = alike.get(`${operation.method} ${bare(operation)}`)?.length === 1;
    return readPath(isAlone ? bare(operation) : operation.path, paths);
  };
}

function collectFamilies(
  shapes: ReadonlyMap<Operation, OperationShape>,
  methodsByPath: ReadonlyMap<string, Methods>,
): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  for (const { operation, path } of shapes.values()) {
    const { root } = operation;
    const last = path.segments.at(-1);
    if (last === undefined || path.segments.some(({ kind }) => kind === 'mixed')) continue;
    const methods = methodsByPath.get(keyOf(root, path));
    const isListAlone =
      methods?.size === 1 &&
      !methodsByPath.has(keyOf(root, above(path))) &&
      isListed(methods, path);
    const isItem = last.kind === 'parameter' && !isListAlone;
    const own = isItem ? above(path) : path;
    const key = keyOf(root, own);
    const family = families.get(key) ?? createFamily(root, own, methodsByPath.get(key));
    const item = isItem ? methods : undefined;
    families.set(key, { ...family, item: family.item ?? item });
  }
  return families;
}

/**
 * Returns the shapes in which a POST with a cursor in its body, which returns a page, is a GET:
 * `POST /beds` with a `nextToken`, where nothing else reads this path.
 */
function asGets(shapes: readonly OperationShape[]): readonly OperationShape[] {
  const isRead = new Set(shapes.flatMap((one) => (one.method === 'GET' ? [pathKeyOf(one)] : [])));
  return shapes.map((shape) =>
    shape.method === 'POST' && !isRead.has(pathKeyOf(shape)) && asksForPage(shape)
      ? { ...shape, method: 'GET' }
      : shape,
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

function pathKeyOf({ operation, path }: OperationShape): string {
  return keyOf(operation.root, path);
}

/** Joins the items at `/bed/{id}` with the collection at `/beds`, where neither has the other. */
function joinPlurals(families: ReadonlyMap<string, Family>): ReadonlyMap<string, Family> {
  const lists = [...families.values()].filter(
    ({ collection, item, name }) =>
      collection !== undefined && item === undefined && isPlural(name),
  );
  const bySingular = new Map(lists.map((one) => [keyOf(one.root, singularPath(one)), one]));
  const joined = new Map(families);
  for (const [key, { collection, item, root }] of families) {
    const owner = collection === undefined ? bySingular.get(key) : undefined;
    if (owner === undefined || item === undefined || !areAlike(owner, item)) continue;
    const family = { ...owner, item };
    joined.set(key, family);
    joined.set(keyOf(root, owner.path), family);
  }
  return joined;
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

function createFamily(root: Place, path: PathShape, methods: Methods | undefined): Family {
  const isOfMany = path.segments.at(-1)?.kind === 'name' || isListed(methods, path);
  const collection = isOfMany ? methods : undefined;
  return { root, path, name: lastName(path), collection, item: undefined };
}

/** `/repos/{owner}` lists the repositories of an owner, `/repos/{owner}/{repo}` reads one. */
function isListed(methods: Methods | undefined, path: PathShape): boolean {
  const node = methods?.get('GET')?.success?.node;
  if (node?.isArray === true) return true;
  const list = findEnvelope(node, { collection: lastName(path), item: undefined });
  return list !== undefined && !list.envelope.isByKey && list.envelope.parts.length > 1;
}

function keyOf(root: Place, { key }: PathShape): string {
  return `${root} ${key}`;
}
