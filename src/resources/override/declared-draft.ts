import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Draft } from '../infer/draft.ts';
import type { Family } from '../infer/families.ts';
import { fullest } from '../infer/infer-collection.ts';
import { findEnvelope } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName } from '../shape/path-shape.ts';
import { findWrapping } from '../shape/wrapping.ts';

/**
 * Makes a draft of operations whose overrides name a new type.
 *
 * @param shapes at least one
 */
export function draftFrom(shapes: readonly OperationShape[]): Draft {
  const family = familyOf(shapes);
  const { name } = family;
  const written = shapes.flatMap((shape) => findWrapping(shape.given?.node, name)?.node ?? []);
  const isList = ({ override }: OperationShape) => override?.value.does === 'list';
  const list = shapes
    .filter(isList)
    .map((shape) => findEnvelope(shape.success?.node, { collection: name, item: undefined }))
    .find((one) => one !== undefined);
  const answered = shapes
    .filter((shape) => !isList(shape))
    .flatMap((shape) => findWrapping(shape.success?.node, name) ?? []);
  const largest = fullest(answered.map(({ node }) => node));
  const read = answered.find(({ node }) => node === largest);
  const shown: SchemaNode | undefined = read?.node ?? list?.item;
  if (read !== undefined && shown !== undefined && isSingleton(shapes)) {
    return { kind: 'singleton', family, read, shown, written, reason: 'an override says so' };
  }
  return {
    kind: 'collection',
    family,
    read,
    list,
    created: undefined,
    shownByCreate: undefined,
    shown,
    written,
  };
}

function isSingleton(shapes: readonly OperationShape[]): boolean {
  const declared = shapes
    .map(({ override }) => override?.value.isSingleton)
    .find((one) => one !== undefined);
  const isOfMany = shapes.some(
    (shape) =>
      /^(?:create|list|delete-all)$/.test(shape.override?.value.does ?? '') || endsInKey(shape),
  );
  return declared ?? !isOfMany;
}

function endsInKey({ path }: OperationShape): boolean {
  return path.segments.at(-1)?.kind === 'parameter';
}

/** Returns a family with the path of an operation on the collection, else above an item. */
function familyOf(shapes: readonly OperationShape[]): Family {
  const item = shapes.find(endsInKey);
  const collection = shapes.find((shape) => !endsInKey(shape));
  const path = item === undefined ? collection?.path : above(item.path);
  const own = path ?? { segments: [], key: '' };
  const methods = (shape: OperationShape | undefined): Family['item'] =>
    shape && new Map([[shape.operation.method, shape]]);
  const [first] = shapes;
  return {
    root: first?.operation.root ?? '',
    path: own,
    name: lastName(own),
    collection: methods(collection),
    item: methods(item),
  };
}
