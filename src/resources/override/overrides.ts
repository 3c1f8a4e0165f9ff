import type { Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import type { Comparison, ListRole } from '../list/list-query.ts';
import type { Fact, KeyGeneration, ServerSetRole } from '../resource.ts';

/** Something that somebody said of what operations mean, and where. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Exclude<Fact<unknown>['source'], 'inferred'>;
  /** Of what said it, for complaints. */
  readonly report: Complain;
}

/** Notes what is wrong with what was said. */
type Complain = (message: string, remedy?: string) => void;

export type OperationKind =
  | 'create'
  | 'list'
  | 'read'
  | 'replace'
  | 'patch'
  | 'delete'
  | 'delete-all'
  | 'action'
  | 'nothing';

/** What is said of an operation; what is left out is inferred. */
export interface OperationOverride {
  readonly does: OperationKind | undefined;
  /** A name of a resource; a new one if none is called so. */
  readonly resource: string | undefined;
  readonly isSingleton: boolean | undefined;
  /** Names of members that lead to the list of an answer. */
  readonly list: readonly string[] | undefined;
  /** Names of members that lead to the resource in the request's body, and in an answer. */
  readonly given: readonly string[] | undefined;
  readonly shown: readonly string[] | undefined;
  readonly isMany: boolean | undefined;
  readonly sets: ReadonlyMap<string, string | boolean>;
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
}

/** What a query parameter asks; undefined for nothing. */
export interface ParameterOverride {
  readonly role: ListRole | undefined;
}

/** What is said of a resource. */
export interface ResourceOverride {
  readonly key: string | undefined;
  readonly generate: KeyGeneration | undefined;
  readonly set: ReadonlyMap<string, ServerSetRole | 'nothing'>;
  /** The property that holds the key of the parent that a path parameter names; empty for none. */
  readonly parents: ReadonlyMap<string, string>;
}

/** All that was said; the settings before the document. */
export interface Overrides {
  ofOperation(operation: Operation): Sourced<OperationOverride> | undefined;
  /** By what each is said of: a name that no resource has is complained of. */
  readonly resources: ReadonlyMap<string, readonly Sourced<ResourceOverride>[]>;
  /** Of Parameter Objects, and of schemas of properties; by where they stand. */
  readonly parameters: ReadonlyMap<Place, ParameterOverride>;
  readonly properties: ReadonlyMap<Place, ServerSetRole | 'nothing'>;
}

export const NO_OVERRIDES: Overrides = Object.freeze({
  ofOperation: () => undefined,
  resources: new Map(),
  parameters: new Map(),
  properties: new Map(),
});

export const COMPARISONS: readonly Comparison[] = [
  'equal',
  'not-equal',
  'contains',
  'starts-with',
  'less',
  'at-most',
  'greater',
  'at-least',
];

export const GENERATIONS: readonly KeyGeneration[] = [
  'number',
  'numeric-text',
  'uuid',
  'by-schema',
  'slug',
];

export const SERVER_SET_ROLES: readonly (ServerSetRole | 'nothing')[] = [
  'key',
  'created-at',
  'updated-at',
  'revision',
  'self',
  'given',
  'nothing',
];
