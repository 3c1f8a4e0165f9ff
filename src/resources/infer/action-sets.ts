import { plain, wordsOf } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { ENDED, findInitial, STATUS, statesOf } from '../initial-value.ts';
import type { ActionMeaning } from '../meaning.ts';
import { inferred } from '../resource.ts';
import { SECRET } from './server-set.ts';

/**
 * Returns what an action sets besides the members of its body: `cancel` makes the status
 * `cancelled`.
 */
export function findSets(name: string, shown: SchemaNode | undefined): ActionMeaning['sets'] {
  if (shown === undefined) return [];
  const verb = wordsOf(name)[0] ?? '';
  const { all, words } = shown.styled;
  const states = all.flatMap((property, index) => {
    const node = STATUS.test(words[index] ?? '') ? shown.property(property) : undefined;
    if (node === undefined) return [];
    const known = statesOf(node);
    const texts = known.filter((one) => typeof one === 'string');
    if (texts.length === 0) return [];
    const value = findState(plain(name), verb, texts) ?? findEarlier(verb, property, node, texts);
    return value === undefined
      ? []
      : [{ property, value: inferred(value, `${property} may be ${value}`) }];
  });
  return [...states.slice(0, 1), ...findFlag(verb, shown)];
}

/** Returns the secret that an action makes anew: by its name, or the only one of the resource. */
export function findRenewed(name: string, shown: SchemaNode | undefined): string | undefined {
  const [verb = '', ...words] = wordsOf(name);
  if (!/^(?:reset|rotate|regenerate|roll|renew|reissue)$/.test(verb)) return undefined;
  const secrets = [...(shown?.names ?? [])].filter((each) => SECRET.test(plain(each)));
  const rest = words.join('');
  const [only, ...others] = secrets.filter((each) => plain(each).endsWith(rest));
  return others.length === 0 ? only : undefined;
}

/** Returns the state that an action leads to: by its participle, as it says, or as is usual. */
function findState(name: string, verb: string, states: readonly string[]): string | undefined {
  const [, marked] = /^(?:mark|set|make)(?:as)?(\w+)$/.exec(name) ?? [];
  return (
    states.find((one) => isDone(verb, one) || plain(one) === marked) ??
    states.find((one) => plain(one) === verb) ??
    firstOf(OUTCOMES.get(verb) ?? OUTCOMES.get(name) ?? [], states)
  );
}

/** Returns the first state where a verb takes another back that leads to a later one. */
function findEarlier(verb: string, property: string, node: SchemaNode, states: readonly string[]) {
  const undone = oppositeOf(verb);
  const later = undone === undefined ? undefined : findState(undone, undone, states);
  const first = later === undefined ? undefined : findInitial(property, node)?.value;
  return typeof first === 'string' && first !== later ? first : undefined;
}

/** Returns the state that comes first among the likely ones. */
function firstOf(likely: readonly string[], states: readonly string[]): string | undefined {
  return likely.flatMap((word) => states.find((one) => plain(one) === word) ?? [])[0];
}

const UP = ['running', 'started', 'active', 'online', 'on', 'poweredon', 'booting', 'starting'];
const DOWN = ['offline', 'off', 'poweredoff', 'shutoff', 'stopped', 'inactive', 'shuttingdown'];

/** States that verbs lead to where there is none of their own. */
const OUTCOMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    boot: UP,
    start: UP,
    poweron: UP,
    shutdown: DOWN,
    halt: DOWN,
    stop: DOWN,
    poweroff: DOWN,
    approve: ['completed', 'complete', 'active', 'accepted', 'confirmed'],
    confirm: ['succeeded'],
    capture: ['succeeded', 'paid'],
    charge: ['succeeded', 'paid'],
    finalize: ['final', 'open'],
    publish: ['active', 'live', 'public'],
    merge: ['closed'],
  }),
);

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
  const states = list.filter((one) => typeof one === 'string');
  const isOrdered = states.join(' ') !== [...states].sort().join(' ');
  const at = states.indexOf(String(set.value.value));
  const isOver = (state: string, index: number): boolean =>
    ENDED.test(plain(state)) ||
    (DONE.test(plain(state)) && (/^cancel/.test(name) || (isOrdered && index > at)));
  const values = states.filter((one, index) => index !== at && (isLate || !isOver(one, index)));
  return [{ property: set.property, values: inferred(values, 'it declares 409') }];
}

/** States after which nothing is cancelled, and no earlier state comes. */
const DONE = /^(?:completed?|done|finished|delivered|fulfilled)$/;

const LATE =
  /^(?:reopen|reactivate|restore|restart|resume|retry|resubmit|recover|reset|archive|hide|un\w+)$/;

function findFlag(verb: string, shown: SchemaNode): ActionMeaning['sets'] {
  const undone = oppositeOf(verb);
  const { all, words } = shown.styled;
  for (const [index, property] of all.entries()) {
    const word = words[index]?.replace(/^is/, '') ?? '';
    const isSet = isDone(verb, word);
    if (!isSet && (undone === undefined || !isDone(undone, word))) continue;
    const node = shown.property(property);
    if (node === undefined || !(node.types.has('boolean') || isBit(node))) continue;
    const value = node.types.has('boolean') ? isSet : Number(isSet);
    return [{ property, value: inferred(value, `there is a property ${property}`) }];
  }
  return [];
}

/** Returns true for an enum of 0 and 1, with which some write false and true. */
function isBit(node: SchemaNode): boolean {
  const members = node.keyword('enum');
  return (
    Array.isArray(members) && members.length === 2 && members.includes(0) && members.includes(1)
  );
}

/** Returns the verb that another one undoes: `attach` for `detach`, `link` for `unlink`. */
function oppositeOf(verb: string): string | undefined {
  return OPPOSITES.get(verb) ?? /^(?:un|de|dis)(\w+)$/.exec(verb)?.[1];
}

const OPPOSITES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    disable: 'enable',
    deactivate: 'activate',
    close: 'open',
    hide: 'show',
    detach: 'attach',
    disassociate: 'associate',
    disconnect: 'connect',
    hangup: 'live',
  }),
);

/**
 * Returns what an action takes back: the members that the body of its opposite has.
 *
 * @param bodyOf returns the body of another action on the same resource
 */
export function findUndone(
  name: string,
  shown: SchemaNode | undefined,
  bodyOf: (name: string) => SchemaNode | undefined,
): ActionMeaning['sets'] {
  const opposite = oppositeOf(name);
  const body = opposite === undefined ? undefined : bodyOf(opposite);
  return [...(body?.required ?? [])]
    .filter((property) => shown?.names.has(property))
    .map((property) => ({ property, value: inferred(null, `${opposite} sets it`) }));
}

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
    live: ['alive', 'live'],
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
