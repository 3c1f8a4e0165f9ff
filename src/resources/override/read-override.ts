import { COMPARISONS, type ListRole } from '../list/list-query.ts';
import { KEY_GENERATIONS, SERVER_SET_ROLES, type ServerSetRole } from '../resource.ts';
import type { FormReader } from './form-reader.ts';
import {
  OPERATION_KINDS,
  type OperationOverride,
  type ParameterOverride,
  type ResourceOverride,
} from './overrides.ts';

const PROPERTY_ROLES = [...SERVER_SET_ROLES, 'nothing'] as const;

export function readOperationOverride(form: FormReader): OperationOverride {
  const override: OperationOverride = {
    does: form.choice('does', OPERATION_KINDS),
    resource: form.text('resource', /./),
    isSingleton: form.flag('singleton'),
    list: readPath(form, 'list'),
    given: readPath(form, 'given'),
    shown: readPath(form, 'shown'),
    isMany: form.flag('many'),
    sets: readSets(form),
    parameters: new Map(
      form
        .object('parameters')
        .members()
        .map(({ name, read }) => [name, readParameterOverride(read())]),
    ),
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

function readSets(form: FormReader): ReadonlyMap<string, string | boolean> {
  const sets = new Map<string, string | boolean>();
  for (const { name, value } of form.object('sets').members()) {
    if (typeof value === 'string' || typeof value === 'boolean') sets.set(name, value);
    else form.note('sets', `must have strings, true or false, which ${name} is not`);
  }
  return sets;
}

const ROLES = [
  'search',
  'sort',
  'order',
  'limit',
  'offset',
  'page',
  'page-from-0',
  'cursor',
  'cursor-before',
  'fields',
  'nothing',
] as const;

/** Reads the override of a parameter: `{filter: name, comparison: contains}` or `{role: limit}`. */
export function readParameterOverride(form: FormReader): ParameterOverride {
  const property = readPath(form, 'filter');
  const comparison = form.choice('comparison', COMPARISONS);
  const role = form.choice('role', ROLES);
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

function roleOf(role: (typeof ROLES)[number]): ListRole | undefined {
  switch (role) {
    case 'nothing':
      return undefined;
    case 'page':
      return { kind: 'page', first: 1 };
    case 'page-from-0':
      return { kind: 'page', first: 0 };
    default:
      return { kind: role };
  }
}

export function readResourceOverride(form: FormReader): ResourceOverride {
  const set = new Map<string, ServerSetRole | 'nothing'>();
  const properties = form.object('set');
  for (const { name } of properties.members()) {
    const role = properties.choice(name, PROPERTY_ROLES);
    if (role !== undefined) set.set(name, role);
  }
  const override: ResourceOverride = {
    key: form.text('key', /./),
    generate: form.choice('generate', KEY_GENERATIONS),
    set,
    parents: new Map(Object.entries(form.texts('parents') ?? {})),
  };
  form.refuseOthers();
  return override;
}

export function readPropertyOverride(form: FormReader): ServerSetRole | 'nothing' | undefined {
  form.require('set');
  const role = form.choice('set', PROPERTY_ROLES);
  form.refuseOthers();
  return role;
}
