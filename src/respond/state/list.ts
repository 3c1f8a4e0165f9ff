import { type Awaitable, after } from '../../base/awaitable.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Declared } from '../../contract/responses.ts';
import { toText } from '../../media/text-codec.ts';
import { keyTextsOf, readKey } from '../../resources/collections.ts';
import type { ListRequest } from '../../resources/list/compile-query.ts';
import { readFieldSelection, selectFields } from '../../resources/list/fields.ts';
import type { ListFacts } from '../../resources/list/list-facts.ts';
import { readPage } from '../../resources/list/read-page.ts';
import { type ShownItem, writeEnvelope } from '../../resources/list/write-envelope.ts';
import type { ListMeaning } from '../../resources/meaning.ts';
import { wrapAlone } from '../../resources/wrapping.ts';
import type { Stored } from '../../state/store.ts';
import { negotiate } from '../negotiate.ts';
import type { Candidate } from '../response.ts';
import { describePage, type ListResponse } from './describe-page.ts';
import { isManaged, requireParents } from './find-stored.ts';
import { completeList } from './list-body.ts';
import { isOfParents } from './path-keys.ts';
import { canShow, stateResponse } from './show.ts';
import type { StateRequest } from './state-request.ts';

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
    after(isManaged(request), (isStored) => (isStored ? listStored(request, declared) : undefined)),
  );
}

function listStored(
  request: StateRequest<ListMeaning>,
  declared: Declared,
): Awaitable<Candidate | undefined> {
  const { material, meaning, store, collection } = request;
  const content = negotiate(request.fields, declared);
  if (content !== undefined && !canShow(content)) return undefined;
  const facts = material.listFactsOf(meaning, content);
  const wanted = readWishes(request, facts);
  return after(readPage(store, collection, wanted), (page) => {
    if (wanted.hasCursors) material.cursorHints.record(listName(request), page);
    return showPage(request, { declared, content, facts, wanted, page });
  });
}

function readWishes(request: StateRequest<ListMeaning>, { query: terms }: ListFacts): ListRequest {
  const values = new Map<string, JsonValue>();
  for (const { name, in: location, value } of request.parameters) {
    if (location === 'query' && value !== undefined) values.set(name, value);
  }
  const wanted = withHint(request, terms.read(values));
  const hasParents = request.meaning.type.parents.some(({ property }) => property !== undefined);
  if (!hasParents) return wanted;
  return { ...wanted, filters: [(resource) => isOfParents(request, resource), ...wanted.filters] };
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

function showPage(request: StateRequest<ListMeaning>, parts: ListResponse): Candidate | undefined {
  const { declared, content, facts, page } = parts;
  const { values, fields } = describePage(request, parts);
  if (content === undefined) return stateResponse(declared, fields, { kind: 'none' });
  const { envelope } = request.meaning;
  const { schemas } = request.material.contract;
  const write = (items: readonly ShownItem[]): JsonValue =>
    writeEnvelope(envelope, items, facts, values, (pointer) =>
      schemas.schemaAt(pointer, 'response'),
    );
  const items = page.items.map((stored) => showItem(request, parts, stored));
  const body = completeList(request, content, facts, items, write);
  if (body === undefined) return undefined;
  const { value, left } = body;
  const candidate = stateResponse(declared, fields, {
    kind: 'value',
    content,
    value,
    isConforming: true,
  });
  if (left === 0) return candidate;
  return { ...candidate, source: `state; left-out=${left}` };
}

function showItem(
  { meaning }: StateRequest<ListMeaning>,
  { facts, wanted }: ListResponse,
  { key, resource }: Stored,
): ShownItem {
  const { envelope } = meaning;
  const required = facts.item?.required;
  const shown = selectFields(
    resource,
    readFieldSelection(wanted.fields),
    (name) => required?.has(name) === true,
  );
  return { key, name: toText(readKey(key)), value: wrapAlone(shown, envelope, meaning.type) };
}
