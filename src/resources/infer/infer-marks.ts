import { groupBy } from '../../base/remember.ts';
import type { Meaning } from '../meaning.ts';
import { NOBODY, type ResourceType } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { type PathShape, shapeOf, templateOf } from '../shape/path-shape.ts';
import { PLAIN } from '../shape/wrapping.ts';
import type { Families } from './families.ts';
import { SELECTING_NONE } from './infer-removal.ts';
import { fieldsOf, isCheck } from './meaning-parts.ts';

/** Returns the name of the resources at a path; undefined if there are none. */
type NameAt = (shape: OperationShape, path: PathShape) => string | undefined;

/**
 * Finds what is there or not, and shows nothing else: `GET`, `PUT` and `DELETE
 * /user/starred/{owner}/{repo}`.
 */
export function* inferMarks({ shapes }: Families, nameAt: NameAt): Generator<Meaning> {
  const atPaths = groupBy(shapes().values(), ({ placeKey }) => placeKey);
  for (const check of [...shapes().values()].filter(isCheck)) {
    const own = atPaths.get(check.placeKey) ?? [];
    if (!own.some(({ operation }) => operation.method === 'PUT')) continue;
    const type = markAt(check, nameAt);
    for (const shape of own) {
      const meaning = meaningOf(shape, type);
      if (meaning !== undefined) yield meaning;
    }
  }
}

function meaningOf(shape: OperationShape, type: ResourceType): Meaning | undefined {
  const { operation } = shape;
  const reason = 'GET of the path says by its status whether it is there, and PUT makes it';
  const base = { operation, type, reason, source: 'inferred', shown: undefined } as const;
  switch (operation.method) {
    case 'GET':
      return { ...base, kind: 'read', query: fieldsOf(shape) };
    case 'PUT':
      return { ...base, kind: 'replace', given: PLAIN, createsAbsent: true };
    case 'DELETE':
      return { ...base, kind: 'delete', isAll: false, ...SELECTING_NONE };
    default:
      return undefined;
  }
}

function markAt(shape: OperationShape, nameAt: NameAt): ResourceType {
  const { path } = shape;
  const parents = path.segments.flatMap(({ kind, name: parameter }, index) => {
    const resource = nameAt(shape, shapeOf(path.segments.slice(0, index)));
    return kind === 'parameter' ? [{ parameter, resource, property: undefined }] : [];
  });
  const template = templateOf(path);
  return Object.freeze({ ...NOBODY, name: template.slice(1), path: template, parents });
}
