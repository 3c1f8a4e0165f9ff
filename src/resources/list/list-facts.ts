import { isNumber } from '../../base/json/number.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { plain } from '../../base/words.ts';
import type { Content } from '../../contract/content.ts';
import { ownName, schemaName } from '../../generate/space/discriminator.ts';
import { passedOverKeywords } from '../../schema/schema-keywords.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import type { ListMeaning, MemberPath } from '../meaning.ts';
import { nodeAt } from '../shape/wrapping.ts';
import { compileQuery } from './compile-query.ts';

export type ListFacts = ReturnType<typeof readFacts>;

export type DeclaredPart = ListFacts['parts'][number];

/** Returns the facts of a list in one of its media types. They are gathered once. */
export type FindListFacts = (meaning: ListMeaning, content: Content | undefined) => ListFacts;

export function createListFacts(nodes: SchemaNodes): FindListFacts {
  const known = new WeakMap<ListMeaning, Map<string, ListFacts>>();
  return (meaning, content) => {
    const pointer = content?.schema?.pointer;
    const ofMeaning = remember(known, meaning, () => new Map<string, ListFacts>());
    return remember(ofMeaning, pointer ?? '', () => readFacts(meaning, nodes, nodes.at(pointer)));
  };
}

function readFacts(meaning: ListMeaning, nodes: SchemaNodes, body: SchemaNode | undefined) {
  const { envelope, operation, query, type } = meaning;
  const list = nodeAt(body, envelope.path);
  const item = envelope.isByKey ? list?.additional : list?.items;
  const properties = nodes.at(type.schema?.pointer)?.names ?? item?.names ?? [];
  const most = list?.keyword(envelope.isByKey ? 'maxProperties' : 'maxItems');
  const mostItems = most !== undefined && isNumber(most) ? Number(most) : undefined;
  return {
    query: compileQuery(query, operation, nodes, properties, mostItems),
    item,
    /**
     * A body with up to so many items conforms if it does with each of them alone, and so it can be
     * put together; 0 where more is said of the list than what its items are like.
     */
    mostApart: envelope.isByKey ? 0 : mostApart(body, envelope.path),
    parts: envelope.parts.map((part) => ({
      ...part,
      node: nodeAt(body, part.path),
      /** True if the member and all around it are required. */
      isRequired: isRequiredAt(body, part.path),
    })),
    /** Members with one constant value: `object: list`. */
    constants: findConstants(meaning, body),
    /** Members called as a parameter of the path is: `garden_id` of `/gardens/{garden_id}/beds`. */
    named: findNamed(meaning, body),
  };
}

function mostApart(body: SchemaNode | undefined, path: MemberPath): number {
  const around = path.map((_, depth) => nodeAt(body, path.slice(0, depth)));
  const list = nodeAt(body, path);
  if (list === undefined || !describesOnly(list, ['items', 'maxItems'])) return 0;
  const areOpen = around.every(
    (node) =>
      node !== undefined &&
      describesOnly(node, ['properties', 'required', 'additionalProperties']) &&
      node.additional === undefined,
  );
  if (!areOpen) return 0;
  const limits = list.possible.map(({ value }) => value['maxItems'] ?? Number.POSITIVE_INFINITY);
  return Math.min(...limits.map(Number));
}

/** Returns true if no other keyword than these can refuse a value of the right type. */
function describesOnly(node: SchemaNode, keywords: readonly string[]): boolean {
  return node.possible.every(({ value }) =>
    Object.keys(value).every(
      (keyword) =>
        keywords.includes(keyword) ||
        CONJUNCTIVE.has(keyword) ||
        passedOverKeywords.has(keyword) ||
        keyword.startsWith('x-'),
    ),
  );
}

/** Keywords that do not look at what is in a value, or lead to other schemas of the node. */
const CONJUNCTIVE: ReadonlySet<string> = new Set(['type', '$ref', 'allOf']);

function findNamed({ envelope, operation }: ListMeaning, body: SchemaNode | undefined) {
  const parameters = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const own = new Set(envelope.parts.map(({ path }) => path[0]));
  return parameters.flatMap((parameter) => {
    const found = [...(envelope.path.length === 0 ? [] : (body?.properties ?? []))].find(
      ([name]) => plain(name) === plain(parameter) && !own.has(name),
    );
    return found === undefined ? [] : [{ parameter, name: found[0], pointer: found[1].pointer }];
  });
}

function findConstants({ envelope }: ListMeaning, body: SchemaNode | undefined) {
  if (body === undefined || envelope.path.length === 0) return [];
  const described = new Set(
    [envelope.path, ...envelope.parts.map(({ path }) => path)].map(([first]) => first),
  );
  const called = schemaName(body.identity);
  const kind = called && ownName(called);
  return [...body.names].flatMap((name) => {
    const value = described.has(name) ? undefined : constantOf(body.property(name), name, kind);
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** @param kind the name of the schema that has the member */
function constantOf(
  node: SchemaNode | undefined,
  name: string,
  kind: string | undefined,
): JsonValue | undefined {
  const list = node?.keyword('enum');
  const only = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  const example = NAMES_OF_KIND.has(name) ? node?.keyword('example') : undefined;
  const own = name === 'kind' && node?.types.has('string') && list === undefined ? kind : undefined;
  return node?.keyword('const') ?? only ?? node?.keyword('default') ?? example ?? own;
}

/** Names whose example holds for every list. */
const NAMES_OF_KIND: ReadonlySet<string> = new Set(['object', 'kind', 'type']);

function isRequiredAt(node: SchemaNode | undefined, path: readonly string[]): boolean {
  return path.every((name, depth) => nodeAt(node, path.slice(0, depth))?.required.has(name));
}
