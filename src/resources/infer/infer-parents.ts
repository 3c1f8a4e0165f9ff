import { plain, singularName } from '../../base/words.ts';
import type { Names } from '../../schema/names.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { inferred, type Parent } from '../resource.ts';
import { lastName, type PathShape, shapeOf } from '../shape/path-shape.ts';
import type { Draft } from './draft.ts';
import type { Family } from './families.ts';
import { findIdentifier, type OverrideOf } from './infer-key.ts';
import { GENERIC } from './key-names.ts';

/** Returns the name of the collection whose items have a path, and of its family. */
export type CollectionAt = (
  path: PathShape,
) => { readonly name: string; readonly family: Family } | undefined;

/**
 * Returns the parents that the path of a resource names, each with the property that holds its key.
 *
 * @param key the property with the resource's own key
 */
export function findParents(
  { family, shown, written }: Draft,
  key: string | undefined,
  collectionAt: CollectionAt,
  overrideOf: OverrideOf,
): readonly Parent[] {
  const { segments } = family.path;
  const nodes = [shown, ...written].filter((node) => node !== undefined);
  const named: readonly Named[] = [
    ...nodes.map(({ singles }) => ({ path: '', names: singles, key })),
    ...nodes.flatMap((node) => {
      const names = node.property('metadata')?.singles;
      return names === undefined ? [] : [{ path: METADATA, names, key: keyInMetadata(key) }];
    }),
  ];
  const [isItem, last] = [family.item !== undefined, segments.length - 1];
  // The key of `/repos/{owner}/{repo}` has two parts.
  const isOfKey = (index: number) =>
    isItem && segments.slice(index).every(({ kind }) => kind === 'parameter');
  return segments.flatMap(({ kind, name: parameter }, index) => {
    if (kind !== 'parameter') return [];
    const path = shapeOf(segments.slice(0, index));
    const found = collectionAt(path);
    // `/repos/{owner}/{repo}` says nothing about one of `/repos`, unless `/repos/{owner}` shows one.
    const isPart = segments[index + 1]?.kind === 'parameter' || (isItem && index === last);
    const owner = isPart && found?.family.item === undefined ? undefined : found;
    const given = overrideOf(({ parents }) => parents.get(parameter));
    const property =
      given ??
      propertyOf(parameter, owner?.family.name ?? lastName(path), named) ??
      insideOf(parameter, owner?.family.name ?? '', nodes) ??
      (isOfKey(index) ? ownerOf(parameter, nodes) : undefined);
    return { parameter, resource: owner?.name, property: property?.value ? property : undefined };
  });
}

/** Names of properties that may be those of a parent, inside another one if a path leads there. */
interface Named {
  readonly path: string;
  readonly names: Names;
  /** The name of the resource's own key. */
  readonly key: string | undefined;
}

const METADATA = 'metadata.';

function keyInMetadata(key: string | undefined): string | undefined {
  return key?.startsWith(METADATA) ? key.slice(METADATA.length) : undefined;
}

function propertyOf(parameter: string, parent: string, named: readonly Named[]) {
  const one = plain(singularName(parent));
  const word = plain(parameter);
  const isGeneric = GENERIC.test(word);
  // Below a parent without a name, `id` is the resource's own.
  const wanted = new Set(isGeneric ? (one === '' ? [] : [one + word]) : [word]);
  const isId = isGeneric || word.endsWith('id');
  if (one !== '' && (isId || (word.startsWith(one) && !/(?:name|slug|login)$/.test(word)))) {
    wanted.add(`${one}id`);
  }
  const find = (words: readonly string[]): string | undefined => {
    for (const { path, names, key } of named) {
      const name = names.first(words, key);
      if (name !== undefined) return path + name;
    }
    return undefined;
  };
  // `project` of a ticket below `/projects/{projectKey}` has the key, too.
  const name = find([...wanted]) ?? (one === '' ? undefined : find([one]));
  return name === undefined ? undefined : inferred(name, `the path has ${parameter}`);
}

/** `workspace.gid` of `/workspaces/{workspace_gid}`. */
function insideOf(parameter: string, parent: string, nodes: readonly SchemaNode[]) {
  const one = plain(singularName(parent));
  const word = plain(parameter);
  const inner = word.startsWith(one) ? word.slice(one.length) : word;
  if (one === '' || !GENERIC.test(inner)) return undefined;
  for (const node of nodes) {
    if (node.styled.like(one) === undefined) continue;
    const owner = [...node.properties].find(
      ([name, { isArray, isObject }]) => plain(name) === one && isObject && !isArray,
    );
    const name = owner?.[1].singles.like(inner);
    if (owner !== undefined && name !== undefined)
      return inferred(`${owner[0]}.${name}`, `the path has ${parameter}`);
  }
  return undefined;
}

/** `owner.login` of `{owner}`. */
function ownerOf(parameter: string, nodes: readonly SchemaNode[]) {
  const word = plain(parameter);
  for (const node of nodes) {
    if (node.styled.like(word) === undefined) continue;
    for (const [name, inner] of node.properties) {
      const isIt = plain(name) === word && inner.isObject && !inner.isArray;
      const identifier = isIt ? findIdentifier(inner) : undefined;
      if (identifier !== undefined) {
        return inferred(`${name}.${identifier}`, `the path has ${parameter}`);
      }
    }
  }
  return undefined;
}
