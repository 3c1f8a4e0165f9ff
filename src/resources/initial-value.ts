import { isJsonObject, type JsonObject, type JsonValue, mapMembers } from '../base/json/value.ts';
import { isOfFailure, plain } from '../base/words.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { statedValues } from '../schema/stated-values.ts';
import { type Fact, inferred } from './resource.ts';

/** Returns the value that a property has in a new resource; undefined if nothing says so. */
export function findInitial(name: string, node: SchemaNode): Fact<JsonValue> | undefined {
  const isSettled = node.keyword('const') !== undefined || node.keyword('default') !== undefined;
  if (isSettled) return undefined;
  const word = plain(name);
  const [type, ...otherTypes] = node.types;
  const states = STATUS.test(word) ? statesOf(node) : [];
  if (states.length > 0) return firstOf(states, node);
  if (type !== 'boolean' && (LATER.test(word) || isOfFailure(name)))
    return inferred(null, 'it has not happened yet');
  if (/^parent(?:id)?$/.test(word)) return inferred(null, NONE);
  const isUnsure = otherTypes.length > 0 || node.keyword('enum') !== undefined;
  return isUnsure ? undefined : findEmpty(word, node);
}

const NONE = 'a new one has none';

/** Returns what a list, a map, a flag or a count is at first. */
function findEmpty(word: string, node: SchemaNode): Fact<JsonValue> | undefined {
  const [type] = node.types;
  if (type === 'boolean') return inferred(USUAL.test(word), 'a new one usually is so');
  if (node.isArray) return inferred([], NONE);
  if (isMap(node)) return inferred({}, NONE);
  const isCount = (type === 'integer' || type === 'number') && COUNT.test(word);
  return isCount ? inferred(0, 'its name is that of a count') : undefined;
}

/** Returns true for the one property that says how far a resource has come: `orderStatus`. */
export function isOwnStatus(name: string, resource: string): boolean {
  const [word, own] = [plain(name), plain(resource)];
  return ['status', 'state', 'phase', 'stage'].some((one) => word === one || word === own + one);
}

/** Names of properties whose enum lists how far something has come. */
export const STATUS = /^\w*(?:status|state|phase|stage)$/;

/** A longer enum is of the states of a country. */
const MOST_STATES = 25;

/** Returns the values that a status may have: those of its enum, else of its description. */
export function statesOf(node: SchemaNode): readonly JsonValue[] {
  const members = node.keyword('enum');
  if (members === undefined) {
    const isFree = node.types.has('string') && node.keyword('format') === undefined;
    return isFree ? statedValues(node.keyword('description')) : [];
  }
  if (!Array.isArray(members) || members.length > MOST_STATES) return [];
  return members.filter((one) => one !== null && !/unspecified|^(?:unknown|)$/i.test(String(one)));
}

/** Returns the state that comes first: an enum in alphabetical order does not say it. */
function firstOf(states: readonly JsonValue[], node: SchemaNode): Fact<JsonValue> | undefined {
  const [first] = states;
  if (first === undefined) return undefined;
  const isSorted = states.length > 1 && states.join(' ') === [...states].sort().join(' ');
  if (!isSorted) {
    const isStated = node.keyword('enum') === undefined;
    return inferred(first, isStated ? 'its description begins so' : 'its enum begins so');
  }
  const beginning = beginningAmong(states);
  if (beginning !== undefined) return beginning;
  const stated = statedValues(node.keyword('description')).find((one) => states.includes(one));
  if (stated !== undefined) return inferred(stated, 'its description begins so');
  const open = states.find(
    (one) => !ENDED.test(plain(String(one))) && !/fail|error/i.test(String(one)),
  );
  return inferred(open ?? first, 'its enum begins so');
}

/** Returns the state of a filter, in whatever order, that is called as a beginning is. */
export function findBeginning(name: string, filter: SchemaNode | undefined) {
  return filter && STATUS.test(plain(name)) ? beginningAmong(statesOf(filter)) : undefined;
}

function beginningAmong(states: readonly JsonValue[]): Fact<JsonValue> | undefined {
  for (const beginning of BEGINNINGS) {
    const found = states.find((one) => beginning.test(plain(String(one))));
    if (found !== undefined) return inferred(found, 'its name is that of a beginning');
  }
  return undefined;
}

/** An object without properties of its own. */
function isMap({ isObject, names, additional }: SchemaNode): boolean {
  return isObject && names.size === 0 && additional !== undefined;
}

/** Names of states in which something begins, the surest first. */
const BEGINNINGS: readonly RegExp[] = [
  /^(?:new|draft|created|placed|todo|backlog|requested|received|submitted|scheduled|queued)$/,
  /^(?:open|available|active|enabled)$/,
  /^(?:pending|waiting|unpaid|idle|incomplete|unverified|unconfirmed)$/,
];

/** Names of states that only some actions leave. */
export const ENDED = /^(?:cancell?ed|rejected|expired|void(?:ed)?|deleted|refunded|declined)$/;

/** Flags that are true from the beginning. */
const USUAL =
  /^(?:is)?(?:success|successful|ok|active|alive|enabled|valid|available|open|visible|new|editable)$/;

const COUNT =
  /^(?:open|closed|public|private|pending|total)[a-z]+s$|(?:count|counter|views|likes|dislikes|stars|forks|followers|following|downloads|subscribers|comments|replies|votes|favou?rites|plays|shares|reactions|usage|attempts|retries|hits|clicks|impressions|watchers|members|unread|balance|points|score|sold|reserved|amount(?:refunded|received|captured|paid)|usedspace|spaceused|currentsize)$/;

/** Names of later events in the life of a resource: `closedAt`, `merged_by`, `lastUsed`. */
const LATER =
  /^(?:(closed|published|sent|merged|deleted|archived|cancell?ed|paid|completed|finished|ended|resolved|revoked|failed|shipped|delivered|refunded|processed|approved|rejected|suspended|locked|blocked|confirmed|declined|dismissed|removed|disabled|opened|read|seen|returned|dispatched)(at|on|by|date|time|reason)|last(?:used|seen|login|active|access|accessed|run|activity)(?:at|on|date|time)?)$/;

/** Returns the event whose time a property has: `closed` for `closedAt`. */
export function eventOf(name: string): string | undefined {
  const [, event, aspect = ''] = LATER.exec(plain(name)) ?? [];
  return /^(?:at|on|date|time)$/.test(aspect) ? event : undefined;
}

/** Returns true if a status of the resource, or a flag, says that an event has happened. */
export function hasHappened(event: string, resource: JsonObject): boolean {
  const same = (word: string): boolean => unify(word) === unify(event);
  return Object.entries(resource).some(([name, value]) => {
    if (typeof value === 'string') return STATUS.test(plain(name)) && same(plain(value));
    return value === true && same(plain(name).replace(/^is/, ''));
  });
}

/** Writes `cancelled` as `canceled`. */
function unify(word: string): string {
  return word.replace('ll', 'l');
}

/** Returns a value whose members are those of something new, at a few levels. */
export function renew(value: JsonValue, node: SchemaNode | undefined, depth = 0): JsonValue {
  if (!isJsonObject(value) || node === undefined || depth > 2) return value;
  return mapMembers(value, (member, name) => {
    const property = node.property(name);
    const initial = property && findInitial(name, property);
    return initial?.value ?? renew(member, property, depth + 1);
  });
}
