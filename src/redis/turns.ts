import { Problem } from '../base/problem.ts';
import type { Counter, TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import { COUNT_TURNS } from './session/session-scripts.ts';
import { is, unreadable } from './stored-data.ts';
import type { StoredSession } from './stored-session.ts';

/** A counter or the state of a scenario: a field of a hash in Redis. */
interface Field {
  /** The number of the hash among the script's keys: counters or scenarios. */
  readonly key: 1 | 2;
  readonly name: string;
}

/** How many counters one session keeps: clients and resources may be without end. */
const MAXIMUM_COUNTERS = 100_000;
/** How many fields a process remembers. It guesses by them, so that it may forget them. */
const MAXIMUM_KNOWN = 10_000;
/** An attempt fails only if another process has counted meanwhile: this many are never needed. */
const MAXIMUM_ATTEMPTS = 1_000;

/**
 * Returns a function that lets rules take their turns on counters that several processes count. It
 * calls `take` again with what others have counted in the meantime, and rejects with
 * {@link Problem} STORE_UNAVAILABLE for a counter that cannot be read.
 */
export function createTurns({ parts, keys }: StoredSession) {
  const { main, counters, scenarios, journal, journalInfo } = keys;
  /** The counters as this process last saw them; they have rarely changed since. */
  const known = new Map<string, string>();
  /** Attempts of one process run one after the other, so that they do not fail each other. */
  let last: Promise<unknown> = Promise.resolve();

  const learn = (fields: readonly Field[], texts: readonly string[]): void => {
    for (const [index, { key, name }] of fields.entries()) {
      if (known.size >= MAXIMUM_KNOWN) known.clear();
      known.set(`${key}${name}`, texts[index] ?? '');
    }
  };

  const takeTurns = async <Value>(
    fields: readonly Field[],
    take: (memory: TurnMemory) => Value,
  ) => {
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      const before = fields.map(({ key, name }) => known.get(`${key}${name}`) ?? '');
      const memory = readMemory(fields, before);
      if (memory === undefined) {
        // Asked for anew by the next request: it may have been deleted by then.
        learn(fields, []);
        throw unreadable(parts.connection, 'a counter', counters);
      }
      const value = take(memory);
      const texts = { 1: listCounters(memory), 2: memory.scenarios };
      const after = fields.map(({ key, name }) => texts[key].get(name) ?? '');
      const changes = fields.map(({ key, name }, at) => {
        return [key, name, before[at] ?? '', after[at] ?? ''];
      });
      const found = await parts.connection.run(
        COUNT_TURNS,
        [counters, scenarios, main, journal, journalInfo],
        [MAXIMUM_COUNTERS, ...changes.flat()],
      );
      const hasChanged = is.list(is.text)(found);
      learn(fields, hasChanged ? found : after);
      if (!hasChanged) return value;
    }
    throw new Problem('STATE_BUSY', 'too many requests are counted by the same rules at once');
  };

  return <Value>(places: readonly TurnPlace[], take: (memory: TurnMemory) => Value) => {
    const attempt = (): Promise<Value> => takeTurns(listFields(places), take);
    const done = last.then(attempt, attempt);
    last = done.catch(() => undefined);
    return done;
  };
}

function listFields(places: readonly TurnPlace[]): readonly Field[] {
  const counted = new Set(places.map(({ rule, key }) => nameField(rule, key)));
  const states = new Set(places.flatMap(({ scenario }) => scenario ?? []));
  const toFields = (key: Field['key'], names: Iterable<string>): readonly Field[] =>
    Array.from(names, (name) => ({ key, name }));
  return [...toFields(1, counted), ...toFields(2, states)];
}

function readMemory(fields: readonly Field[], texts: readonly string[]): TurnMemory | undefined {
  const present = (wanted: Field['key']) =>
    fields
      .map(({ key, name }, index) => [name, key === wanted ? (texts[index] ?? '') : ''] as const)
      .filter(([, text]) => text !== '');
  return readTurnMemory(present(1), present(2));
}

/** Returns counters and the states of scenarios; undefined where a counter cannot be read. */
export function readTurnMemory(
  counters: Iterable<readonly [field: string, text: string]>,
  scenarios: Iterable<readonly [name: string, state: string]>,
): TurnMemory | undefined {
  const memory: TurnMemory = { counters: new Map(), scenarios: new Map(scenarios) };
  for (const [field, text] of counters) {
    const [, rule, key] = /^(\S+) (.*)$/s.exec(field) ?? [];
    const counter = readCounter(text);
    if (rule === undefined || key === undefined || counter === undefined) return undefined;
    const byKey = memory.counters.get(rule) ?? new Map<string, Counter>();
    memory.counters.set(rule, byKey.set(key, counter));
  }
  return memory;
}

export function listCounters({ counters }: TurnMemory): ReadonlyMap<string, string> {
  return new Map(
    [...counters].flatMap(([rule, byKey]) =>
      [...byKey].map(([key, counter]) => [nameField(rule, key), writeCounter(counter)] as const),
    ),
  );
}

/** Returns the field of a counter. The name of a rule has no space. */
export function nameField(rule: string, key: string): string {
  return `${rule} ${key}`;
}

/** Returns a counter as text: five numbers, each as JavaScript writes it. */
export function writeCounter({ matched, acted, firstAt, tokens, tokensAt }: Counter): string {
  return [matched, acted, firstAt, tokens, tokensAt].join(' ');
}

function readCounter(text: string): Counter | undefined {
  if (!COUNTER.test(text)) return undefined;
  const numbers = text.split(' ').map(Number);
  const [matched = 0, acted = 0, firstAt = 0, tokens = 0, tokensAt = 0] = numbers;
  return { matched, acted, firstAt, tokens, tokensAt };
}

const COUNTER = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: |$)){5}$/;
