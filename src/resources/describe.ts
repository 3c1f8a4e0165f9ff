import { stringifyJson } from '../base/json/stringify.ts';
import type { Operation } from '../contract/contract.ts';
import type { SchemaNodes } from '../schema/schema-node.ts';
import { COMPARISONS, LIST_ROLES, type ListParameter, type ListRole } from './list/list-query.ts';
import {
  type ActionMeaning,
  doingOf,
  ENVELOPE_ROLES,
  type Envelope,
  type EnvelopePart,
  type Explanation,
  type ListMeaning,
  type Meaning,
  type Resources,
  type Wrapping,
} from './meaning.ts';
import { createShowingFinder } from './relations.ts';
import {
  KEY_GENERATIONS,
  type ResourceKey,
  type ResourceType,
  SERVER_SET_ROLES,
  type ServerSetProperty,
} from './resource.ts';
import { findTwin } from './resource-facts.ts';

/** The meaning of an operation in words, for people and programs. */
export type DescribedOperation = ReturnType<typeof describeOperation>;
export type DescribedResource = ReturnType<typeof describeResource>;

export function describeOperation({ operation, meaning, reason }: Explanation) {
  const { method, path, id } = operation;
  return {
    method,
    path,
    operationId: id,
    // `list`, `delete-all`…; null if no meaning was inferred.
    does: meaning === undefined ? null : doingOf(meaning),
    resource: meaning?.type.name || null,
    reason,
    source: meaning?.source ?? null,
    // Further facts, one a line: `?limit asks for how many, because its name says so`.
    details: [...(meaning === undefined ? [] : detailsOf(meaning)), ...detailsOfStream(operation)],
  };
}

function* detailsOf(meaning: Meaning): Generator<string> {
  for (const { parameter, property } of meaning.type.parents) {
    if (property !== undefined) yield `only those whose ${property.value} is {${parameter}}`;
  }
  if (meaning.call?.key !== undefined) {
    const { name, in: location } = meaning.call.key;
    yield `the ${location} has the key under ${name}`;
  }
  yield* detailsOfGiven(meaning);
  if (meaning.kind === 'list') yield* detailsOfList(meaning);
  if (meaning.shown !== undefined) yield* placed('the response has it', meaning.shown);
  if ('query' in meaning) for (const one of meaning.query.parameters) yield describeParameter(one);
  yield* detailsOfKind(meaning);
}

function* detailsOfKind(meaning: Meaning): Generator<string> {
  switch (meaning.kind) {
    case 'create':
      if (meaning.copies) yield 'takes what the body does not have from the one of the path';
      return;
    case 'replace':
      if (meaning.createsAbsent) yield 'creates the resource if the key is unused';
      return;
    case 'login':
      for (const path of meaning.tokens) yield `gives a token${under(path)}`;
      return;
    case 'action':
      yield* detailsOfAction(meaning);
      return;
    case 'members': {
      const { does, property, member, names } = meaning;
      yield does === 'list' ? `shows ${property}` : `changes ${property} (${does}) by ${member}`;
      if (names !== undefined) yield `the body names them${under(names)}`;
      return;
    }
    case 'tags':
      yield `${TAGGING[meaning.does]}${under(meaning.tags)}`;
  }
}

const TAGGING = { list: 'shows tags', add: 'adds tags', remove: 'removes tags' } as const;

function* detailsOfList({ envelope, query }: ListMeaning): Generator<string> {
  yield* detailsOfEnvelope(envelope);
  if (query.isNewestFirst) yield 'the newest come first, because its description says so';
}

function* detailsOfStream(operation: Operation): Generator<string> {
  if (operation.fault !== undefined) return;
  const { responses, streamSwitch } = operation;
  const [stream] = responses.success?.response.streams ?? [];
  if (stream === undefined || streamSwitch === false) return;
  const isAlone = streamSwitch === true || responses.success?.response.contents.length === 1;
  const when = typeof streamSwitch === 'string' ? `${streamSwitch} is true` : 'Accept asks for it';
  yield `streams ${stream.mediaType}${isAlone ? '' : ` if ${when}`}`;
}

function* detailsOfAction(meaning: ActionMeaning): Generator<string> {
  const { sets, from, how, part, renews } = meaning;
  if (renews !== undefined) yield `makes a new ${renews}`;
  const what = part?.property ?? 'the lists that its body names';
  if (how === 'add') yield `adds to ${what}`;
  else if (how === 'remove') yield `removes from ${what}`;
  else if (part !== undefined) yield `sets ${part.property}`;
  for (const { property, value } of sets) {
    yield `sets ${property} to ${value.value}, because ${value.reason}`;
  }
  for (const { property, values } of from) {
    yield `is refused unless ${property} is ${values.value.join(' or ')}, because ${values.reason}`;
  }
}

