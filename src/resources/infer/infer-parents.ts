import { plain, singularName } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { inferred, type Parent } from '../resource.ts';
import { lastName, type PathShape, shapeOf } from '../shape/path-shape.ts';
import type { Draft } from './draft.ts';
import type { Family } from './families.ts';
import { findIdentifier, type OverrideOf } from './infer-key.ts';
import { GENERIC, singleNames } from './key-names.ts';

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
  const nodes = [shown, ...written];
  const inside = nodes.flatMap((node) => singleNames(node?.property('metadata')));
  const names = [...nodes.flatMap(singleNames), ...inside.map((name) => `metadata.${name}`)].filter(
    (name) => name !== key,
  );
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
      propertyOf(parameter, owner?.family.name ?? lastName(path), names) ??
      insideOf(parameter, owner?.family.name ?? '', nodes) ??
      (isOfKey(index) ? ownerOf(parameter, nodes) : undefined);
    return { parameter, resource: owner?.name, property: property?.value ? property : undefined };
  });
}

function propertyOf(parameter: string, parent: string, names: readonly string[]) {
  const one = plain(singularName(parent));
  const word = plain(parameter);
  const isGeneric = GENERIC.test(word);
  // Below a parent without a name, `id` is the resource's own.
  const wanted = new Set(isGeneric ? (one === '' ? [] : [one + word]) : [word]);
  const isId = isGeneric || word.endsWith('id');
  if (one !== '' && (isId || (word.startsWith(one) && !/(?:name|slug|login)$/.test(word)))) {
    wanted.add(`${one}id`);
  }
  const find = (isWanted: (word: string) => boolean): string | undefined =>
    names.find((each) => isWanted(plain(each.replace(/^metadata\./, ''))));
  // `project` of a ticket below `/projects/{projectKey}` has the key, too.
  const name = find((each) => wanted.has(each)) ?? find((each) => one !== '' && each === one);
  return name === undefined ? undefined : inferred(name, `the path has ${parameter}`);
}

/** `workspace.gid` of `/workspaces/{workspace_gid}`. */
function insideOf(parameter: string, parent: string, nodes: readonly (SchemaNode | undefined)[]) {
  const one = plain(singularName(parent));
  const word = plain(parameter);
  const inner = word.startsWith(one) ? word.slice(one.length) : word;
  if (one === '' || !GENERIC.test(inner)) return undefined;
  for (const node of nodes) {
    const owner = [...(node?.properties ?? [])].find(
      ([name, { isArray, isObject }]) => plain(name) === one && isObject && !isArray,
    );
    const name = singleNames(owner?.[1]).find((each) => plain(each) === inner);
    if (owner !== undefined && name !== undefined)
      return inferred(`${owner[0]}.${name}`, `the path has ${parameter}`);
  }
  return undefined;
}

/** `owner.login` of `{owner}`. */
function ownerOf(parameter: string, nodes: readonly (SchemaNode | undefined)[]) {
  for (const node of nodes) {
    for (const [name, inner] of node?.properties ?? []) {
      const isIt = plain(name) === plain(parameter) && inner.isObject && !inner.isArray;
      const identifier = isIt ? findIdentifier(inner) : undefined;
      if (identifier !== undefined) {
        return inferred(`${name}.${identifier}`, `the path has ${parameter}`);
      }
    }
  }
  return undefined;
}
