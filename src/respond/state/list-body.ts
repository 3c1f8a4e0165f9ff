import { isEqual } from '../../base/json/equal.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import { toText } from '../../media/text-codec.ts';
import type { ListFacts } from '../../resources/list/list-facts.ts';
import type { ShownItem } from '../../resources/list/write-envelope.ts';
import type { ListMeaning } from '../../resources/meaning.ts';
import { valueAt, wrapAlone } from '../../resources/wrapping.ts';
import { fitValue } from '../conform/fit-value.ts';
import { repair } from '../conform/repair.ts';
import { generateFor } from '../generated.ts';
import { identityOf, placeholderBody, placeholderResource } from './placeholder.ts';
import type { StateRequest } from './state-request.ts';

interface ListBody {
  readonly value: JsonValue;
  /** The number of items that it cannot contain. */
  readonly left: number;
}

/**
 * Makes the body of a list conform: completes each item by itself, leaves out items that cannot be
 * completed, and takes the rest from the example or generates it.
 *
 * @param write writes the body with its items
 * @returns undefined if no body conforms
 */
export function completeList(
  request: StateRequest<ListMeaning>,
  content: Content,
  facts: ListFacts,
  items: readonly ShownItem[],
  write: (items: readonly ShownItem[]) => JsonValue,
): ListBody | undefined {
  const { schema } = content;
  const projected = content.project(write(items));
  if (schema === undefined) return { value: projected, left: 0 };
  const violations = schema.check(projected, 'body');
  if (violations.length === 0) return { value: projected, left: 0 };
  const shown = completeItems(request, facts, items, projected);
  const value = complete(request, content, content.project(write(shown)));
  return value === undefined ? undefined : { value, left: items.length - shown.length };
}

function completeItems(
  request: StateRequest<ListMeaning>,
  { item }: ListFacts,
  items: readonly ShownItem[],
  projected: JsonValue,
): readonly ShownItem[] {
  const { meaning, material } = request;
  if (item === undefined) return items;
  const schema = material.contract.schemas.schemaAt(item.pointer, 'response');
  const list = valueAt(projected, meaning.envelope.path);
  return items.flatMap((one, index) => {
    const value = itemOf(list, one, index);
    if (value === undefined || schema.check(value, 'body').length === 0) return [one];
    const { key } = one;
    const resource = placeholderResource(request, key);
    const example = resource && wrapAlone(resource, meaning.envelope, meaning.type);
    const identity = identityOf(request, key);
    const completed = fitValue(material, schema, value, example, identity);
    // With another key it would be another resource.
    const isOwn = completed !== undefined && isCalled(request, completed, value);
    return isOwn ? [{ ...one, value: completed }] : [];
  });
}

/** Returns true if both have the same key, or one has none. */
function isCalled(
  { meaning }: StateRequest<ListMeaning>,
  completed: JsonValue,
  shown: JsonValue,
): boolean {
  const { envelope, type } = meaning;
  const name = envelope.form === 'plain' ? type.key?.property?.value : 'id';
  const keyOf = (value: JsonValue): JsonValue | undefined =>
    name !== undefined && isJsonObject(value) ? getMember(value, name) : undefined;
  const [own, stored] = [keyOf(completed), keyOf(shown)];
  if (own === undefined || stored === undefined) return true;
  return toText(own) === toText(stored);
}

/** Returns an item with the members that the schema declares. */
function itemOf(
  list: JsonValue | undefined,
  { name }: ShownItem,
  index: number,
): JsonValue | undefined {
  if (Array.isArray(list)) return list[index];
  return list !== undefined && isJsonObject(list) ? getMember(list, name) : undefined;
}

/** Adds required members beside the list, which does not change. */
function complete(
  request: StateRequest<ListMeaning>,
  content: Content,
  body: JsonValue,
): JsonValue | undefined {
  const { schema } = content;
  if (schema === undefined || schema.check(body, 'body').length === 0) return body;
  if (!isJsonObject(body)) return undefined;
  const { material, meaning, collection } = request;
  const { path } = meaning.envelope;
  const list = valueAt(body, path);
  const identity = `${request.call.seed}\n${collection}`;
  const example = placeholderBody(material, content, identity)?.value;
  const drawn = generateFor(material.generator, schema, identity)?.value;
  for (const base of [example, drawn]) {
    const mended = base === undefined ? undefined : repair(schema, body, base);
    const shown = mended === undefined ? undefined : valueAt(mended, path);
    if (list !== undefined && shown !== undefined && isEqual(list, shown)) return mended;
  }
  return undefined;
}
