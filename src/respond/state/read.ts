import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember } from '../../base/json/value.ts';
import { keyTextOf, keyTextsOf } from '../../resources/collections.ts';
import { checkConditions, toEntityTag } from '../../resources/conditions.ts';
import type { ReadMeaning } from '../../resources/meaning.ts';
import { listAll, type Stored } from '../../state/store.ts';
import { type Outcome, toCandidate } from '../response.ts';
import { expandStored } from './expand.ts';
import { findByKeys, refuseMissing, requireStored } from './find-stored.ts';
import { isOfParents, type Keys, keysInPath } from './path-keys.ts';
import { admittedTag, showResources } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** `GET /plants/7`: responds with the stored resource. */
export function read(request: StateRequest<ReadMeaning>): Awaitable<Outcome> {
  const keys = keysToRead(request);
  if (keys === undefined) return undefined;
  const found = requireStored(request, keys, () => findOne(request, keys));
  return after(found, (stored) => {
    if (stored === undefined) return undefined;
    return isFlagged(request, stored) ? show(request, stored) : refuseMissing(request, keys);
  });
}

/** Returns the keys that the path may mean; of what is found otherwise, what it is found by. */
function keysToRead(request: StateRequest<ReadMeaning>): Keys | undefined {
  const { by } = request.meaning;
  if (by === undefined) return keysInPath(request);
  return by === 'latest' ? [by] : keyTextsOf(request.pathParameters.get(by.parameter) ?? '');
}

function findOne(request: StateRequest<ReadMeaning>, keys: Keys): Awaitable<Stored | undefined> {
  const { by } = request.meaning;
  if (by === undefined) return findByKeys(request, keys);
  return after(listAll(request.store, request.collection), (all) =>
    all.findLast(({ resource }) => {
      const value = by === 'latest' ? undefined : getMember(resource, by.property);
      const isIt = by === 'latest' || (value !== undefined && keys.includes(keyTextOf(value)));
      return isIt && isOfParents(request, resource);
    }),
  );
}

/** Returns false where the operation asks for a flag that the resource does not have. */
function isFlagged({ meaning: { flag } }: StateRequest<ReadMeaning>, stored: Stored): boolean {
  return flag === undefined || getMember(stored.resource, flag) === true;
}

/** Responds with one of the resources that the collection begins with. */
export function readUnwritten(request: StateRequest<ReadMeaning>): Awaitable<Outcome> {
  const keys = keysToRead(request) ?? [];
  return after(findOne(request, keys), (stored) => stored && show(request, stored));
}

function show(request: StateRequest<ReadMeaning>, stored: Stored): Awaitable<Outcome> {
  const { operation } = request;
  const declared = operation.responses.success;
  if (declared === undefined || declared.status >= 400) return undefined;
  const entityTag = toEntityTag(stored.version);
  const isKnown = checkConditions(request, entityTag);
  // Without a declaration of 304, the whole response is sent.
  const response = isKnown ? operation.responses.findSpecific(304) : undefined;
  if (response !== undefined) {
    const unchanged = { status: 304, response };
    const tag = admittedTag(unchanged, entityTag);
    return toCandidate('state', unchanged, { kind: 'none' }, tag);
  }
  const tagged = admittedTag(declared, entityTag);
  return after(expandStored(request, stored), (shown) =>
    showResources(request, declared, shown, tagged),
  );
}
