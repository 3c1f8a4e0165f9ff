import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import { plain } from '../base/words.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import { type Fact, inferred } from './resource.ts';

/** Returns the value that a property has in a new resource; undefined if nothing says so. */
export function findInitial(name: string, node: SchemaNode): Fact<JsonValue> | undefined {
  const isSettled = node.keyword('const') !== undefined || node.keyword('default') !== undefined;
  if (isSettled) return undefined;
  const word = plain(name);
  const [type, ...otherTypes] = node.types;
  if (STATUS.test(word) && node.keyword('enum') !== undefined) {
    const first = firstMember(node);
    return first === undefined ? undefined : inferred(first, 'its enum begins so');
  }
  if (LATER.test(word) && type !== 'boolean') return inferred(null, 'it has not happened yet');
  if (otherTypes.length > 0 || node.keyword('enum') !== undefined) return undefined;
  if (type === 'boolean') return inferred(USUAL.test(word), 'a new one usually is so');
  if (node.isArray) return inferred([], 'a new one has none');
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

/** Returns the first value of an enum that says something. */
function firstMember(node: SchemaNode): JsonValue | undefined {
  const members = node.keyword('enum');
  if (!Array.isArray(members) || members.length > MOST_STATES) return undefined;
  return members.find((one) => one !== null && !/unspecified|^(?:unknown|)$/i.test(String(one)));
}

/** Flags that are true from the beginning. */
const USUAL =
  /^(?:is)?(?:success|successful|ok|active|enabled|valid|available|open|visible|new|editable)$/;

const COUNT =
  /(?:count|counter|views|likes|dislikes|stars|forks|followers|following|downloads|subscribers|comments|replies|votes|favou?rites|plays|shares|reactions|usage|attempts|retries|hits|clicks|impressions|watchers|members|unread|balance|points|score|sold|reserved|amount(?:refunded|received|captured|paid)|usedspace|spaceused)$/;

/** Names of later events in the life of a resource: `closedAt`, `merged_by`, `lastUsed`. */
const LATER =
  /^(?:(?:closed|merged|deleted|archived|cancell?ed|paid|completed|finished|ended|resolved|revoked|failed|shipped|delivered|refunded|processed|approved|rejected|suspended|locked|blocked|confirmed|declined|dismissed|removed|disabled|opened|read|seen|returned|dispatched)(?:at|on|by|date|time|reason)|last(?:used|seen|login|active|access|accessed|run|activity)(?:at|on|date|time)?)$/;

/** Returns a value whose members are those of something new, at a few levels. */
export function renew(value: JsonValue, node: SchemaNode | undefined, depth = 0): JsonValue {
  if (!isJsonObject(value) || node === undefined || depth > 2) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const property = node.property(name);
    const initial = property && findInitial(name, property);
    return [name, initial?.value ?? renew(member, property, depth + 1)] as const;
  });
  return Object.fromEntries(members);
}
