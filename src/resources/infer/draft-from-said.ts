import type { SchemaNode } from '../../schema/schema-node.ts';
import { findEnvelope } from '../shape/find-envelope.ts';
import { findWrapping } from '../shape/find-wrapping.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName } from '../shape/path-shape.ts';
import type { CollectionDraft, Draft } from './draft.ts';
import type { Family, PathNode } from './families.ts';

/**
 * Makes a draft of operations that name a resource which was not inferred.
 *
 * @param shapes of which there is at least one
 */
export function draftFrom(shapes: readonly OperationShape[]): Draft {
  const family = familyOf(shapes);
  const written = shapes.flatMap(
    (shape) => findWrapping(shape.given?.view, family.name)?.view ?? [],
  );
  const list = shapes
    .filter(({ override }) => override?.value.does === 'list')
    .map((shape) => findEnvelope(shape.success?.view, { collection: family.name, item: undefined }))
    .find((one) => one !== undefined);
  const read = shapes
    .filter(({ override }) => override?.value.does !== 'list')
    .map((shape) => findWrapping(shape.success?.view, family.name))
    .filter((one) => one !== undefined)
    .reduce<ReturnType<typeof findWrapping>>(
      (best, one) =>
        best !== undefined && best.view.names.size >= one.view.names.size ? best : one,
      undefined,
    );
  const shown: SchemaNode | undefined = read?.view ?? list?.item;
  if (read !== undefined && shown !== undefined && isSingleton(shapes)) {
    return { kind: 'singleton', family, read, shown, written, reason: 'it was said so' };
  }
  const draft: CollectionDraft = {
    kind: 'collection',
    family,
    read,
    list,
    created: undefined,
    shown,
    written,
  };
  return draft;
}

function isSingleton(shapes: readonly OperationShape[]): boolean {
  const said = shapes
    .map(({ override }) => override?.value.isSingleton)
    .find((one) => one !== undefined);
  const isOfMany = shapes.some(
    ({ override, path }) =>
      /^(?:create|list|delete-all)$/.test(override?.value.does ?? '') ||
      path.segments.at(-1)?.kind === 'parameter',
  );
  return said ?? !isOfMany;
}

/** The path of the first that stands at a collection, else what stands above an item. */
function familyOf(shapes: readonly OperationShape[]): Family {
  const endsInKey = ({ path }: OperationShape): boolean =>
    path.segments.at(-1)?.kind === 'parameter';
  const item = shapes.find(endsInKey);
  const collection = shapes.find((shape) => !endsInKey(shape));
  const path = item === undefined ? collection?.path : above(item.path);
  const own = path ?? { segments: [], key: '' };
  const node = (shape: OperationShape | undefined): PathNode | undefined =>
    shape && { path: shape.path, methods: new Map([[shape.operation.method, shape]]) };
  const [first] = shapes;
  return {
    root: first?.operation.root ?? '',
    path: own,
    name: lastName(own),
    collection: node(collection),
    item: node(item),
  };
}
