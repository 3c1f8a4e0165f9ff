import { plain, singularName } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { ListParameter } from '../list/list-query.ts';
import type { DeleteMeaning, MemberPath } from '../meaning.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { findListQuery } from '../shape/query-roles.ts';
import type { CollectionDraft } from './draft.ts';
import type { Family } from './families.ts';
import { findKey } from './infer-key.ts';
import type { UntypedMeaning } from './meaning-parts.ts';

type Selection = Pick<DeleteMeaning, 'query' | 'keys'>;

/** The selection of a DELETE that names its resource in the path, or deletes all. */
export const SELECTING_NONE: Selection = Object.freeze({
  query: Object.freeze({ parameters: Object.freeze([]) }),
  keys: undefined,
});

/**
 * Returns how the query and the body of a DELETE of a collection select: by keys, by properties.
 *
 * @param key the property with the key
 * @returns undefined if something selects that is not understood
 */
export function findSelection(
  shape: OperationShape,
  { family, shown }: CollectionDraft,
  key: string | undefined,
): Selection | undefined {
  const { given, takesBytes, parameters } = shape;
  const isKey = keyNames(family.name, key);
  const queries = parameters.filter((one) => one.in === 'query');
  const byKey = queries.flatMap(({ name, node }): readonly ListParameter[] => {
    const isAlone = queries.length === 1 && node?.isArray === true && isOfKeys(node, '');
    return key !== undefined && (isKey(name) || isAlone) ? [filterByKey(name, key)] : [];
  });
  const others = filtersOf(shape.with({ given: undefined }), shown);
  const found = [...byKey, ...others.filter(({ name }) => !byKey.some((one) => one.name === name))];
  const keys = key === undefined ? undefined : findKeys(given?.node, isKey, key);
  // Beside what selects, other parameters are options, unless they are required.
  const isSelected = found.length > 0 || keys !== undefined;
  const isUnknown = ({ name, node, isRequired }: (typeof queries)[number]): boolean =>
    !found.some((one) => one.name === name) &&
    (isRequired || !(isSelected || node?.types.has('boolean')));
  if (takesBytes || queries.some(isUnknown)) return undefined;
  if (given === undefined || keys !== undefined || found.length > 0) {
    return { query: { parameters: found }, keys };
  }
  const inBody = filtersOf(shape.with({ parameters: [] }), shown);
  return inBody.length === 0 ? undefined : { query: { parameters: inBody }, keys };
}

/** Returns the member of a body that has the keys of those to list. */
export function findWantedKeys(
  { given }: OperationShape,
  { family }: CollectionDraft,
  key: string | undefined,
): readonly ListParameter[] {
  if (key === undefined) return [];
  const [name = ''] = findKeys(given?.node, keyNames(family.name, key), key) ?? [];
  const node = given?.node?.property(name);
  return node === undefined || node.items?.isObject === true ? [] : [filterByKey(name, key)];
}

function filterByKey(name: string, key: string): ListParameter {
  const role = { kind: 'filter', property: key.split('.'), comparison: 'equal' } as const;
  return { name, role, reason: 'it names keys' };
}

function filtersOf(shape: OperationShape, item: SchemaNode | undefined): readonly ListParameter[] {
  return findListQuery(shape, item).parameters.filter(({ role }) => role.kind === 'filter');
}

/** Returns the test for names of keys: `id`, `ids`, `plantIds`, `plants`. */
function keyNames(collection: string, key = 'id'): (name: string) => boolean {
  const one = plain(singularName(collection));
  const ends = [plain(key.split('.').at(-1) ?? key), 'id'];
  const words = new Set([
    plain(collection),
    ...ends.flatMap((end) => [end, `${end}s`, one + end, `${one}${end}s`]),
  ]);
  return (name) => words.has(plain(name));
}

/** Returns where a body has keys: `{"ids": [7]}`, `[7]`, `{"plants": [{"id": 7}]}`. */
function findKeys(
  node: SchemaNode | undefined,
  isKey: (name: string) => boolean,
  key: string,
): MemberPath | undefined {
  if (node === undefined) return undefined;
  if (isOfKeys(node, key)) return [];
  const isObjects = ({ items }: SchemaNode) => items?.isObject === true && items.names.has(key);
  const [name] =
    [...node.properties].find(([each, one]) => (isKey(each) ? !one.isObject : isObjects(one))) ??
    [];
  return name === undefined ? undefined : [name];
}

/** Returns true for a list of single values, or of objects with the key. */
function isOfKeys({ isArray, items }: SchemaNode, key: string): boolean {
  if (!isArray || items === undefined || items.isArray) return false;
  return items.isObject ? items.names.has(key) : items.keyword('enum') === undefined;
}

/**
 * `DELETE /plants/bulk`, `POST /plants/delete`: deletes those whose keys the body has.
 * `POST /plants/clear` deletes all.
 */
export function findRemoveMany(
  { name, collection }: Family,
  owner: CollectionDraft,
): readonly UntypedMeaning[] {
  const isClearing = CLEARING.test(name);
  const isRemoving = isClearing || /(?<!un)(?:delete|remove)/i.test(name);
  const shape =
    (isRemoving || MANY.test(name) ? collection?.get('DELETE') : undefined) ??
    (isRemoving ? collection?.get('POST') : undefined);
  if (shape === undefined) return [];
  const key = findKey(owner, () => undefined).property?.value;
  const selection = findSelection(shape, owner, key);
  if (selection === undefined) return [];
  const isOfAll = (isClearing || (isRemoving && MANY.test(name))) && shape.given === undefined;
  if (selection.keys === undefined && !isOfAll) return [];
  const { operation, method } = shape;
  const what = isOfAll ? 'which empties it' : 'with keys of what it holds';
  const reason = `${method} to a name below a collection, ${what}`;
  return [{ operation, kind: 'delete', isAll: true, ...selection, shown: undefined, reason }];
}

/** Names of operations on many. */
export const MANY = /batch|bulk|many|list|array|multiple|import/i;
const CLEARING = /^(?:clear|purge|empty|flush|(?:delete|remove)[-_]?all)$/i;
