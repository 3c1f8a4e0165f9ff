import type { Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import { COMPARISONS, LIST_ROLES, type ListRole } from '../list/list-query.ts';
import type { Scalars } from '../meaning.ts';
import { type Fact, KEY_GENERATIONS, SERVER_SET_ROLES, type ServerSetRole } from '../resource.ts';
import { namesOf } from '../shape/words.ts';
import type { FormReader } from './form-reader.ts';

/** All overrides. Those of the settings come before those of the document. */
export interface Overrides {
  ofOperation(operation: Operation): SourcedOperation | undefined;
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

export type OverrideSource = Exclude<Fact<unknown>['source'], 'inferred'>;

export interface Sourced<Value> {
  readonly value: Value;
  readonly source: OverrideSource;
  readonly report: (message: string, remedy?: string) => void;
}

const OPERATION_KINDS = [
  'create',
  'list',
  'read',
  'replace',
  'patch',
  'delete',
  'delete-all',
  'action',
  'login',
  'nothing',
] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Overrides the meaning of an operation. Members that are undefined are inferred. */
export type SourcedOperation = Sourced<Readonly<ReturnType<typeof readOperationOverride>>>;

export function readOperationOverride(form: FormReader) {
  const parameters = form.object('parameters').members();
  const override = {
    does: form.choice('does', OPERATION_KINDS),
    // The name of a resource type; an unknown name makes a new type.
    resource: form.text('resource'),
    isSingleton: form.flag('singleton'),
    list: readPath(form, 'list'),
    // Names of members that lead to the resource in the request body and in the response.
    given: readPath(form, 'given'),
    shown: readPath(form, 'shown'),
    isMany: form.flag('many'),
    // The member that asks for a stream. The contract reads it, so it is only in the document.
    stream: form.any('stream'),
    sets: readSets(form, 'sets'),
    // The values of properties with which an action is allowed; an empty object for all.
    from: form.any('from') === undefined ? undefined : readChoices(form, 'from'),
    parameters: new Map(parameters.map(({ name, read }) => [name, readParameterOverride(read())])),
  };
  form.refuseOthers();
  return override;
}

/** Reads `[data, items]`, or `data` alone. An empty list means the whole body. */
function readPath(form: FormReader, name: string): readonly string[] | undefined {
  const value = form.any(name);
  if (value === undefined) return undefined;
  const names = [value].flat();
  if (names.every((one) => typeof one === 'string')) return names as string[];
  form.note(name, 'must be the name of a member, or a list of names that lead to it');
  return undefined;
}

function readSets(form: FormReader, member: string): ReadonlyMap<string, string | boolean> {
  return new Map(
    [...readChoices(form, member)].flatMap(([name, [value, ...others]]) => {
      if (value !== undefined && others.length === 0) return [[name, value]];
      form.note(member, `must have one value for ${name}`);
      return [];
    }),
  );
}

/** Reads one value, or a list of values, for each property. */
function readChoices(form: FormReader, member: string): ReadonlyMap<string, Scalars> {
  const choices = new Map<string, Scalars>();
  for (const { name, value } of form.object(member).members()) {
    const values = [value].flat();
    const known = values.filter((one) => typeof one === 'string' || typeof one === 'boolean');
    if (known.length === values.length) choices.set(name, known);
    else form.note(member, `must have strings, true or false, which ${name} is not`);
  }
  return choices;
}

/** The values of a status from which and to which an action leads. */
export interface Transition {
  /** Undefined for the property whose enum has the values. */
  readonly property: string | undefined;
  readonly from: Scalars | undefined;
  readonly to: string | undefined;
}

function readTransition(form: FormReader): Transition {
  const [from] = form.any('from') === undefined ? [] : [readFrom(form)];
  const transition = { property: form.text('property'), from, to: form.text('to') };
  form.refuseOthers();
  return transition;
}

function readFrom(form: FormReader): Scalars {
  const values = [form.any('from') ?? []].flat();
  const known = values.filter((one) => typeof one === 'string');
  if (known.length < values.length) form.note('from', 'must be a string, or a list of strings');
  return known;
}

/** Overrides the role of a query parameter; undefined for no role. */
export interface ParameterOverride {
  readonly role: ListRole | undefined;
}

const PARAMETER_ROLES = [...namesOf(LIST_ROLES), 'nothing'] as const;

/** Reads the override of a parameter: `{filter: name, comparison: contains}` or `{role: limit}`. */
export function readParameterOverride(form: FormReader): ParameterOverride {
  const property = readPath(form, 'filter');
  const comparison = form.choice('comparison', namesOf(COMPARISONS));
  const role = form.choice('role', PARAMETER_ROLES);
  if ((property === undefined) === (role === undefined)) {
    form.note(undefined, 'must have either "filter" or "role"');
  }
  if (property === undefined && comparison !== undefined) {
    form.note('comparison', 'is of a filter');
  }
  form.refuseOthers();
  if (property === undefined) return { role: role && roleOf(role) };
  return { role: { kind: 'filter', property, comparison: comparison ?? 'equal' } };
}

function roleOf(role: (typeof PARAMETER_ROLES)[number]): ListRole | undefined {
  if (role === 'nothing') return undefined;
  if (role === 'page') return { kind: 'page', first: 1 };
  return role === 'page-from-0' ? { kind: 'page', first: 0 } : { kind: role };
}

const PROPERTY_ROLES = [...namesOf(SERVER_SET_ROLES), 'nothing'] as const;

export type ResourceOverride = Readonly<ReturnType<typeof readResourceOverride>>;

export function readResourceOverride(form: FormReader) {
  const set = new Map<string, ServerSetRole | 'nothing'>();
  const properties = form.object('set');
  for (const { name } of properties.members()) {
    const role = properties.choice(name, PROPERTY_ROLES);
    if (role !== undefined) set.set(name, role);
  }
  const override = {
    key: form.text('key'),
    generate: form.choice('generate', namesOf(KEY_GENERATIONS)),
    set,
    // The property with the key of the parent that a path parameter names; empty for none.
    parents: new Map(Object.entries(form.texts('parents') ?? {})),
    // The values of a new resource.
    initial: new Map(
      form
        .object('initial')
        .members()
        .map(({ name, value }) => [name, value]),
    ),
    // The states from which and to which actions lead, by the names of the actions.
    transitions: new Map(
      form
        .object('transitions')
        .members()
        .map(({ name, read }) => [name, readTransition(read())]),
    ),
  };
  form.refuseOthers();
  return override;
}

export function readPropertyOverride(form: FormReader): ServerSetRole | 'nothing' | undefined {
  if (form.any('set') === undefined) form.note(undefined, 'must have the member "set"');
  const role = form.choice('set', PROPERTY_ROLES);
  form.refuseOthers();
  return role;
}
