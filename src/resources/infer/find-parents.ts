import type { SchemaNode } from '../../schema/schema-node.ts';
import type { Parent } from '../resource.ts';
import { type PathShape, shapeOf } from '../shape/path-shape.ts';
import { plain, singularName } from '../shape/words.ts';
import type { Draft } from './draft.ts';
import type { Fact } from './fact.ts';

/**
 * The parameters of a resource's path: to whom it belongs, and which of its properties says so.
 *
 * @param collectionAt gives the collection whose items have a path
 * @param key the property that is the resource's own key
 */
export function findParents(
  { family, shown, written }: Draft,
  collectionAt: (path: PathShape) => { readonly name: string; readonly family: string } | undefined,
  key: string | undefined,
  said: (parameter: string) => Fact<string> | undefined,
): readonly Parent[] {
  const { segments } = family.path;
  const views = [...(shown === undefined ? [] : [shown]), ...written];
  return segments.flatMap((segment, index): readonly Parent[] => {
    if (segment.kind !== 'parameter') return [];
    const owner = collectionAt(shapeOf(segments.slice(0, index)));
    const above = segments.slice(0, index).findLast(({ kind }) => kind === 'name')?.name ?? '';
    return [
      {
        parameter: segment.name,
        resource: owner?.name,
        property: propertyOf(segment.name, owner?.family ?? above, views, key, said),
      },
    ];
  });
}

function propertyOf(
  parameter: string,
  parent: string,
  views: readonly SchemaNode[],
  key: string | undefined,
  said: (parameter: string) => Fact<string> | undefined,
): Fact<string> | undefined {
  const told = said(parameter);
  if (told !== undefined) return told.value === '' ? undefined : told;
  return findProperty(parameter, parent, views, key);
}

/** Names that say nothing of whose they are. */
const GENERIC = /^(?:id|key|uuid|guid|sid|name|slug|code|number|username)$/;

function findProperty(
  parameter: string,
  parent: string,
  views: readonly SchemaNode[],
  key: string | undefined,
): Fact<string> | undefined {
  const one = plain(singularName(parent));
  const word = plain(parameter);
  const isGeneric = GENERIC.test(word);
  const wanted = new Set(isGeneric ? [`${one}${word}`] : [word]);
  if (one !== '' && (isGeneric || word.startsWith(one) || word.endsWith('id'))) {
    wanted.add(`${one}id`);
  }
  const name = views
    .flatMap((view) => [...view.names].filter((each) => isSingle(view.property(each))))
    .find((each) => wanted.has(plain(each)) && each !== key);
  if (name === undefined) return undefined;
  return { value: name, reason: `the path has ${parameter}`, source: 'inferred' };
}

function isSingle(view: SchemaNode | undefined): boolean {
  return view !== undefined && !view.isObject && !view.isArray && !view.types.has('boolean');
}