function* detailsOfGiven(meaning: Meaning): Generator<string> {
  if (meaning.kind === 'delete' && meaning.keys !== undefined)
    yield `the body has the keys of those to delete${under(meaning.keys)}`;
  if (!('given' in meaning) || meaning.given === undefined) return;
  const isMany = (meaning.kind === 'create' || meaning.kind === 'patch') && meaning.isMany;
  const { path, inItem = [] } = meaning.given;
  const each = inItem.length === 0 ? '' : `, each${under(inItem)}`;
  if (isMany) yield `the body has a list of them${under(path)}${each}`;
  else yield* placed('the body has it', meaning.given);
  for (const [name, other] of meaning.given.renamed ?? []) yield `${name} is stored as ${other}`;
}

function* detailsOfEnvelope({ path, isByKey, parts, form, only }: Envelope): Generator<string> {
  if (isByKey) yield 'the response has them by their keys';
  else if (path.length > 0) yield `the response has them${under(path)}`;
  if (form === 'json-api') yield 'each is a resource object of JSON:API';
  if (only !== undefined) yield `shows ${only} of each, and nothing else`;
  for (const part of parts) yield describePart(part);
}

function* placed(what: string, { path, form, isInList }: Wrapping): Generator<string> {
  if (isInList) yield `${what} alone in a list${under(path)}`;
  else if (path.length > 0) yield `${what}${under(path)}`;
  if (form === 'json-api') yield `${what} as a resource object of JSON:API`;
}

function under(path: readonly string[]): string {
  return path.length === 0 ? '' : ` under ${path.join('.')}`;
}

function describePart({ path, role }: EnvelopePart): string {
  return `${path.join('.')} tells ${ENVELOPE_ROLES[role]}`;
}

function describeParameter({ name, member = [], role, reason }: ListParameter): string {
  const called = [name, ...member.map((one) => `[${one}]`)].join('');
  return `?${called} ${describeRole(role)}, because ${reason}`;
}

function describeRole(role: ListRole): string {
  if (role.kind === 'filter') {
    return `asks for ${role.property.join('.') || 'those'} ${COMPARISONS[role.comparison]}`;
  }
  return LIST_ROLES[role.kind === 'page' && role.first === 0 ? 'page-from-0' : role.kind];
}

export function describeResource(type: ResourceType, resources: Resources, nodes: SchemaNodes) {
  const { name, kind, path, itemPath, key } = type;
  const twin = findTwin(nodes, resources, type);
  const linked =
    twin === undefined ? [] : [`a create that names one of ${twin.name} puts that one in`];
  const below = createShowingFinder(
    nodes,
    resources,
  )(type).map(
    ({ property, isCount, child }) =>
      `${property} ${isCount ? 'counts' : 'shows'} those of ${child.name} below it`,
  );
  return {
    name,
    kind,
    path,
    itemPath: itemPath ?? null,
    key: key?.property?.value ?? null,
    details: [...factsOf(type), ...below, ...linked, ...beginningOf(type, resources)],
  };
}

/** Says what a list shows before the first write, unless a setting or a seed says otherwise. */
function beginningOf(type: ResourceType, resources: Resources): readonly string[] {
  const lists = resources.meaningsOf(type.name).filter(({ kind }) => kind === 'list');
  if (lists.length === 0) return [];
  const hasExample = lists.some(({ operation: { fault, responses } }) =>
    fault === undefined
      ? responses.success?.response.contents.some(({ examples }) => examples.length > 0)
      : false,
  );
  return [
    hasExample
      ? 'it begins with what the example of its list shows'
      : 'it begins with three resources, of examples or generated',
  ];
}

function* factsOfKey(key: ResourceKey, hasItemPath: boolean): Generator<string> {
  const { property, parameter, alternates, mayBeMe, generation } = key;
  if (property !== undefined) yield `its key is ${property.value}, because ${property.reason}`;
  else yield 'its key is not a property';
  if (parameter !== undefined)
    yield hasItemPath
      ? `its key is {${parameter}} in paths`
      : `calls have its key under ${parameter}`;
  if (alternates.length > 0) yield `paths may have its ${alternates.join(' or ')} instead`;
  if (mayBeMe) yield `me in paths is the first, because the description of {${parameter}} has it`;
  yield `a key is made ${KEY_GENERATIONS[generation.value]}, because ${generation.reason}`;
}

function* factsOf({ key, parents, serverSet, itemPath }: ResourceType): Generator<string> {
  if (key !== undefined) yield* factsOfKey(key, itemPath !== undefined);
  for (const { parameter, resource, property } of parents) {
    const whose = resource === undefined ? `{${parameter}}` : `one of ${resource}, {${parameter}}`;
    yield property === undefined
      ? `it belongs to ${whose}: each has its own collection`
      : `it belongs to ${whose}, as ${property.value} says, because ${property.reason}`;
  }
  for (const one of serverSet) if (one.role.value !== 'key') yield describeServerSet(one);
}

function describeServerSet({ name, role, initial }: ServerSetProperty): string {
  const isKnown = role.value === 'initial' && initial !== undefined;
  const value = isKnown ? ` to ${stringifyJson(initial)}` : '';
  return `the service sets ${name}${value}${SERVER_SET_ROLES[role.value]}, because ${role.reason}`;
}
