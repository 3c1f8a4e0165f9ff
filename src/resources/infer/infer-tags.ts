import { groupBy } from '../../base/remember.ts';
import { plain } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { MemberPath, TagsMeaning } from '../meaning.ts';
import { inferred, NOBODY, type ResourceType } from '../resource.ts';
import { NAMING } from '../shape/call.ts';
import { inputsOf, type OperationShape } from '../shape/operation-shape.ts';
import type { ParameterShape } from '../shape/parameter-shape.ts';
import { bareName } from '../shape/words.ts';
import type { Families } from './families.ts';

interface Tagging {
  readonly shape: OperationShape;
  readonly does: TagsMeaning['does'];
  /** The path, or the noun of a call, that lists and changes have in common. */
  readonly owner: string;
  /** What names the resource: a member of the body, or a parameter. */
  readonly named: Pick<ParameterShape, 'name' | 'in'>;
  readonly tags: MemberPath;
  readonly node: SchemaNode | undefined;
}

/**
 * Finds what lists, adds and removes the tags of anything that an id or an ARN names: `GET`, `POST`
 * and `DELETE /tags/{arn}`, `ListTagsForResource`, `TagResource` and `UntagResource`.
 */
export function inferTags({ shapes }: Families): readonly TagsMeaning[] {
  const found = [...shapes().values()].flatMap((shape) => readTagging(shape) ?? []);
  const groups = groupBy(found, ({ shape, owner }) => `${shape.operation.root} ${owner}`);
  return [...groups.values()].flatMap((group) => {
    const list = group.find(({ does }) => does === 'list');
    const isChanged = group.some(({ does }) => does === 'add');
    return list !== undefined && isChanged ? group.map((one) => meaningOf(one, list)) : [];
  });
}

function meaningOf({ shape, does, owner, named, tags }: Tagging, list: Tagging): TagsMeaning {
  const { items } = list.node ?? {};
  const names = [...(items?.names ?? [])];
  return {
    kind: 'tags',
    operation: shape.operation,
    type: typeOf(owner, named.name),
    does,
    tags,
    key: items && (names.find((name) => /(?:key|name)$/i.test(name)) ?? names[0]),
    ...(named.in === 'path' ? {} : { call: { key: named } }),
    shown: undefined,
    reason: 'its name says so, and others list and change the same tags',
    source: 'inferred',
  };
}

function typeOf(name: string, parameter: string): ResourceType {
  const property = undefined;
  const generation = inferred('uuid' as const, 'only requests name one');
  const key = {
    property,
    parameter,
    alternates: [],
    mayBeMe: false,
    pointer: undefined,
    generation,
  };
  return Object.freeze({ ...NOBODY, name, kind: 'collection', path: `/${name}`, key });
}

/** Returns true for an operation that lists or changes tags, if others do, too. */
export function isTagging(shape: OperationShape): boolean {
  return readTagging(shape) !== undefined;
}

function readTagging(shape: OperationShape): Tagging | undefined {
  const { path, method } = shape.operation;
  if (!/tag/i.test(path)) return undefined;
  const [, base, parameter] = /^\/([^{}]*tags)\/\{([^{}]+)\}(?:#.*)?$/i.exec(path) ?? [];
  if (base !== undefined && parameter !== undefined) {
    const does = METHODS.get(method);
    return does && withTags({ shape, does, owner: base, named: { name: parameter, in: 'path' } });
  }
  const name = bareName(path.slice(path.lastIndexOf('/') + 1)).replace(/^[#?]/, '');
  for (const [does, pattern] of CALLS) {
    const [whole, ...nouns] = pattern.exec(name) ?? [];
    const named = whole === undefined ? undefined : findNamed(shape);
    if (named === undefined) continue;
    const noun = plain(nouns.find((one) => one !== undefined && one !== '') ?? 'resource');
    return withTags({ shape, does, owner: `${noun}Tags`, named });
  }
  return undefined;
}

const METHODS: ReadonlyMap<string, TagsMeaning['does']> = new Map([
  ['GET', 'list'],
  ['POST', 'add'],
  ['PUT', 'add'],
  ['DELETE', 'remove'],
]);

const CALLS: readonly (readonly [TagsMeaning['does'], RegExp])[] = [
  ['list', /^(?:list|get|describe)(?:tags(?:for|of)?(\w*)|(\w+)tags)$/i],
  ['remove', /^(?:untag|(?:remove|delete)tags(?:from)?)(\w*)$/i],
  ['add', /^(?:tag|addtags(?:to)?)(\w*)$/i],
];

/** Returns the input of a call with the id of what is tagged. */
function findNamed(shape: OperationShape): ParameterShape | undefined {
  const all = inputsOf(shape).filter(
    ({ name, node }) => NAMING.test(plain(name)) && node?.types.has('string') === true,
  );
  return all.find(({ isRequired }) => isRequired) ?? all[0];
}

/** Returns where the tags are, or their names; undefined if there are none. */
function withTags(tagging: Omit<Tagging, 'tags' | 'node'>): Tagging | undefined {
  const { shape, does } = tagging;
  const members =
    does === 'list'
      ? [...(shape.success?.node?.properties ?? [])].map(([name, node]) => ({ name, node }))
      : inputsOf(shape);
  const holds = does === 'remove' ? holdsNames : holdsTags;
  const found = members.find(({ name, node }) => /tag/i.test(name) && holds(node));
  return found && { ...tagging, tags: [found.name], node: found.node };
}

/** Returns true for a list of tags, and for an object with their names and values. */
function holdsTags(node: SchemaNode | undefined): boolean {
  if (node?.isArray === true) return node.items?.isObject === true;
  return node?.isObject === true && node.names.size === 0;
}

function holdsNames(node: SchemaNode | undefined): boolean {
  return node?.isArray === true && node.items?.isObject !== true;
}
