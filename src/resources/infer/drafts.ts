import { onceEach } from '../../base/remember.ts';
import type { Operation } from '../../contract/contract.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName, templateOf } from '../shape/path-shape.ts';
import type { Draft } from './draft.ts';
import type { Families, Family } from './families.ts';
import { inferCollection } from './infer-collection.ts';
import { givesTokens } from './infer-login.ts';
import { beside, type DraftAt, inferNested, type NestedOperation } from './infer-nested.ts';
import { inferSingleton } from './infer-singleton.ts';
import { isTagging } from './infer-tags.ts';
import { isCheck } from './meaning-parts.ts';

/** The drafts of families, each made when it is first needed. */
export interface Drafts {
  /** Returns the draft of a family; undefined if its operations are about other resources, or none. */
  of(family: Family): Draft | undefined;
  /** Returns the operations of a family that are about other resources, above or beside it. */
  nestedIn(family: Family): readonly NestedOperation[];
}

export function createDrafts({ find, isBefore }: Families): Drafts {
  const drafted = onceEach(draftOf);
  const nestedIn = onceEach((family: Family): readonly NestedOperation[] => {
    const draftAt: DraftAt = (root, path) => {
      const other = find(root, path);
      // In the order of the document, what turns out to be no collection is none for those after it.
      if (other === undefined) return undefined;
      const isNone = isBefore(other, family) && nestedIn(other).length > 0;
      return isNone ? undefined : drafted(other);
    };
    return inferNested(family, draftAt, (name) => {
      const path = beside(family.path, name);
      const other = find(family.root, path);
      const isSame = other !== undefined && templateOf(other.path) === templateOf(path);
      return isSame ? other.collection?.get('POST')?.given?.node : undefined;
    });
  });
  const of = (family: Family) => (nestedIn(family).length > 0 ? undefined : drafted(family));
  return { of, nestedIn };
}

function draftOf(family: Family): Draft | undefined {
  const alone = family.item && inferSingleton(family);
  return alone ?? inferCollection(family) ?? inferSingleton(family);
}

/**
 * Returns false for an operation without a meaning, as its own path and those around it show: for
 * these, the rest of the document is not read.
 */
export function mayMean(operation: Operation, families: Families, drafts: Drafts): boolean {
  const shape = families.shapeOf(operation);
  if (shape === undefined) return false;
  const { path } = shape;
  const isItem = path.segments.at(-1)?.kind === 'parameter';
  const paths = isItem ? [path, above(path)] : [path];
  const around = paths.flatMap((one) => families.find(operation.root, one) ?? []);
  return (
    around.some((one) => drafts.of(one) !== undefined || drafts.nestedIn(one).length > 0) ||
    givesTokens(shape) ||
    isTagging(shape) ||
    families.shapesBeside(operation).some(isCheck) ||
    mayMoveFile(shape, families, drafts)
  );
}

/** Returns true for bytes that another operation of the path takes or gives, or a create takes. */
function mayMoveFile(shape: OperationShape, families: Families, drafts: Drafts): boolean {
  const { operation, path, takesBytes, givesBytes } = shape;
  if (!takesBytes && !givesBytes) return false;
  const beside = families.shapesBeside(operation);
  if (beside.some((one) => (givesBytes ? one.takesBytes : one.givesBytes))) return true;
  const collection = above(path.segments.at(-1)?.kind === 'parameter' ? path : above(path));
  const own = families.find(operation.root, collection);
  const owners = families.all().filter((one) => one === own || one.name === lastName(collection));
  return owners.some((one) => {
    const draft = drafts.of(one);
    return draft?.kind === 'collection' && draft.created?.takesFile === true;
  });
}
