import type { Place } from '../document/place.ts';
import type { DynamicAnchors, SourceDocument } from '../document/source-document.ts';

/** The schema resources with dynamic anchors on the path of references, outermost first. */
export type DynamicScope = readonly DynamicAnchors[];

/** The scope before any reference. */
export const NO_SCOPE: DynamicScope = [];

/** Returns the dynamic scope inside the schema at a pointer. */
export function enterScope(document: SourceDocument, scope: DynamicScope, pointer: Place) {
  const around = document.dynamicAnchorsAround(pointer);
  if (around === undefined) return scope;
  return scope.some(({ resource }) => resource === around.resource) ? scope : [...scope, around];
}

/**
 * Returns the target of a dynamic reference: the dynamic anchor of this name in the outermost schema
 * resource of the scope (JSON Schema Core §8.2.3.2). A reference to anything else leads to `target`,
 * as a plain one does.
 */
export function findDynamicTarget(
  document: SourceDocument,
  reference: string,
  target: string,
  scope: DynamicScope,
): string {
  const name = reference.slice(reference.indexOf('#') + 1);
  if (document.dynamicAnchorsAround(target)?.anchors.get(name) !== target) return target;
  return scope.find(({ anchors }) => anchors.has(name))?.anchors.get(name) ?? target;
}
