import { type Awaitable, after } from '../base/awaitable.ts';
import { NO_FIELDS } from '../http/message.ts';
import type { Collection } from '../resources/collections.ts';
import { identityOf } from '../resources/collections.ts';
import { toEntityTag } from '../resources/conditions.ts';
import type { ListMeaning, Meaning, ReadMeaning, Resources } from '../resources/meaning.ts';
import { negotiate, readPreference } from './negotiate.ts';
import {
  type Candidate,
  nameSource,
  type Outcome,
  type ResponseSource,
  toCandidate,
} from './response.ts';
import { act, replace } from './state/change.ts';
import { create } from './state/create.ts';
import { download, upload } from './state/files.ts';
import { listUnwritten, showList } from './state/list.ts';
import { login } from './state/login.ts';
import { members } from './state/members.ts';
import { patch } from './state/patch.ts';
import { keysInPath } from './state/path-keys.ts';
import { placeholderBody, withKeysOfPath } from './state/placeholder.ts';
import { read, readUnwritten } from './state/read.ts';
import { remove } from './state/remove.ts';
import { admittedTag, canShow } from './state/show.ts';
import { type StateMaterial, type StateRequest, toStateRequest } from './state/state-request.ts';
import { tags } from './state/tags.ts';
import {
  findUnwritten,
  isUnknown,
  UnwrittenStore,
  withUnwritten,
} from './state/unwritten-store.ts';

/** Returns a source without responses, which waits until it is known what the operation means. */
export function awaitMeaning({ prepare }: Pick<Resources, 'prepare'>): ResponseSource {
  return ({ operation }) => prepare(operation)?.then(() => undefined);
}

/** The source that stores resources, so that later responses contain what was changed. */
export function statefulSource(material: StateMaterial): ResponseSource {
  return (request, call) => {
    const meaning = material.resources.meaningOf(request.operation);
    if (meaning === undefined) return undefined;
    const respond = responders[meaning.kind] as Respond<Meaning>;
    const own = toStateRequest(material, meaning, request, call);
    if (meaning.kind === 'list' || meaning.kind === 'read') return respond(own);
    const unwritten = findUnwritten(own, collectionOf(own));
    return unwritten === undefined ? respond(own) : respondFirst(respond, own, unwritten);
  };
}

/** Responds to what may be the first change of a collection: its beginning is stored with it. */
function respondFirst(
  respond: Respond<Meaning>,
  own: StateRequest,
  unwritten: ReturnType<typeof findUnwritten>,
): Awaitable<Outcome> {
  return after(unwritten, (beginning) => {
    if (beginning === undefined) return respond(own);
    const { name } = collectionOf(own);
    const { material, meaning, call } = own;
    const store = new UnwrittenStore(own.store, name, beginning);
    const outcome = respond(toStateRequest(material, meaning, own, call, store));
    return after(outcome, (one) => withUnwritten(one, name, beginning));
  });
}

/** Returns the collection that a request reads or changes; of a login, that of the users. */
function collectionOf({ meaning, collection }: StateRequest): Collection {
  const users = meaning.kind === 'login' ? meaning.users : undefined;
  return users === undefined
    ? { type: meaning.type, name: collection }
    : { type: users, name: users.name };
}

type Respond<Meant extends Meaning> = (request: StateRequest<Meant>) => Awaitable<Outcome>;

const responders: {
  readonly [Kind in Meaning['kind']]: Respond<Extract<Meaning, { kind: Kind }>>;
} = {
  create,
  list: showList,
  read,
  replace,
  patch,
  delete: remove,
  action: act,
  members,
  tags,
  login,
  upload,
  download,
};

/**
 * The source for resources that were never written: responds with those that the collection begins
 * with. Under another key it responds with the document's example or a generated value, always the
 * same. A change begins with it.
 */
export function unwrittenSource(material: StateMaterial): ResponseSource {
  return (request, call) => {
    const meaning = material.resources.meaningOf(request.operation);
    if (meaning?.kind !== 'read' && meaning?.kind !== 'list') return undefined;
    // With a seed the client wants another value.
    if (readPreference(request).seed !== undefined) return undefined;
    const own = toStateRequest(material, meaning, request, call);
    const isRead = meaning.kind === 'read';
    return after(findUnwritten(own, collectionOf(own)), (unwritten) => {
      if (!isRead && isUnknown(unwritten)) return undefined;
      const store = unwritten && new UnwrittenStore(own.store, own.collection, unwritten);
      const begun = store && toStateRequest(material, meaning, request, call, store);
      return after(begun && showUnwritten(begun), (outcome) => {
        // Each unknown parent has a list of its own.
        const key = isRead ? keysInPath(own)?.[0] : [...own.pathParameters.values()].join('/');
        return outcome ?? respondByPlaceholder(own, key);
      });
    });
  };
}

function showUnwritten(request: StateRequest<ReadMeaning | ListMeaning>): Awaitable<Outcome> {
  return request.meaning.kind === 'read'
    ? readUnwritten(request as StateRequest<ReadMeaning>)
    : listUnwritten(request as StateRequest<ListMeaning>);
}

function respondByPlaceholder(
  request: StateRequest,
  key: string | undefined,
): Candidate | undefined {
  const { operation } = request;
  const declared = operation.responses.success;
  if (declared === undefined || key === undefined) return undefined;
  const content = negotiate(request, declared);
  if (content === undefined || !canShow(content)) return undefined;
  const imagined = placeholderBody(request.material, content, identityOf(request, key));
  if (imagined === undefined) return undefined;
  const keyed = withKeysOfPath(request, imagined.value);
  const isAllowed = content.schema?.accepts(keyed) !== false;
  const value = isAllowed ? keyed : imagined.value;
  const hasTag = declared.response.headers.schemas.has('etag');
  const fields = hasTag ? admittedTag(declared, toEntityTag(0)) : NO_FIELDS;
  const { from } = imagined;
  const source =
    typeof from === 'string'
      ? nameSource('generated', 'seed', from)
      : nameSource('example', 'name', from.name);
  return toCandidate(source, declared, { kind: 'value', content, value }, fields);
}
