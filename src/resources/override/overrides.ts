import type { Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import type { ListRole } from '../list/list-query.ts';
import type { Fact, KeyGeneration, ServerSetRole } from '../resource.ts';

/** An override and where it comes from. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: Exclude<Fact<unknown>['source'], 'inferred'>;
  readonly report: Report;
}

type Report = (message: string, remedy?: string) => void;

export const OPERATION_KINDS = [
  'create',
  'list',
  'read',
  'replace',
  'patch',
  'delete',
  'delete-all',
  'action',
  'nothing',
] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Overrides the meaning of an operation. Members that are left out are inferred. */
export interface OperationOverride {
  readonly does: OperationKind | undefined;
  /** The name of a resource type; an unknown name makes a new type. */
  readonly resource: string | undefined;
  readonly isSingleton: boolean | undefined;
  readonly list: readonly string[] | undefined;
  /** Names of members that lead to the resource in the request body and in the response. */
  readonly given: readonly string[] | undefined;
  readonly shown: readonly string[] | undefined;
  readonly isMany: boolean | undefined;
  readonly sets: ReadonlyMap<string, string | boolean>;
  readonly parameters: ReadonlyMap<string, ParameterOverride>;
}

/** Overrides the role of a query parameter; undefined for no role. */
export interface ParameterOverride {
  readonly role: ListRole | undefined;
}

export interface ResourceOverride {
  readonly key: string | undefined;
  readonly generate: KeyGeneration | undefined;
  readonly set: ReadonlyMap<string, ServerSetRole | 'nothing'>;
  /** The property with the key of the parent that a path parameter names; empty for none. */
  readonly parents: ReadonlyMap<string, string>;
}

/** All overrides. Those of the settings come before those of the document. */
export interface Overrides {
  ofOperation(operation: Operation): Sourced<OperationOverride> | undefined;
  /** By the name of the type; an unknown name is reported. */
  readonly resources: ReadonlyMap<string, readonly Sourced<ResourceOverride>[]>;
  /** Overrides at Parameter Objects and at schemas of properties, by pointer. */
  readonly parameters: ReadonlyMap<Place, ParameterOverride>;
  readonly properties: ReadonlyMap<Place, ServerSetRole | 'nothing'>;
}

export const NO_OVERRIDES: Overrides = Object.freeze({
  ofOperation: () => undefined,
  resources: new Map(),
  parameters: new Map(),
  properties: new Map(),
});
