import { plain, singularName, wordsOf } from '../../base/words.ts';
import { Names } from '../../schema/names.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { ResourceOverride } from '../override/overrides.ts';
import { type Fact, inferred, type ResourceKey } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { identifies } from '../shape/words.ts';
import { nodeAt } from '../shape/wrapping.ts';
import type { CollectionDraft } from './draft.ts';
import type { Family } from './families.ts';
import { asInPath, findGeneration, isNumeric, isPathStricter } from './key-generation.ts';
import { findForParameter, findUsual, GENERIC } from './key-names.ts';

/** Returns a member of the first override of a resource type that has it. */
export type OverrideOf = <Value>(
  of: (override: ResourceOverride) => Value | undefined,
) => Fact<Value> | undefined;

/** Returns the key of a collection's resources. */
export function findKey(draft: CollectionDraft, overrideOf: OverrideOf): ResourceKey {
  const { family, shown, shownByCreate, list, read } = draft;
  const [shape] = family.item?.values() ?? [];
  const parameter = shape?.path.segments.at(-1)?.name;
  const written = withoutNaming(draft, shape);
  const declared = declaredIn(shape);
  const answered = [shown, list?.item].filter((node) => node !== undefined);
  const created = [shownByCreate].filter((node) => node !== undefined);
  const nodes = [...answered, ...created, ...written];
  const isJsonApi = (read?.wrapping.form ?? list?.envelope.form) === 'json-api';
  const property =
    overrideOf(({ key }) => key) ??
    (isJsonApi
      ? inferred('id', 'a resource object of JSON:API has it')
      : inferProperty(draft, [answered, created, written], shape));
  const name = property?.value;
  const node =
    read?.key ??
    list?.key ??
    (name === undefined
      ? undefined
      : nodes.map((one) => propertyAt(one, name)).find((one) => one?.isSingle)) ??
    declared?.node;
  const hasName = nodes.some(({ names }) => names.has('name') || names.has('title'));
  const isSlug = hasName && /^(?:slug|name)$/.test(plain(name ?? ''));
  const found = findGeneration(node, isJsonApi, isSlug);
  const generation =
    overrideOf(({ generate }) => generate) ?? asInPath(found, node, declared?.node);
  const { pointer } = (isPathStricter(node, declared?.node) ? declared?.node : node) ?? {};
  const names = nodes.flatMap(({ singles }) => singles.all).filter((one) => one !== name);
  const said = [declared?.description, declared?.node?.keyword('description')].join(' ');
  const alternates = [
    ...new Set([...findAlternates(names, family.name, shape), ...findSaid(names, said)]),
  ];
  const mayBeMe = SAYS_ME.test(said);
  return Object.freeze({ property, parameter, alternates, mayBeMe, pointer, generation });
}

/** Returns the last parameter of an item's path as it is declared. */
function declaredIn(shape: OperationShape | undefined) {
  const parameter = shape?.path.segments.at(-1)?.name;
  return shape?.parameters.find((one) => one.in === 'path' && one.name === parameter);
}

/** @param sources the schemas of responses, of a create's response, and of requests */
function inferProperty(
  draft: CollectionDraft,
  sources: readonly [readonly SchemaNode[], readonly SchemaNode[], readonly SchemaNode[]],
  shape: OperationShape | undefined,
): Fact<string> | undefined {
  const { family } = draft;
  const [answered] = sources;
  const parameter = shape?.path.segments.at(-1)?.name;
  const inPath = { parameter, node: declaredIn(shape)?.node };
  const found =
    findNamedByPath(family, answered, inPath) ??
    findKeyProperty(sources, family.name, inPath) ??
    findInExample(family, answered, parameter);
  if (found !== undefined) return found;
  if (shape === undefined) return findWithoutPath(draft, answered, sources.flat());
  return shape.isCall ? findCalled(sources.flat(), family.name) : findOnlyName(answered, inPath);
}

