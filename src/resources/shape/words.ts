import { plain, singularName, wordsOf } from '../../base/words.ts';

/** Returns the names of a table's rows. */
export function namesOf<Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>) {
  return Object.keys(table) as Name[];
}

const VERBS: ReadonlySet<string> = new Set(
  `abort accept acknowledge activate add advance analyze analyse answer apply approve archive assign
 associate attach authenticate authorize ban block boot build bulk buy calculate cancel capture
 change charge check checkout clear clone close commit compare complete compute confirm connect
 consume convert copy crosspost deactivate decline delete deliver demote deny deploy deregister
 detach disable disassociate disconnect describe detect dismiss dispatch dispute download duplicate
 edit embed enable enqueue enroll escalate estimate evaluate exchange execute expire export extend
 fetch finalize find finish flag follow fork forward freeze fulfil fulfill generate get grant halt
 hide hold ignore import index initiate insert install introspect invite invoke join kick leave link
 lock login logout lookup make mark merge migrate modify move mute notify open parse pause pay pin
 ping play poll power poweroff poweron predict preview process promote prune publish pull purchase
 purge push put query read recover redeem redo refresh refund register reject release reload remind
 rename render renew reorder replace reply resize resolve respond restore restrict resume retrieve
 retry reveal revert revoke rollback rotate run save scale scan schedule search select send set share
 ship show shutdown sign signin signout signup simulate skip snooze sort split star start stop
 subscribe submit suspend switch sync synchronize test toggle track transcribe transfer transform
 translate trigger turn undo update upgrade upload upvote validate verify void vote withdraw write`.split(
    /\s+/,
  ),
);

/** Returns a name without what it belongs to: `cancel` for `bots.calls.cancel` and `#do=cancel`. */
export function bareName(name: string): string {
  // Few names have one, and character classes of Unicode take milliseconds to compile.
  return name.includes('.') || name.includes('=') ? name.replace(/^.*[=.](?=\p{L})/u, '') : name;
}

/** Returns true for a name that begins with a verb: `cancel`, `findByStatus`, `mark-as-read`. */
export function isVerb(name: string): boolean {
  const [first = ''] = wordsOf(bareName(name));
  return VERBS.has(first) || VERBS.has(first.replace(/^(?:re|un)/, ''));
}

/** Returns true for `POST /pots/{id}/actions/empty`, whose path says that it is an action. */
export function isNamedAction({
  method,
  path,
}: {
  readonly method: string;
  readonly path: string;
}) {
  return method !== 'GET' && /\}\/actions?\/[^/{}]+\/?$/.test(path);
}

/** Returns `comment` for `commentsCount`, `numComments` and `totalComments`. */
export function countedBy(name: string): string {
  const word = plain(name);
  const [, counted = word] =
    /^(?:num|numberof|total|count)?(.+?)(?:count|counter|total)?$/.exec(word) ?? [];
  return singularName(counted);
}

/** Returns true for `phoneCount` and `phones`. */
export function isCountOf(name: string, list: string): boolean {
  return plain(name) !== plain(singularName(list)) && countedBy(name) === plain(singularName(list));
}

/** Members by which a text or a number can mean an object, the surest first. */
export const IDS = ['id', 'gid', 'uuid'];
export const NAMES = 'login username slug key name ref sha code email number title'.split(' ');
export const NAMING = [...IDS, ...NAMES];

/** Returns true for a property with the id or the address of what has it, or its `fleetName`. */
export function identifies(name: string, collection: string): boolean {
  const word = plain(name);
  // Most names end otherwise, and the singular takes longer.
  if (word === 'name' || !/(?:id|identifier|name|[au]rn)$/.test(word)) return false;
  const one = plain(singularName(collection));
  const own = word.startsWith(one) ? word.slice(one.length) : word;
  return /^(?:id|identifier|uuid|name|arn|urn)$/.test(own);
}

/** Returns true for a name of the items of a list: `tag`, `tags`, `tagId`, `tag_ids` for `tags`. */
export function namesItemOf(list: string, name: string): boolean {
  return stemOf(list) === stemOf(name);
}

function stemOf(name: string): string {
  return singularName(plain(singularName(name)).replace(/(?<=..)id$/, ''));
}

/** Returns what an action does to lists: `addFollowers`, `removeFollowers`. */
export function changeOf(name: string): 'add' | 'remove' | 'set' {
  const verb = wordsOf(name)[0] ?? '';
  if (/^(?:add|append|assign|associate|attach|invite|link|subscribe)$/.test(verb)) return 'add';
  const isRemoving = /^(?:remove|detach|disassociate|un(?:assign|link|subscribe)|delete)$/;
  return isRemoving.test(verb) ? 'remove' : 'set';
}
