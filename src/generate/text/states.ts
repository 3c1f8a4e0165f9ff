import { wordsOf } from '../../base/words.ts';

/** States from which nothing goes on, and that another state does not include. */
const ENDS = /^(?:abort|cancel|clos|declin|delet|den|expir|fail|reject|refund|revok|void)/;

/** Words around the name of a state in the name of its moment: `cancelledAt`, `datePaid`. */
const AROUND = /^(?:at|on|date|time|timestamp|datetime)$/;

/**
 * Returns false for the time of a state that an object has not reached: `paidAt` of an open one.
 *
 * @param name of a property
 * @param states in the order of their enum
 */
export function followsState(name: string, state: string, states: readonly string[]): boolean {
  const words = wordsOf(name);
  if (words.length < 2) return true;
  const telling = words.filter((word) => !AROUND.test(word));
  if (telling.length !== 1 || telling.length === words.length) return true;
  const stems = states.map(stemOf);
  const at = stems.indexOf(stemOf(telling[0] ?? ''));
  if (at < 0) return true;
  const now = states.indexOf(state);
  return at === now || (at < now && !ENDS.test(stems[at] ?? '') && !ENDS.test(stems[now] ?? ''));
}

/** Returns `cancel` for `cancelled`, `CANCELED` and `cancel`. */
function stemOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/e?d$/, '')
    .replace(/(.)\1$/, '$1');
}
