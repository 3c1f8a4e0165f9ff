import type { RedisConnection } from '../connection.ts';
import type { SessionKeys } from '../shared-parts.ts';
import { SAVE } from './session-scripts.ts';

/** Which part of a session is kept in which key of the script. */
const KEY_NUMBERS = { main: 1, counters: 2, scenarios: 3, snapshots: 4 } as const;
type Part = keyof typeof KEY_NUMBERS;

/** A script does not take too many words at once. */
const MOST_WORDS = 1_000;

/** What is to be changed of a session, all of it at once or nothing. */
export class SessionSave {
  readonly #keys: SessionKeys;
  readonly #version: string;
  readonly #next: string;
  readonly #words: (string | number)[] = [];

  /**
   * @param version that the session must still have
   * @param next that it has then
   */
  constructor(keys: SessionKeys, version: string, next: string) {
    this.#keys = keys;
    this.#version = version;
    this.#next = next;
  }

  /** True while nothing is to be changed. */
  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  setMain(field: string, value: string): void {
    this.#add('HSET', 'main', [field, value]);
  }

  removeMain(field: string): void {
    this.#add('HDEL', 'main', [field]);
  }

  /** Changes the fields of a part that are others now. */
  change(
    part: Exclude<Part, 'main'>,
    before: ReadonlyMap<string, string>,
    after: ReadonlyMap<string, string>,
  ): void {
    const removed = [...before.keys()].filter((name) => !after.has(name));
    const changed = [...after].filter(([name, text]) => before.get(name) !== text).flat();
    // Where nothing is to be left, what has come meanwhile goes as well.
    if (after.size === 0 && removed.length > 0) this.#add('DEL', part, []);
    else this.#add('HDEL', part, removed);
    this.#add('HSET', part, changed);
  }

  /** @returns false where the session has another version */
  async run(connection: RedisConnection): Promise<boolean> {
    if (this.isEmpty) return true;
    const { main, counters, scenarios, snapshots } = this.#keys;
    const keys = [main, counters, scenarios, snapshots];
    const words = [this.#version, this.#next, ...this.#words];
    return (await connection.run(SAVE, keys, words)) === 1;
  }

  #add(command: 'HSET' | 'HDEL' | 'DEL', part: Part, words: readonly string[]): void {
    if (command === 'DEL') this.#words.push(command, KEY_NUMBERS[part], 0);
    for (let first = 0; first < words.length; first += MOST_WORDS) {
      const some = words.slice(first, first + MOST_WORDS);
      this.#words.push(command, KEY_NUMBERS[part], some.length, ...some);
    }
  }
}
