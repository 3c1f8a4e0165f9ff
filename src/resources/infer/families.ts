import { groupBy } from '../../base/remember.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import type { Overrides } from '../override/overrides.ts';
import { readCalls } from '../shape/call.ts';
import { findEnvelope } from '../shape/envelope.ts';
import { type OperationShape, readOperation } from '../shape/operation-shape.ts';
import { above, lastName, type PathShape, readPath } from '../shape/path-shape.ts';
import { isNamedAction } from '../shape/words.ts';

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
  const shapes = new Map(readCalls(read).map((shape) => [shape.operation, shape]));
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
  const families = collectFamilies(shapes, methodsByPath);
  return {
    contract,
    overrides,
    all: [...families.values()],
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
