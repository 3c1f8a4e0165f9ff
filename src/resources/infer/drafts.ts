import { groupBy, onceEach } from '../../base/remember.ts';
import type { Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import { above, type PathShape, templateOf } from '../shape/path-shape.ts';
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

export function createDrafts({ all, find }: Families): Drafts {
  const placeOf = (root: Place, path: PathShape): string => `${root} ${templateOf(path)}`;
  const byPlace = groupBy(all, ({ root, path }) => placeOf(root, path));
  const order = new Map(all.map((family, index) => [family, index]));
  const drafted = onceEach(draftOf);
  const nestedIn = onceEach((family: Family): readonly NestedOperation[] => {
    const own = order.get(family) ?? 0;
    const draftAt: DraftAt = (root, path) => {
      const other = find(root, path);
      // In the order of the document, what turns out to be no collection is none for those after it.
      const isBefore = other !== undefined && (order.get(other) ?? own) < own;
      const isNone = other === undefined || (isBefore && nestedIn(other).length > 0);
      return isNone ? undefined : drafted(other);
    };
    return inferNested(family, draftAt, (name) => {
      const [other] = byPlace.get(placeOf(family.root, beside(family.path, name))) ?? [];
      return other?.collection?.get('POST')?.given?.node;
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
  const { path, takesBytes, givesBytes } = shape;
  const isItem = path.segments.at(-1)?.kind === 'parameter';
  const paths = isItem ? [path, above(path)] : [path];
  const around = paths.flatMap((one) => families.find(operation.root, one) ?? []);
  return (
    around.some((one) => drafts.of(one) !== undefined || drafts.nestedIn(one).length > 0) ||
    takesBytes ||
    givesBytes ||
    givesTokens(shape) ||
    isTagging(shape) ||
    families.shapesBeside(operation).some(isCheck)
  );
}
