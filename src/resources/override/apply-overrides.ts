import { groupBy } from '../../base/remember.ts';
import type { Operation } from '../../contract/contract.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { findFrom, findSets } from '../infer/action-sets.ts';
import { assemble } from '../infer/assemble.ts';
import type { Draft } from '../infer/draft.ts';
import type { Families } from '../infer/families.ts';
import { loginMeaning, type People } from '../infer/infer-login.ts';
import { SELECTING_NONE } from '../infer/infer-removal.ts';
import { createsAbsent, fieldsOf } from '../infer/meaning-parts.ts';
import { type AssembledType, changeType } from '../infer/share-types.ts';
import {
  type ActionMeaning,
  doingOf,
  type Meaning,
  type MemberPath,
  type Wrapping,
} from '../meaning.ts';
import type { Fact, ResourceType } from '../resource.ts';
import { findEnvelope, type Listed, listAt } from '../shape/envelope.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName } from '../shape/path-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';
import { findWrapping, nodeAt, PLAIN, readResourceObject } from '../shape/wrapping.ts';
import { draftFrom } from './declared-draft.ts';
import type {
  OperationKind,
  OverrideSource,
  Overrides,
  ResourceOverride,
  Sourced,
  SourcedOperation,
} from './overrides.ts';

type KnownTypes = Map<string, AssembledType>;
type Meanings = Map<Operation, Meaning>;

/**
 * Applies the overrides to the inferred meanings.
 *
 * @param meanings are changed in place
 */
export function applyOverrides(
  families: Families,
  inferred: Iterable<AssembledType>,
  meanings: Meanings,
  people: () => People,
): void {
  // Of types that share a name, the one without parents is kept; it comes last.
  const sorted = [...inferred].sort((a, b) => b.type.parents.length - a.type.parents.length);
  const known: KnownTypes = new Map(sorted.map((one) => [one.type.name, one]));
  addNew(families, known, () => people().me?.node);
  reportUnknown(families.overrides, known);
  for (const shape of families.shapes().values()) {
    const { operation, override: sourced } = shape;
    if (sourced === undefined) continue;
    const inferred = meanings.get(operation);
    const isLogin = (sourced.value.does ?? inferred?.kind) === 'login';
    const meaning = isLogin
      ? loginUnder(shape, sourced, people())
      : meanUnder({ shape, sourced, inferred }, known);
    if (meaning === undefined) meanings.delete(operation);
    else meanings.set(operation, meaning);
  }
  applyTransitions(families.overrides, known, meanings);
}

/** Returns the meaning of an operation that gives a token, whatever it is called. */
function loginUnder(shape: OperationShape, { source, report }: SourcedOperation, people: People) {
  const meaning = loginMeaning(shape, people);
  if (meaning.tokens.length > 0) return { ...meaning, reason: SAID, source };
  report('its response has no token', 'A token is a text called `token`, `accessToken`, `jwt`…');
  return undefined;
}

function addNew(families: Families, known: KnownTypes, caller: () => SchemaNode | undefined): void {
  const named = groupBy([...families.shapes().values()], (one) => one.override?.value.resource);
  for (const [name, shapes] of named) {
    if (name === undefined || known.has(name)) continue;
    const draft = draftFrom(shapes);
    const assembled = assemble(families, { draft, name, caller }, (path) => {
      const owner = families.find(draft.family.root, path);
      const one = [...known.values()].find(({ draft: { family } }) => family === owner);
      return one && { name: one.type.name, family: one.draft.family };
    });
    known.set(name, assembled);
  }
}

function reportUnknown({ resources }: Overrides, known: KnownTypes): void {
  const names = [...known.keys()].join(', ');
  for (const [name, sourced] of resources) {
    const type = known.get(name);
    for (const one of sourced) {
      if (type !== undefined) reportUnknownParts(type, one);
      else
        one.report(`there is no resource ${JSON.stringify(name)}`, `There are ${names || 'none'}.`);
    }
  }
}

