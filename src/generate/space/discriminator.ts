import { discriminatingProperty, mappingOf } from '../../schema/discriminator.ts';
import type { ConstraintStore } from './constraint-store.ts';
import type { AppliedSchema, Union } from './constraints.ts';

/**
 * Returns schemas that give the discriminating property the value for a branch (OAS 3.1 §4.8.25):
 * one for each name in the mapping, or one with the name of the branch's schema; none without a
 * discriminator.
 */
export function discriminate(store: ConstraintStore, union: Union, branch: number): string[] {
  const [pointer] = union.branches[branch] ?? [];
  if (pointer === undefined) return [];
  const property = propertyOf(union.owner);
  if (property === undefined) return [];
  const names = namesOf(store, union.owner, store.targetOf(pointer));
  return names.map((name) => {
    const properties = Object.fromEntries([[property, { const: name }]]);
    return store.space.construct({ type: 'object', required: [property], properties });
  });
}

export function propertyOf({ schema }: AppliedSchema): string | undefined {
  return discriminatingProperty(schema['discriminator']);
}

/** Returns the names that the owner of a discriminator has for a schema. */
export function namesOf(
  store: ConstraintStore,
  { schema, pointer }: AppliedSchema,
  target: string,
): string[] {
  const own = schemaName(target);
  const names = Object.entries(mappingOf(schema['discriminator']))
    .filter(([, to]) => to === own || store.targetOfReference(String(to), pointer) === target)
    .map(([name]) => name);
  if (names.length > 0) return names;
  return own === undefined ? [] : [own];
}

/** Returns the name of a schema in the document; undefined for an inline one. */
export function schemaName(pointer: string): string | undefined {
  const [, name] = /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(pointer) ?? [];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns what a schema's name names: `Pod` of `io.k8s.api.core.v1.Pod`. */
export function ownName(name: string): string {
  const parts = name.split('.');
  return (parts.length > 2 ? parts.findLast((part) => !/^v?\d/.test(part)) : undefined) ?? name;
}

/** Returns the name of the property that a schema is of; undefined for another. */
export function propertyName(pointer: string): string | undefined {
  const [, name] = /\/properties\/([^/]+)$/.exec(pointer) ?? [];
  return name?.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the last literal segment of the path that a schema is written below, or its component. */
export function pathName(pointer: string): string | undefined {
  const [, path = ''] = /\/(?:paths|definitions|components\/\w+)\/([^/]+)\//.exec(pointer) ?? [];
  return path
    .split('~1')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .at(-1);
}
