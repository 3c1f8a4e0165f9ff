import type { ConstraintStore } from './space/constraint-store.ts';
import type { Constraints } from './space/constraints.ts';
import { namesOf, propertyOf, schemaName } from './space/discriminator.ts';

/** A property that says of which kind an object is, and what it may say. */
export interface Kind {
  readonly property: string;
  readonly names: readonly string[];
}

/** @returns what the document calls the schema, such as `User`: its last name where it has several */
export function findSchemaName({ applied }: Constraints): string | undefined {
  return applied.map(({ pointer }) => schemaName(pointer)).find((name) => name !== undefined);
}

/** A schema that a discriminator's owner is a part of by `allOf` is a kind of its owner. */
export function findKind(store: ConstraintStore, constraints: Constraints): Kind | undefined {
  const [root] = constraints.selection.roots;
  const owner = constraints.applied.find((entry) => propertyOf(entry) !== undefined);
  if (root === undefined || owner === undefined) return undefined;
  if (owner.schema['oneOf'] !== undefined || owner.schema['anyOf'] !== undefined) return undefined;
  const property = propertyOf(owner);
  const names = namesOf(store, owner, root);
  return property === undefined ? undefined : { property, names };
}
