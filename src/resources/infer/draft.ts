import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Wrapping } from '../meaning.ts';
import type { Listed } from '../shape/envelope.ts';
import type { Wrapped } from '../shape/wrapping.ts';
import type { Family } from './families.ts';

/** A guess at a family of paths, before its name and its parents are known. */
export type Draft = CollectionDraft | SingletonDraft;

export interface CollectionDraft {
  readonly kind: 'collection';
  readonly family: Family;
  /** The response of a read. */
  readonly read: Wrapped | undefined;
  readonly list: Listed | undefined;
  /** The body of a create. */
  readonly created: Created | undefined;
  /** The resource in the response of a create: it may be the only one that shows the key. */
  readonly shownByCreate: SchemaNode | undefined;
  /** The most complete schema of a response with the resource; undefined if no response has it. */
  readonly shown: SchemaNode | undefined;
  /** The schemas of request bodies with the resource. */
  readonly written: readonly SchemaNode[];
}

export interface SingletonDraft {
  readonly kind: 'singleton';
  readonly family: Family;
  readonly read: Wrapped;
  readonly shown: SchemaNode;
  readonly written: readonly SchemaNode[];
  readonly reason: string;
}

/** The resource in the body of a create. */
export interface Created {
  readonly wrapping: Wrapping;
  /** Its schema; undefined if there is no body. */
  readonly node: SchemaNode | undefined;
  /** True if the body contains a list of resources. */
  readonly isMany: boolean;
  /** True if the body is a file, or a form with one. */
  readonly takesFile?: boolean;
  readonly reason: string;
}
