import { Problem } from '../base/problem.ts';
import type { Counter, TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { RedisConnection } from './connection.ts';
import { fieldOf, readCounter, writeCounter } from './counter-text.ts';
import { COUNT_TURNS } from './session/session-scripts.ts';
import type { SessionKeys } from './shared-parts.ts';

/** A counter or the state of a scenario, as Redis has it. */
interface Field {
  /** The number of its key: counters or scenarios. */
  readonly key: 1 | 2;
  readonly name: string;
}

/** Of one session: clients and resources may be without end. */
const MOST_COUNTERS = 100_000;
/** Of what this process has seen; it guesses by it, and may forget it. */
const MOST_KNOWN = 10_000;
/** Whenever one must try again, another has counted; so this many are never needed. */
const MOST_ATTEMPTS = 1_000;

/** What a process has seen of a session's counters; mostly nobody else has counted since. */
export class KnownCounters {
  readonly #texts = new Map<string, string>();
  /** Those of one process do not stand in each other's way. */
  #last: Promise<unknown> = Promise.resolve();

  get({ key, name }: Field): string {
    return this.#texts.get(`${key}${name}`) ?? '';
  }

  set({ key, name }: Field, text: string): void {
    if (this.#texts.size >= MOST_KNOWN) this.#texts.clear();
    this.#texts.set(`${key}${name}`, text);
  }

  /** @returns what comes of an action, once those before it are over */
  inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(act, act);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/**
 * Lets rules take their turns on counters that several processes count.
 *
 * @param take is called again with what others have counted meanwhile
 */
export function takeSharedTurns<Value>(
  connection: RedisConnection,
  { main, counters, scenarios }: SessionKeys,
  known: KnownCounters,
  places: readonly TurnPlace[],
  take: (memory: TurnMemory) => Value,
): Promise<Value> {
  const fields = listFields(places);
  return known.inTurn(async () => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const before = fields.map((field) => known.get(field));
      const memory = readMemory(fields, before);
      const value = take(memory);
      const after = writeMemory(fields, memory);
      const words = fields.flatMap(({ key, name }, index) => [
        key,
        name,
        before[index] ?? '',
        after[index] ?? '',
      ]);
      const found = await connection.run(
        COUNT_TURNS,
        [counters, scenarios, main],
        [MOST_COUNTERS, ...words],
      );
      const texts = Array.isArray(found) ? found.map(String) : after;
      for (const [index, field] of fields.entries()) known.set(field, texts[index] ?? '');
      if (!Array.isArray(found)) return value;
    }
    throw new Problem('STATE_BUSY', 'too many requests are counted by the same rules at once');
  });
}

function listFields(places: readonly TurnPlace[]): readonly Field[] {
  const counted = places.map(({ rule, key }) => fieldOf(rule, key));
  const states = places.flatMap(({ scenario }) => scenario ?? []);
  return [
    ...[...new Set(counted)].map((name): Field => ({ key: 1, name })),
    ...[...new Set(states)].map((name): Field => ({ key: 2, name })),
  ];
}

function readMemory(fields: readonly Field[], texts: readonly string[]): TurnMemory {
  const memory: TurnMemory = { counters: new Map(), scenarios: new Map() };
  for (const [index, { key, name }] of fields.entries()) {
    const text = texts[index] ?? '';
    if (text === '') continue;
    if (key === 2) memory.scenarios.set(name, text);
    else putCounter(memory, name, readCounter(text));
  }
  return memory;
}

/** Puts a counter where the rules look for it. */
export function putCounter({ counters }: TurnMemory, field: string, counter: Counter): void {
  const end = field.indexOf(' ');
  const [rule, key] = [field.slice(0, end), field.slice(end + 1)];
  const byKey = counters.get(rule) ?? new Map<string, Counter>();
  counters.set(rule, byKey.set(key, counter));
}

function writeMemory(fields: readonly Field[], memory: TurnMemory): readonly string[] {
  const counters = listCounters(memory);
  return fields.map(({ key, name }) =>
    key === 1 ? (counters.get(name) ?? '') : (memory.scenarios.get(name) ?? ''),
  );
}

/** @returns by their fields all counters as texts */
export function listCounters({ counters }: TurnMemory): ReadonlyMap<string, string> {
  return new Map(
    [...counters].flatMap(([rule, byKey]) =>
      [...byKey].map(([key, counter]) => [fieldOf(rule, key), writeCounter(counter)] as const),
    ),
  );
}
