import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import { isDecoration } from '../decoration.ts';
import type { Envelope } from '../meaning.ts';
import { findEnvelopeParts } from './envelope-parts.ts';
import { readResourceObject } from './find-wrapping.ts';
import { plain, singularName } from './words.ts';

/** A body that holds a list, and what the items of it are like. */
export interface Listed {
  readonly envelope: Envelope;
  readonly item: SchemaNode;
  /** Of the key, where it stands beside the item, as JSON:API has it. */
  readonly key?: SchemaNode | undefined;
  readonly reason: string;
}

/** What is known of a list before its body is looked at. */
export interface Expectation {
  /** The last name of the path. */
  readonly collection: string;
  /** What a single one of them is like, where that is known. */
  readonly item: SchemaNode | undefined;
}

/** @returns undefined for what is no list of objects */
export function findEnvelope(
  view: SchemaNode | undefined,
  expectation: Expectation,
): Listed | undefined {
  if (view === undefined) return undefined;
  if (view.isArray) return ofArray(view, view, [], 'the answer is an array');
  const byKey = findByKey(view, expectation);
  if (byKey !== undefined) return byKey;
  const [best] = [...findArrays(view, expectation, [])].sort((a, b) => b.score - a.score);
  if (best === undefined) return undefined;
  return ofArray(
    view,
    best.array,
    best.path,
    `the answer holds an array under ${best.path.join('.')}`,
  );
}

function ofArray(
  body: SchemaNode,
  array: SchemaNode,
  path: readonly string[],
  reason: string,
): Listed | undefined {
  const item = array.items;
  if (item === undefined || !item.isObject) return undefined;
  const parts = path.length === 0 ? [] : findEnvelopeParts(body, path);
  const resourceObject = readResourceObject(item);
  if (resourceObject === undefined) {
    return { envelope: { path, form: 'plain', isByKey: false, parts }, item, reason };
  }
  const { wrapping, view, key } = resourceObject;
  return {
    envelope: { ...wrapping, path, isByKey: false, parts },
    item: view,
    key,
    reason: `${reason} of JSON:API's resource objects`,
  };
}

/** `{"fern": {…}, "moss": {…}}`, where one of them is known to be like that. */
function findByKey(view: SchemaNode, { item }: Expectation): Listed | undefined {
  const { additional } = view;
  const isMap = view.names.size === 0 && additional?.isObject === true;
  if (!isMap || item === undefined || likeness(additional, item) < ALIKE) return undefined;
  return {
    envelope: { path: [], form: 'plain', isByKey: true, parts: [] },
    item: additional,
    reason: 'the answer is an object of them by their keys',
  };
}

interface FoundArray {
  readonly path: readonly string[];
  readonly array: SchemaNode;
  readonly score: number;
}

const ALIKE = 0.6;
const DEEPEST = 3;

const LIST_NAMES: ReadonlySet<string> = new Set(
  `data items results result entries records values list content contents rows elements objects
  resources collection hits value members docs documents`.split(/\s+/),
);

/** Arrays that stand beside a list more often than they are it. */
const ASIDE = /^(?:errors?|warnings|links|included|facets|messages|filters|sort|aggregations)$/;

function* findArrays(
  view: SchemaNode,
  expectation: Expectation,
  path: readonly string[],
): Generator<FoundArray> {
  // What has a key is a thing, and its arrays are its own.
  if (path.length > DEEPEST || view.names.has('id')) return;
  for (const name of view.names) {
    const inner = view.property(name);
    if (inner === undefined) continue;
    const at = [...path, name];
    if (inner.isArray) {
      const score = scoreOf(view, name, inner, expectation);
      if (score > 0) yield { path: at, array: inner, score: score - path.length };
    } else if (inner.isObject && isWay(view, name, expectation)) {
      yield* findArrays(inner, expectation, at);
    }
  }
}

/** @returns 0 for an array that is a property of a thing, and no list of things */
function scoreOf(
  owner: SchemaNode,
  name: string,
  array: SchemaNode,
  { collection, item }: Expectation,
): number {
  const { items } = array;
  if (items === undefined || !items.isObject) return 0;
  const word = plain(name);
  const isOwn =
    word === plain(collection) || singularName(word) === singularName(plain(collection));
  if (ASIDE.test(word) && !isOwn) return 0;
  const alike = item === undefined ? 0 : likeness(items, item);
  const others = [...owner.names].filter((other) => other !== name && !isDecoration(other));
  if (alike >= ALIKE) return 20 + alike;
  if (others.length > (isOwn ? 1 : 0)) return 0;
  if (isOwn) return 15;
  return LIST_NAMES.has(word) ? 12 : 10;
}

/** A member that leads to a list, and is not a part of a thing that has a list. */
function isWay(owner: SchemaNode, name: string, { collection }: Expectation): boolean {
  const word = plain(name);
  const leads =
    isDecoration(name) ||
    LIST_NAMES.has(word) ||
    word === 'payload' ||
    word === 'body' ||
    word === plain(collection);
  return leads && [...owner.names].every((other) => other === name || isDecoration(other));
}
