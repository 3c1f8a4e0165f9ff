import type { Foreseen } from '../../resources/foresee.ts';
import { escapeKey, escapeName } from '../keys.ts';
import type { SharedItem } from '../shared-script.ts';
import { is } from '../stored-data.ts';
import type { FreshRecord } from './session-load.ts';
import type { SessionView } from './session-visit.ts';

/**
 * Begins a request, together with the others of this turn of the event loop. The reply is null if
 * the session does not exist, and there is no fresh record to create it from.
 *
 * @param foreseen what the request reads first
 */
export function enter(
  view: SessionView,
  foreseen: Foreseen | undefined,
  fresh?: FreshRecord,
): SharedItem {
  const { collection = '', key = '', range } = foreseen ?? {};
  const [from, to] =
    range === undefined ? ['', ''] : [range.offset, range.offset + range.limit - 1];
  const read = [escapeName(collection), escapeKey(key), from, to];
  const first = [view.version, fresh?.text ?? '', fresh?.version ?? ''];
  return view.enter.add(read, { first });
}

/**
 * Two numbers, then version and record of the session, with 1 if it was created, where this process
 * has another version. A size, and what a key or a range has, follow for each request.
 */
const isEnterReply = is.tuple(
  is.count,
  is.count,
  (value): value is readonly unknown[] | null => value === null || Array.isArray(value),
);

/** Returns the part of a reply that belongs to one request; undefined for an invalid reply. */
export function readEntry(reply: unknown, at: number) {
  if (!isEnterReply(reply)) return undefined;
  const [number, turn, changed] = reply;
  // By index: a slice for each request would copy the parts of all others.
  const items: readonly unknown[] = reply;
  const count = items[3 + 2 * at];
  if (!is.finite(count)) return undefined;
  const numbers = { number: number + at, turn: turn + at };
  const isMade = at === 0 && changed?.[2] === 1;
  return { numbers, changed, isMade, count, kept: items[4 + 2 * at] };
}
