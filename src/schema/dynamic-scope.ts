import type { DynamicAnchors, SourceDocument } from '../document/source-document.ts';

/** The schema resources with dynamic anchors that references led through, outermost first. */
export type DynamicScope = readonly DynamicAnchors[];

/** Where no reference has led yet. */
export const NO_SCOPE: DynamicScope = [];

/** @returns the dynamic scope once the schema at a pointer is come to */
export function enterScope(
  document: SourceDocument,
  scope: DynamicScope,
  pointer: string,
): DynamicScope {
  const around = document.dynamicAnchorsAround(pointer);
  if (around === undefined) return scope;
  return scope.some(({ resource }) => resource === around.resource) ? scope : [...scope, around];
}

/**
 * A dynamic reference to a dynamic anchor leads to the outermost schema resource of the dynamic
 * scope that has one of this name (JSON Schema Core §8.2.3.2); any other is a plain one.
 *
 * @param target pointer that the reference would lead to if it were a plain one
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
