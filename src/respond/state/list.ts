import { type Awaitable, after, attempt } from '../../base/awaitable.ts';
import { isEqual } from '../../base/json/equal.ts';
import { stringifyJson, toText } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonValue, mapMembers } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { plain } from '../../base/words.ts';
import type { Content } from '../../contract/content.ts';
import type { Declared } from '../../contract/responses.ts';
import { NOTHING_KNOWN } from '../../generate/value-builder.ts';
import { getProperty, identityOf, isPartial, keyTextsOf } from '../../resources/collections.ts';
import type { ListRequest } from '../../resources/list/compile-query.ts';
import { readFieldSelection, selectFields } from '../../resources/list/fields.ts';
import type { ListFacts } from '../../resources/list/list-facts.ts';
import { readPage } from '../../resources/list/read-page.ts';
import { nameOf, type ShownItem, writeEnvelope } from '../../resources/list/write-envelope.ts';
import type { ListMeaning, MemberPath } from '../../resources/meaning.ts';
import { valueAt, wrapAlone, wrapInMembers } from '../../resources/wrapping.ts';
import { listAll, type Stored } from '../../state/store.ts';
import { fitValue, repair } from '../conform/repair.ts';
import { findExample } from '../example.ts';
import { generateFor } from '../generated.ts';
import { negotiate } from '../negotiate.ts';
import { type Candidate, type Payload, toCandidate } from '../response.ts';
import { describePage, type ListResponse } from './describe-page.ts';
import { expandAll } from './expand.ts';
import { isManaged, knowsParents, requireParents } from './find-stored.ts';
import { isOfParents } from './path-keys.ts';
import { placeholderResource } from './placeholder.ts';
import { canShow } from './show.ts';
import { WrittenBody } from './shown-texts.ts';
import { askedFor, type StateRequest } from './state-request.ts';

/**
 * `GET /plants`: lists the stored resources.
 *
 * @returns undefined if the collection was never written to, or the response cannot contain a list
 * @throws {Problem} RESOURCE_NOT_FOUND for a missing parent, INVALID_CURSOR
 */
export function showList(request: StateRequest<ListMeaning>): Awaitable<Candidate | undefined> {
  const declared = request.operation.responses.success;
  if (declared === undefined || declared.status >= 300) return undefined;
  return after(requireParents(request), () =>
    after(request.store.count(request.collection), (total) =>
      after(total > 0 || isManaged(request), (isStored) =>
        isStored ? listStored(request, declared, total) : undefined,
      ),
    ),
  );
}

/**
 * Lists the resources that the collection begins with.
 *
 * @returns undefined for unknown parents, and for cursors that are not of these resources: nobody
 *   has said that they do not exist
 */
export function listUnwritten(
  request: StateRequest<ListMeaning>,
): Awaitable<Candidate | undefined> {
  const declared = request.operation.responses.success;
  if (declared === undefined || declared.status >= 300) return undefined;
  return after(listAll(request.store, request.collection), (all) => {
    const isThere =
      all.some(({ resource }) => isOfParents(request, resource)) || knowsParents(request);
    return after(isThere, (isKnown) => (isKnown ? listBegun(request, declared) : undefined));
  });
}

function listBegun(request: StateRequest<ListMeaning>, declared: Declared) {
  return attempt(
    () => listStored(request, declared),
    (error) => {
      if (error instanceof Problem && error.problem === 'INVALID_CURSOR') return undefined;
      throw error;
    },
  );
}

/** @param total the size of the collection, where it is known */
function listStored(request: StateRequest<ListMeaning>, declared: Declared, total?: number) {
  const { material, meaning, store, collection } = request;
  const content = negotiate(request, declared);
  if (content !== undefined && !canShow(content)) return undefined;
  const facts = material.listFactsOf(meaning, content);
  const wanted = readWishes(request, facts);
  return after(readPage(store, collection, wanted, total), (page) => {
    if (wanted.hasCursors) material.cursorHints.record(listName(request), page);
    return after(expandAll(request, page.items), (items) =>
      showPage({ request, declared, content, facts, wanted, page: { ...page, items } }),
    );
  });
}

function readWishes(request: StateRequest<ListMeaning>, { query: terms }: ListFacts): ListRequest {
  const wanted = withHint(request, terms.read(askedFor(request)));
  if (!isPartial(request.meaning.type)) return wanted;
  return {
    ...wanted,
    filters: [({ resource }) => isOfParents(request, resource), ...wanted.filters],
  };
}

function withHint(request: StateRequest<ListMeaning>, wanted: ListRequest): ListRequest {
  const { start } = wanted;
  if (start.kind === 'offset') return wanted;
  const hint = request.material.cursorHints.find(listName(request), keyTextsOf(start.cursor));
  return { ...wanted, start: { ...start, hint } };
}