function reportUnknownParts({ draft, type }: AssembledType, override: Sourced<ResourceOverride>) {
  const { value, report } = override;
  const { name } = type;
  const properties = new Set(
    [draft.shown, ...draft.written].flatMap((node) => [...(node?.names ?? [])]),
  );
  const named = [
    value.key ?? '',
    ...value.set.keys(),
    ...value.parents.values(),
    ...value.initial.keys(),
  ];
  for (const property of named) {
    if (property === '' || properties.size === 0 || properties.has(property)) continue;
    report(
      `${name} has no property ${JSON.stringify(property)}`,
      `Its properties are ${[...properties].join(', ')}.`,
    );
  }
  for (const parameter of value.parents.keys()) {
    if (type.parents.some((one) => one.parameter === parameter)) continue;
    report(`the path of ${name} has no parameter ${JSON.stringify(parameter)}`);
  }
}

/**
 * Returns the meaning of an operation with an override. What the override leaves out is inferred.
 *
 * @returns undefined for none, and if the override does not fit the operation, which is reported
 */
function meanUnder(subject: Subject, types: KnownTypes): Meaning | undefined {
  const { shape, sourced, inferred } = subject;
  const { value, report } = sourced;
  const does = value.does ?? (inferred && doingOf(inferred));
  if (does === 'nothing' || does === 'login') return undefined;
  if (does === 'upload' || does === 'download' || does === 'members' || does === 'tags') {
    return inferred;
  }
  if (does === undefined) {
    if (value.parameters.size > 0 || value.stream !== undefined) return undefined;
    report('nothing was inferred for the operation, so it must have the member "does"');
    return undefined;
  }
  const known = types.get(value.resource ?? inferred?.type.name ?? '');
  if (known === undefined) {
    report('no resource was inferred for the operation, so it must have the member "resource"');
    return undefined;
  }
  const isOwn = inferred !== undefined && known.type.name === inferred.type.name;
  const type = isOwn ? inferred.type : atPath(known.type, shape);
  return overrideMeaning({ ...subject, draft: known.draft, type, does });
}

interface Subject {
  readonly shape: OperationShape;
  readonly sourced: SourcedOperation;
  readonly inferred: Meaning | undefined;
}

interface Overridden extends Subject, AssembledType {
  readonly does: Exclude<OperationKind, 'nothing' | 'login'>;
}

function overrideMeaning(subject: Overridden): Meaning | undefined {
  const { shape, sourced, draft, type, inferred, does } = subject;
  const { value, source } = sourced;
  const reason = value.does === undefined ? (inferred?.reason ?? '') : SAID;
  const { name: collection } = draft.family;
  const wrappingOf = (
    node: SchemaNode | undefined,
    path: MemberPath | undefined,
    known?: Wrapping,
  ) =>
    path === undefined
      ? (known ?? findWrapping(node, collection)?.wrapping)
      : { ...(readResourceObject(nodeAt(node, path))?.wrapping ?? PLAIN), path };
  const shown = wrappingOf(shape.success?.node, value.shown, inferred?.shown);
  const base = { operation: shape.operation, type, reason, source, shown };
  const known = inferred !== undefined && 'given' in inferred ? inferred.given : undefined;
  const given = wrappingOf(shape.given?.node, value.given, known) ?? PLAIN;
  switch (does) {
    case 'list':
      return listMeaning(subject, base);
    case 'create': {
      const isMany = value.isMany ?? (inferred?.kind === 'create' && inferred.isMany);
      return { ...base, kind: 'create', given, isMany };
    }
    case 'read':
      return { ...base, kind: 'read', query: fieldsOf(shape) };
    case 'replace':
      return { ...base, kind: 'replace', given, createsAbsent: createsAbsent(shape) };
    case 'patch':
      return { ...base, kind: 'patch', given };
    case 'delete':
    case 'delete-all':
      return { ...base, kind: 'delete', isAll: does === 'delete-all', ...SELECTING_NONE };
    case 'action':
      return {
        ...base,
        kind: 'action',
        name: lastName(shape.path),
        given: shape.given === undefined ? undefined : given,
        ...setsOf(subject),
      };
  }
}

