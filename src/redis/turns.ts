import { Problem } from '../base/problem.ts';
import type { Counter, TurnMemory, TurnPlace } from '../rules/turn/turn.ts';
import type { RedisConnection } from './connection.ts';
import type { SessionKeys } from './keys.ts';
import { COUNT_TURNS } from './session/session-scripts.ts';
import { is, unreadable } from './stored-data.ts';

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

/** The counters of a session as this process last saw them; they have rarely changed since. */
export class KnownCounters {
  readonly #texts = new Map<string, string>();
  /** Attempts of one process run one after the other, so that they do not fail each other. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Lets rules take their turns on counters that several processes count.
   *
   * @param take is called again with what others have counted in the meantime
   * @throws {Problem} STORE_UNAVAILABLE for a counter that cannot be read
   */
  take<Value>(
    connection: RedisConnection,
    keys: SessionKeys,
    places: readonly TurnPlace[],
    take: (memory: TurnMemory) => Value,
  ): Promise<Value> {
    const attempt = (): Promise<Value> => this.#take(connection, keys, listFields(places), take);
    const done = this.#last.then(attempt, attempt);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #take<Value>(
    connection: RedisConnection,
    { main, counters, scenarios, journal, journalInfo }: SessionKeys,
    fields: readonly Field[],
    take: (memory: TurnMemory) => Value,
  ): Promise<Value> {
    for (let attempt = 0; attempt < MAXIMUM_ATTEMPTS; attempt++) {
      const before = fields.map(({ key, name }) => this.#texts.get(`${key}${name}`) ?? '');
      const memory = readMemory(fields, before);
      if (memory === undefined) {
        // Asked for anew by the next request: it may have been deleted by then.
        this.#learn(fields, []);
        throw unreadable(connection, 'a counter', counters);
      }
      const value = take(memory);
      const texts = { 1: listCounters(memory), 2: memory.scenarios };
      const after = fields.map(({ key, name }) => texts[key].get(name) ?? '');
      const changes = fields.map(({ key, name }, at) => [
        key,
        name,
        before[at] ?? '',
        after[at] ?? '',
      ]);
      const keys = [counters, scenarios, main, journal, journalInfo];
      const found = await connection.run(COUNT_TURNS, keys, [MAXIMUM_COUNTERS, ...changes.flat()]);
      const hasChanged = is.list(is.text)(found);
      this.#learn(fields, hasChanged ? found : after);
      if (!hasChanged) return value;
    }
    throw new Problem('STATE_BUSY', 'too many requests are counted by the same rules at once');
  }

  #learn(fields: readonly Field[], texts: readonly string[]): void {
    for (const [index, { key, name }] of fields.entries()) {
      if (this.#texts.size >= MAXIMUM_KNOWN) this.#texts.clear();
      this.#texts.set(`${key}${name}`, texts[index] ?? '');
    }
  }
}

function listFields(places: readonly TurnPlace[]): readonly Field[] {
  const counted = places.map(({ rule, key }) => nameField(rule, key));
  const states = places.flatMap(({ scenario }) => scenario ?? []);
  return [
    ...[...new Set(counted)].map((name): Field => ({ key: 1, name })),
    ...[...new Set(states)].map((name): Field => ({ key: 2, name })),
  ];
}

/** Returns undefined where a counter cannot be read. */
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

/** Returns all counters as texts, by their fields. */
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
  const [matched = 0, acted = 0, firstAt = 0, tokens = 0, tokensAt = 0] = text
    .split(' ')
    .map(Number);
  return { matched, acted, firstAt, tokens, tokensAt };
}

/** Five numbers. */
const COUNTER = /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: |$)){5}$/;