function listName({ call, collection }: StateRequest): string {
  return `${call.session.id}\n${collection}`;
}

function showPage(list: ListResponse): Candidate | undefined {
  const { request, declared, content, facts } = list;
  const { values, fields } = describePage(list);
  if (content === undefined) return toCandidate('state', declared, { kind: 'none' }, fields);
  const { envelope } = request.meaning;
  const { schemas } = request.material.contract;
  const schemaAt = (pointer: string) => schemas.schemaAt(pointer, 'response');
  const named = facts.named.flatMap(({ name, parameter, pointer }) => {
    const value = request.pathParameters.get(parameter);
    return value !== undefined && schemaAt(pointer).accepts(value) ? [[name, value] as const] : [];
  });
  const constants = [...facts.constants, ...named];
  const write: WriteList = (items) =>
    writeEnvelope(envelope, items, { ...facts, constants }, values, schemaAt);
  const body = joinItems(list, content, write) ?? completeList(list, content, write);
  if (body === undefined) return undefined;
  const { payload, left } = body;
  const source = left === 0 ? 'state' : `state; left-out=${left}`;
  return toCandidate(source, declared, payload, fields);
}

function showItems(
  { request, facts, wanted, page }: ListResponse,
  items: readonly Stored[] = page.items,
): readonly ShownItem[] {
  const { envelope, type } = request.meaning;
  const selection = readFieldSelection(wanted.fields);
  const isRequired = (name: string): boolean => facts.item?.required.has(name) === true;
  return items.map(({ key, resource }) => {
    const shown = selectFields(resource, selection, isRequired);
    const { only } = envelope;
    const value = only === undefined ? undefined : getProperty(resource, only);
    return { key, value: value ?? wrapAlone(shown, envelope, type) };
  });
}

type WriteList = (items: readonly ShownItem[]) => JsonValue;

/** The body of a list, and the number of items that it cannot contain. */
interface ListBody {
  readonly payload: Payload;
  readonly left: number;
}

/**
 * Puts the body of a list together from the texts of its items.
 *
 * @returns undefined for a list that has to be completed or checked as a whole
 */
function joinItems(list: ListResponse, content: Content, write: WriteList): ListBody | undefined {
  const empty = emptyBody(list, content, write);
  if (empty === undefined) return undefined;
  let texts = '';
  let left = 0;
  for (const stored of list.page.items) {
    const text = textOfItem(list, content, empty, stored);
    if (text === undefined) return undefined;
    // To add each part costs less than to join them all.
    if (text === '') left++;
    else texts += texts === '' ? text : `,${text}`;
  }
  const { path } = list.request.meaning.envelope;
  return { payload: new WrittenBody(content, writeAround(empty, path, `[${texts}]`)), left };
}

/** Returns the body without items; undefined if it does not conform with any that conform alone. */
function emptyBody(list: ListResponse, content: Content, write: WriteList): JsonValue | undefined {
  const { request, facts, wanted, page } = list;
  const { path } = request.meaning.envelope;
  const isApart = page.items.length <= facts.mostApart && wanted.fields === undefined;
  if (!content.isJson || !isApart || page.total > MOST_JOINED) return undefined;
  const empty = path.length === 0 ? [] : content.project(write([]));
  // Without anything around it, an empty list conforms if a list with an item does.
  const isSure = path.length === 0 && page.items.length > 0;
  const isWhole = isSure || content.schema?.accepts(empty) !== false;
  return isWhole && Array.isArray(valueAt(empty, path)) ? empty : undefined;
}

/** Of more resources, each page would find the texts of others, and put its own in their place. */
const MOST_JOINED = 10_000;

/**
 * Returns the text of an item with which the empty list conforms; the empty text for one that cannot
 * be completed, undefined if that depends on the whole list.
 */
function textOfItem(list: ListResponse, content: Content, empty: JsonValue, stored: Stored) {
  if (stored.text === undefined) return undefined;
  const { request, facts } = list;
  const { meaning, material } = request;
  const known = material.shownTexts.find(stored, request, content);
  if (known !== undefined) return known;
  const { path } = meaning.envelope;
  const project = (value: JsonValue): JsonValue | undefined => {
    const projected = valueAt(content.project(wrapInMembers([value], path)), path);
    return Array.isArray(projected) ? projected[0] : undefined;
  };
  const fits = (item: JsonValue): boolean =>
    content.schema?.accepts(replaceAt(empty, path, [item])) !== false;
  const [shown] = showItems(list, [stored]);
  const item = shown && project(shown.value);
  if (item === undefined) return undefined;
  if (fits(item)) return material.shownTexts.write(stored, request, content, item, true);
  if (facts.item === undefined) return undefined;
  const completed = completeItem(list, facts.item.pointer, stored.key, item);
  if (completed === undefined) return '';
  const whole = project(completed);
  if (whole === undefined || !fits(whole)) return undefined;
  return material.shownTexts.write(stored, request, content, whole, false);
}

