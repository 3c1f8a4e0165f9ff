import { plain, wordsOf } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { STATUS } from '../initial-value.ts';
import type { ActionMeaning } from '../meaning.ts';
import { inferred } from '../resource.ts';

/**
 * Returns what an action sets besides the members of its body: `cancel` makes the status
 * `cancelled`.
 */
export function findSets(name: string, shown: SchemaNode | undefined): ActionMeaning['sets'] {
  if (shown === undefined) return [];
  const verb = wordsOf(name)[0] ?? '';
  for (const [property, node] of shown.properties) {
    const list = node.keyword('enum');
    if (!STATUS.test(plain(property)) || !Array.isArray(list)) continue;
    const value = list.find((one) => typeof one === 'string' && isDone(verb, one));
    if (typeof value === 'string') {
      return [{ property, value: inferred(value, `${property} may be ${value}`) }];
    }
  }
  return findFlag(verb, shown);
}

/**
 * Returns with which values of the status an action is allowed, if 409 is declared for others: not
 * when it is done already, and not after the end.
 */
export function findFrom(
  name: string,
  sets: ActionMeaning['sets'],
  { shown, declares409 }: { readonly shown: SchemaNode | undefined; readonly declares409: boolean },
): ActionMeaning['from'] {
  const [set] = sets;
  const list = set && shown?.property(set.property)?.keyword('enum');
  if (!declares409 || set === undefined || !Array.isArray(list)) return [];
  const isLate = LATE.test(wordsOf(name)[0] ?? '');
  const values = list
    .filter((one) => typeof one === 'string')
    .filter((one) => one !== set.value.value && (isLate || !ENDED.test(plain(one))));
  return [{ property: set.property, values: inferred(values, 'it declares 409') }];
}

/** States that only some actions leave. */
const ENDED = /^(?:cancell?ed|rejected|expired|void(?:ed)?|deleted|refunded|declined)$/;
const LATE =
  /^(?:reopen|reactivate|restore|restart|resume|retry|resubmit|recover|reset|archive|hide|un\w+)$/;

function findFlag(verb: string, shown: SchemaNode): ActionMeaning['sets'] {
  const undone = OPPOSITES.get(verb) ?? /^(?:un|de|dis)(\w+)$/.exec(verb)?.[1];
  for (const [property, node] of shown.properties) {
    if (!node.types.has('boolean')) continue;
    const word = plain(property).replace(/^is/, '');
    const isSet = isDone(verb, word);
    if (!isSet && (undone === undefined || !isDone(undone, word))) continue;
    return [{ property, value: inferred(isSet, `there is a property ${property}`) }];
  }
  return [];
}

const OPPOSITES: ReadonlyMap<string, string> = new Map(
  Object.entries({ disable: 'enable', deactivate: 'activate', close: 'open', hide: 'show' }),
);

const IRREGULAR: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    pay: ['paid'],
    send: ['sent'],
    hold: ['held', 'onhold'],
    withdraw: ['withdrawn'],
    freeze: ['frozen'],
    reopen: ['open', 'reopened'],
    open: ['open', 'opened'],
    activate: ['active', 'activated'],
    reactivate: ['active', 'activated'],
    deactivate: ['inactive', 'deactivated'],
    enable: ['enabled', 'active'],
    resume: ['active', 'running', 'inprogress', 'resumed'],
    start: ['started', 'running', 'inprogress', 'active'],
    run: ['running', 'inprogress'],
    stop: ['stopped'],
    restart: ['running', 'started'],
    submit: ['submitted', 'pending'],
    ship: ['shipped'],
    lock: ['locked'],
    read: ['read'],
    void: ['void', 'voided'],
    finish: ['finished', 'done', 'completed'],
    unpublish: ['draft', 'unpublished'],
    unarchive: ['active', 'unarchived'],
  }),
);

/**
 * Returns true for a word that names the result of a verb: `cancelled`, `CANCELED` for `cancel`.
 */
function isDone(verb: string, value: string): boolean {
  const word = plain(value);
  if (IRREGULAR.get(verb)?.includes(word) === true) return true;
  const stem = verb.replace(/[ey]$/, '');
  return word.startsWith(stem) && /^(?:[a-z]?ed|d|ied)$/.test(word.slice(stem.length));
}
