import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Wrapping } from '../meaning.ts';
import type { Listed } from '../shape/envelope.ts';
import type { Wrapped } from '../shape/wrapping.ts';
import type { Family } from './families.ts';

/** What a family was found to be, before its name and its parents are known. */
export type Draft = CollectionDraft | SingletonDraft;

export interface CollectionDraft {
  readonly kind: 'collection';
  readonly family: Family;
  /** What a read of one shows. */
  readonly read: Wrapped | undefined;
  readonly list: Listed | undefined;
  /** What a create takes. */
  readonly created: Created | undefined;
  /** The fullest view of one as it is shown; undefined where none is. */
  readonly shown: SchemaNode | undefined;
  /** Views of what may be sent of one. */
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

/** What the body of a create has. */
export interface Created {
  readonly given: Given;
  /** True where it has a list of them. */
  readonly isMany: boolean;
  readonly reason: string;
}

/** Where the body has the resource, and what it is like; undefined where nothing is sent. */
interface Given {
  readonly wrapping: Wrapping;
  readonly view: SchemaNode | undefined;
}