/** Returns a body with another value at a path. */
function replaceAt(body: JsonValue, [name, ...rest]: MemberPath, value: JsonValue): JsonValue {
  if (name === undefined || !isJsonObject(body)) return value;
  return mapMembers(body, (member, own) =>
    own === name ? replaceAt(member, rest, value) : member,
  );
}

/** Returns the JSON of a body with another value at a path, which is written already. */
function writeAround(body: JsonValue, [name, ...rest]: MemberPath, text: string): string {
  if (name === undefined || !isJsonObject(body)) return text;
  const members = Object.entries(body).map(([own, member]) => {
    const written = own === name ? writeAround(member, rest, text) : stringifyJson(member);
    return `${JSON.stringify(own)}:${written}`;
  });
  return `{${members.join(',')}}`;
}

/**
 * Makes the body of a list conform: completes each item by itself, leaves out items that cannot be
 * completed, and takes the rest from the example or generates it.
 *
 * @returns undefined if no body conforms
 */
function completeList(list: ListResponse, content: Content, write: WriteList) {
  const items = showItems(list);
  const projected = content.project(write(items));
  const toBody = (value: JsonValue, left: number): ListBody => {
    return { payload: { kind: 'value', content, value, isConforming: true }, left };
  };
  if (content.schema?.accepts(projected) !== false) return toBody(projected, 0);
  const shown = completeItems(list, items, projected);
  const isSame = shown.length === items.length && shown.every((one, at) => one === items[at]);
  const value = complete(list.request, content, isSame ? projected : content.project(write(shown)));
  return value === undefined ? undefined : toBody(value, items.length - shown.length);
}

function completeItems(list: ListResponse, items: readonly ShownItem[], projected: JsonValue) {
  const { request, facts } = list;
  const { pointer } = facts.item ?? {};
  if (pointer === undefined) return items;
  const values = valueAt(projected, request.meaning.envelope.path);
  return items.flatMap((one, index) => {
    const value = itemOf(values, one, index);
    if (value === undefined) return [one];
    const completed = completeItem(list, pointer, one.key, value);
    if (completed === value) return [one];
    return completed === undefined ? [] : [{ ...one, value: completed }];
  });
}

/** Returns the item as it conforms to the schema at a pointer; undefined if it cannot be completed. */
function completeItem(
  { request }: ListResponse,
  pointer: string,
  key: string,
  value: JsonValue,
): JsonValue | undefined {
  const { meaning, material } = request;
  const schema = material.contract.schemas.schemaAt(pointer, 'response');
  if (schema.accepts(value)) return value;
  const example = wrapAlone(placeholderResource(request, key), meaning.envelope, meaning.type);
  const identity = identityOf(request, key);
  const completed = fitValue({ material, schema, example, identity }, value);
  // With another key it would be another resource.
  return completed !== undefined && isCalled(meaning, completed, value) ? completed : undefined;
}

/** Returns true if both have the same key, or one has none. */
function isCalled({ envelope, type }: ListMeaning, completed: JsonValue, shown: JsonValue) {
  const name = envelope.form === 'plain' ? type.key?.property?.value : 'id';
  const keyOf = (value: JsonValue): JsonValue | undefined =>
    name === undefined ? undefined : valueAt(value, [name]);
  const [own, stored] = [keyOf(completed), keyOf(shown)];
  if (own === undefined || stored === undefined) return true;
  return toText(own) === toText(stored);
}

function itemOf(list: JsonValue | undefined, item: ShownItem, index: number) {
  if (Array.isArray(list)) return list[index];
  return valueAt(list, [nameOf(item)]);
}

/** Adds required members beside the list, which does not change. */
function complete(request: StateRequest<ListMeaning>, content: Content, body: JsonValue) {
  const { schema } = content;
  const violations = schema?.check(body, 'body') ?? [];
  if (schema === undefined || violations.length === 0) return body;
  if (!isJsonObject(body)) return undefined;
  const { material, meaning, collection } = request;
  const { path } = meaning.envelope;
  const list = valueAt(body, path);
  const identity = `${request.call.seed}\n${collection}`;
  const example = material.hasExamples ? findExample(content)?.value : undefined;
  // The items are there already.
  const [first = '', ...rest] = path;
  const known = { ...NOTHING_KNOWN, ofWhole: new Map([[plain(first), wrapInMembers([], rest)]]) };
  const draw = () => generateFor(material.generator, schema, identity, known)?.value;
  for (const find of [() => example, draw]) {
    const base = find();
    const mended = base === undefined ? undefined : repair(schema, body, base, violations);
    const shown = valueAt(mended, path);
    if (list !== undefined && shown !== undefined && isEqual(list, shown)) return mended;
  }
  return undefined;
}