function listMeaning(
  { shape, sourced: { value, report }, draft }: Overridden,
  base: Pick<Meaning, 'operation' | 'type' | 'reason' | 'source'>,
): Meaning | undefined {
  const { shown, family } = draft;
  const body = shape.success?.node;
  const list: Listed | undefined =
    value.list === undefined
      ? findEnvelope(body, { collection: family.name, item: shown })
      : listAt(body, value.list);
  if (list === undefined) {
    report('its response has no list of objects', 'Say where it is: `list: [data, items]`.');
    return undefined;
  }
  const query = findListQuery(shape, list.item);
  return { ...base, kind: 'list', envelope: list.envelope, query, shown: undefined };
}

function setsOf(subject: Overridden): Pick<ActionMeaning, 'sets' | 'from'> {
  const { shape, sourced, draft } = subject;
  const { value: override, source } = sourced;
  const name = lastName(shape.path);
  const given = [...override.sets].map(([property, value]) => {
    return { property, value: say(value, source) };
  });
  const sets = given.length > 0 ? given : findSets(name, draft.shown);
  const { from } = override;
  const declares409 = shape.statuses.has('409');
  if (from === undefined) return { sets, from: findFrom(name, sets, { ...draft, declares409 }) };
  const allowed = [...from].map(([property, values]) => {
    return { property, values: say(values, source) };
  });
  return { sets, from: allowed };
}

function say<Value>(value: Value, source: OverrideSource): Fact<Value> {
  return { value, reason: SAID, source };
}

const SAID = 'an override says so';

function applyTransitions({ resources }: Overrides, known: KnownTypes, meanings: Meanings): void {
  for (const [operation, meaning] of meanings) {
    if (meaning.kind !== 'action') continue;
    const { name } = meaning.type;
    const sourced = resources.get(name)?.find(({ value }) => value.transitions.has(meaning.name));
    const changed = sourced && withTransition(meaning, sourced, known.get(name)?.draft);
    if (changed !== undefined) meanings.set(operation, changed);
  }
}

function withTransition(
  meaning: ActionMeaning,
  { value, source, report }: Sourced<ResourceOverride>,
  draft: Draft | undefined,
): ActionMeaning | undefined {
  const { from, to, property: named } = value.transitions.get(meaning.name) ?? NO_TRANSITION;
  const property = named ?? propertyWith(to ?? from?.[0], draft);
  if (property === undefined) {
    const wanted = to ?? from?.join(', ');
    report(`no property of ${meaning.type.name} has ${wanted} in its enum`, 'Name the `property`.');
    return undefined;
  }
  return {
    ...meaning,
    sets: to === undefined ? meaning.sets : [{ property, value: say(to, source) }],
    from: from === undefined ? meaning.from : [{ property, values: say(from, source) }],
  };
}

const NO_TRANSITION = { property: undefined, from: undefined, to: undefined };

function propertyWith(value: string | boolean | undefined, draft: Draft | undefined) {
  if (value === undefined) return undefined;
  const properties = [...(draft?.shown?.properties ?? [])];
  return properties.find(([, node]) => [node.keyword('enum') ?? []].flat().includes(value))?.[0];
}

/** Returns the type with its key taken from the path of an operation elsewhere. */
function atPath(type: ResourceType, { path }: OperationShape): ResourceType {
  const item = path.segments.at(-1)?.kind === 'parameter' ? path : above(path);
  const last = item.segments.at(-1);
  const { key } = type;
  if (key === undefined || last?.kind !== 'parameter' || key.parameter === last.name) return type;
  return changeType(type, { key: { ...key, parameter: last.name } });
}
