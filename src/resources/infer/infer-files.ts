import { groupBy } from '../../base/remember.ts';
import type { DownloadMeaning, UploadMeaning } from '../meaning.ts';
import { NOBODY } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above } from '../shape/path-shape.ts';
import type { Families } from './families.ts';
import { type AssembledType, changeType } from './share-types.ts';

type FileMeaning = UploadMeaning | DownloadMeaning;

/**
 * Finds where files come back: `GET /files/{id}/content` after `POST /files`, and `GET
 * /users/{id}/avatar` after a PUT there.
 *
 * @param ownerAt returns the type of the collection at a path
 */
export function* inferFiles(
  { shapes }: Families,
  ownerAt: (shape: OperationShape, path: OperationShape['path']) => AssembledType | undefined,
): Generator<FileMeaning> {
  const all = [...shapes().values()];
  const uploadsAt = groupBy(
    all.filter(({ takesBytes }) => takesBytes),
    ({ placeKey }) => placeKey,
  );
  for (const shape of all) {
    const { operation, path, givesBytes } = shape;
    if (operation.method !== 'GET' || !givesBytes) continue;
    const item = path.segments.at(-1)?.kind === 'parameter' ? path : above(path);
    const owner = ownerAt(shape, above(item));
    const base = { operation, source: 'inferred', shown: undefined } as const;
    if (owner?.draft.kind === 'collection' && owner.draft.created?.takesFile) {
      const isBelow = owner.draft.family.path.key === above(item).key;
      const type = withParameter(owner.type, item.segments.at(-1)?.name, isBelow);
      const reason = `GET of bytes, and files are created in ${type.name}`;
      yield { ...base, kind: 'download', type, isOfPath: false, reason };
      continue;
    }
    const uploads = uploadsAt.get(shape.placeKey) ?? [];
    if (uploads.length === 0) continue;
    const reason = 'GET of bytes, which another method of the path takes';
    yield { ...base, kind: 'download', type: NOBODY, isOfPath: true, reason };
    for (const upload of uploads) {
      const why = `${upload.operation.method} of bytes, which GET of the path returns`;
      yield { ...base, operation: upload.operation, kind: 'upload', type: NOBODY, reason: why };
    }
  }
}

/**
 * Returns the type with its key in a parameter of another name.
 *
 * @param hasParents false for a path that does not name them
 */
function withParameter(
  type: AssembledType['type'],
  parameter: string | undefined,
  hasParents: boolean,
) {
  const { key } = type;
  const parents = hasParents ? type.parents : [];
  const isSame = key === undefined || parameter === undefined || key.parameter === parameter;
  if (isSame && hasParents) return type;
  const named = isSame ? key : { ...key, parameter };
  return changeType(type, { key: named, parents });
}