/** "The special value `me` indicates the authenticated user." */
const SAYS_ME = /["'`\u2018\u201c]me["'`\u2019\u201d]/;

/** Returns the bodies without those whose `fleetId` only says which fleet to change. */
function withoutNaming({ written, created }: CollectionDraft, shape: OperationShape | undefined) {
  const naming = shape?.isCall ? (shape.path.segments.at(-1)?.name ?? '') : '';
  return written.filter((node) => node === created?.node || !node.names.has(naming));
}

/** Returns the property by which a call such as `DeleteSecret`, with a `secretId`, names a resource. */
function findCalled(nodes: readonly SchemaNode[], collection: string): Fact<string> | undefined {
  const names = singlesOf(nodes);
  const found = names.like('name') ?? names.all.find((name) => identifies(name, collection));
  return found === undefined ? undefined : inferred(found, 'calls name one by it');
}

/** Returns `id` and `name` for `{idOrName}`, and other addresses, where a resource has them. */
function findAlternates(
  names: readonly string[],
  collection: string,
  shape: OperationShape | undefined,
) {
  const words = wordsOf(shape?.path.segments.at(-1)?.name ?? '');
  const at = Math.max(0, words.indexOf('or'));
  const wanted = [words.slice(0, at), words.slice(at + 1)].map((one) => one.join(''));
  const one = plain(singularName(collection));
  const isWanted = (name: string): boolean =>
    at > 0 && wanted.some((each) => each === plain(name) || each === one + plain(name));
  const isOther = (name: string): boolean =>
    (shape?.isCall === true || /[au]rn$/i.test(name)) && identifies(name, collection);
  return names.filter((name) => isWanted(name) || isOther(name));
}

/** Returns `uid` if a parameter is described as "The garden's ID or UID". */
function findSaid(names: readonly string[], description: string): readonly string[] {
  const pairs = [...description.matchAll(/(\w+) or (?:(?:the|its|an?) )?(\w+)/gi)];
  const words = pairs.flatMap(([, one = '', other = '']) => {
    const pair = [plain(one), plain(other)];
    return pair.every((word) => GENERIC.test(word)) ? pair : [];
  });
  return words.length === 0 ? [] : names.filter((name) => words.includes(plain(name)));
}

/** Returns a property that identifies resources, although no path has it. */
function findWithoutPath(
  { created }: CollectionDraft,
  answered: readonly SchemaNode[],
  nodes: readonly SchemaNode[],
): Fact<string> | undefined {
  // A resource of a client may have the same code as another one.
  const unique = created === undefined ? findUnique(answered) : undefined;
  return unique ?? (nodes.some(isNameGiven) ? inferred('name', 'the service gives it') : undefined);
}

/** Returns true for a `name` that the service sets, or whose description says that it identifies. */
function isNameGiven(node: SchemaNode): boolean {
  const name = node.property('name');
  const description = String(name?.keyword('description') ?? '');
  return name?.keyword('readOnly') === true || GIVEN_NAME.test(description);
}

const GIVEN_NAME = /^output only\b|\b(?:resource|unique|full) name\b|\bidentifier (?:of|for)\b/i;

/** The last parameter of an item's path; undefined if items have no path. */
interface InPath {
  readonly parameter: string | undefined;
  readonly node: SchemaNode | undefined;
}

/**
 * Returns `name` beside an `id` if no client can set either, and clients name what they create in
 * the path: `PUT /gardens/{gardenId}`. The `id` is then of the whole service.
 */
function findNamedByPath(
  { collection, item }: Family,
  nodes: readonly SchemaNode[],
  { parameter = '', node }: InPath,
): Fact<string> | undefined {
  const word = plain(parameter);
  if (item === undefined || collection?.has('POST') === true) return undefined;
  if (GENERIC.test(word) || isNumeric(node)) return undefined;
  if (!item.has('PUT') && word.endsWith('id')) return undefined;
  const isSet = (name: string): boolean => {
    const own = nodes.flatMap((one) => one.property(name) ?? []);
    return (
      own.length > 0 && own.every((one) => isFreeText(one) && one.keyword('readOnly') === true)
    );
  };
  const isNamed = ['id', 'name'].every(isSet);
  return isNamed ? inferred('name', 'no request has it, so the path does') : undefined;
}

/** Returns the property that an example has, where no schema describes the resource. */
function findInExample(
  { name, item, collection }: Family,
  nodes: readonly SchemaNode[],
  parameter = '',
) {
  if (nodes.some(({ names }) => names.size > 0)) return undefined;
  const shape = item?.get('GET') ?? collection?.get('GET');
  const names = new Names(() => shape?.success?.exampleNames() ?? []);
  return findForParameter(names, name, parameter) ?? findUsual(names, name);
}

function isFreeText(node: SchemaNode): boolean {
  return node.types.has('string') && node.keyword('format') === undefined;
}

/** @param sources the schemas of responses, which come first, and of requests */
function findKeyProperty(
  sources: readonly (readonly SchemaNode[])[],
  collection: string,
  { parameter = '', node }: InPath,
): Fact<string> | undefined {
  // A request may name another resource, as a reply names the message that it replies to.
  for (const nodes of sources) {
    const names = singlesOf(nodes);
    const found =
      findForParameter(names, collection, parameter) ??
      findNamed(nodes, collection, { parameter, node }) ??
      findUsual(names, collection);
    if (found !== undefined) return found;
  }
  for (const nodes of sources) {
    const inner = findInside(nodes, parameter);
    if (inner !== undefined) return inner;
  }
  const isText = parameter !== '' && !isNumeric(node);
  for (const nodes of isText ? sources : []) {
    const found = findNested(nodes, collection, parameter) ?? findUnique(nodes);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `{repo}` of a repository whose `id` is a number is its `name`; `{username}` is the `login`. */
function findNamed(
  nodes: readonly SchemaNode[],
  collection: string,
  { parameter = '', node }: InPath,
): Fact<string> | undefined {
  const word = plain(parameter);
  const isBare = word === plain(singularName(collection)) || ACCOUNT.test(word);
  if (!isBare || node?.types.has('string') !== true) return undefined;
  const usual = findUsual(singlesOf(nodes), collection)?.value;
  if (usual === undefined || !nodes.some((one) => isNumeric(one.property(usual)))) return undefined;
  const name = nodes.map(findIdentifier).find((one) => one !== undefined);
  if (name === undefined) return undefined;
  return inferred(name, `{${parameter}} is a text, and ${usual} a number`);
}

const ACCOUNT = /^(?:user|username|login|handle|account|accountname)$/;

/** Properties with a text that identifies an object for people, the surest first. */
const IDENTIFIERS = ['login', 'username', 'handle', 'slug', 'key', 'code', 'name'];

/**
 * Returns the text that identifies an object: a required one, or any if the schema requires nothing.
 */
export function findIdentifier(node: SchemaNode | undefined): string | undefined {
  const words = IDENTIFIERS.filter((word) => node?.singles.like(word) !== undefined);
  if (node === undefined || words.length === 0) return undefined;
  const isAny = node.required.size === 0;
  const names = node.singles.all.filter(
    (name) => (isAny || node.required.has(name)) && node.property(name)?.types.has('string'),
  );
  return words.flatMap((word) => names.find((name) => plain(name) === word) ?? [])[0];
}

/** `metadata.name` of `{name}`, as in Kubernetes. */
function findNested(nodes: readonly SchemaNode[], collection: string, parameter: string) {
  for (const owner of ['metadata', 'meta']) {
    const names = singlesOf(nodes.map((node) => node.property(owner)));
    const found = findForParameter(names, collection, parameter);
    if (found !== undefined) return { ...found, value: `${owner}.${found.value}` };
  }
  return undefined;
}

/** `modelInfo.modelId` of `{modelId}`. */
function findInside(nodes: readonly SchemaNode[], parameter: string) {
  const word = plain(parameter);
  if (GENERIC.test(word) || !/(?:id|key|name|code|number|arn)$/.test(word)) return undefined;
  const [found] = nodes.flatMap((node) =>
    [...node.properties].flatMap(([owner, inner]) => {
      const name = inner.isArray ? undefined : inner.singles.like(word);
      return name === undefined ? [] : [`${owner}.${name}`];
    }),
  );
  return found === undefined
    ? undefined
    : inferred(found, `the path parameter is called ${parameter}`);
}

/** Properties that differ from one resource to the next, the surest first. */
const UNIQUE = ['username', 'slug', 'uri', 'sku', 'code', 'key'];
const MOST_BESIDE_CODE = 8;

function findUnique(nodes: readonly SchemaNode[]): Fact<string> | undefined {
  const names = singlesOf(nodes);
  // One of many texts of an event is a `code`, too, but not its own.
  const words = names.all.length > MOST_BESIDE_CODE ? UNIQUE.slice(0, -2) : UNIQUE;
  const [found] = words.flatMap((word) => names.like(word) ?? []);
  return found === undefined ? undefined : inferred(found, `no other has the same ${found}`);
}

/** `{tag_id}` of a tag that has nothing but a `name` to find it by. */
function findOnlyName(nodes: readonly SchemaNode[], { node }: InPath): Fact<string> | undefined {
  const [only, ...others] = singlesOf(nodes).all;
  const isKey = only === 'name' && others.length === 0 && !isNumeric(node);
  return isKey ? inferred(only, 'no other property can be the key') : undefined;
}

/** Returns the names of the properties that can be a key. */
function singlesOf(nodes: readonly (SchemaNode | undefined)[]): Names {
  return Names.join(nodes.flatMap((node) => node?.singles ?? []));
}

/** Returns the schema of a property, or of one inside another: `metadata.name`. */
function propertyAt(node: SchemaNode, name: string): SchemaNode | undefined {
  return node.property(name) ?? nodeAt(node, name.split('.'));
}
