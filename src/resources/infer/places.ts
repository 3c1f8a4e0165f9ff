import { groupBy, remember } from '../../base/remember.ts';
import { findEnvelope } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { lastName } from '../shape/path-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';

/** The operations of one path, by method. */
export type Methods = ReadonlyMap<string, OperationShape>;

/** The operations of a document by their paths, each of which has a key. */
export class Places {
  readonly #named: ReadonlyMap<string, readonly OperationShape[]>;
  readonly #order: ReadonlyMap<string, number>;
  readonly #shapes = new Map<string, readonly OperationShape[]>();
  readonly #methods = new Map<string, Methods>();

  constructor(shapes: readonly OperationShape[]) {
    this.#named = groupBy(shapes, ({ placeKey }) => placeKey);
    this.#order = new Map([...this.#named.keys()].map((key, index) => [key, index]));
  }

  /** The keys, in the order of the document. */
  get keys(): Iterable<string> {
    return this.#named.keys();
  }

  /** Returns the first operation at a path; undefined if there is none. */
  firstAt(key: string): OperationShape | undefined {
    return this.#named.get(key)?.[0];
  }

  /** Returns how many paths of the document are before one. */
  orderOf(key: string): number {
    return this.#order.get(key) ?? 0;
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
