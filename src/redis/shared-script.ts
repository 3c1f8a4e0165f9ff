import type { RedisConnection, Script } from './connection.ts';
import type { RedisArgument } from './outbox.ts';

/** Words that a script takes once, before and after those of its items. */
interface CommonWords {
  readonly first?: readonly RedisArgument[];
  readonly last?: readonly RedisArgument[];
}

/** An item of a run of a script. */
export interface SharedItem {
  /** The index among the items of the run. */
  readonly at: number;
  /** The reply to the whole run. */
  readonly reply: Promise<unknown>;
}

interface Run {
  readonly words: RedisArgument[];
  readonly reply: Promise<unknown>;
  items: number;
}

/**
 * A script with its keys that runs once in a turn of the event loop, with the items of all callers.
 * The script itself holds its next run: V8 links the tables of a map that is cleared in each turn,
 * and a dead one in old memory keeps all later ones until a full garbage collection.
 */
export class SharedScript {
  readonly #script: Script;
  readonly #connection: RedisConnection;
  readonly #keys: readonly string[];
  #next: Run | undefined;

  constructor(connection: RedisConnection, script: Script, keys: readonly string[]) {
    this.#connection = connection;
    this.#script = script;
    this.#keys = keys;
  }

  /**
   * Adds an item to the run of this turn.
   *
   * @param item its words; the first item of a run brings the words that all have in common
   */
  add(item: readonly RedisArgument[], { first = [], last = [] }: CommonWords = {}): SharedItem {
    this.#next ??= this.#schedule(first, last);
    const run = this.#next;
    for (const word of item) run.words.push(word);
    return { at: run.items++, reply: run.reply };
  }

  /**
   * Adds an item of which nobody needs the reply. Resolves when it is sent: it comes before all that
   * its caller does then.
   *
   * @param last follow the items: after a long last word, Redis makes room for another one
   * @param fail receives the error with which the run ends
   */
  async post(
    item: Uint8Array,
    last: readonly RedisArgument[],
    fail: (error: Error) => void,
  ): Promise<void> {
    const { reply } = this.add([item], { last });
    reply.catch(fail);
    await this.#connection.inOrder(this.#script, reply);
  }

  #schedule(first: readonly RedisArgument[], last: readonly RedisArgument[]): Run {
    const words = [...first];
    const reply = new Promise<unknown>((resolve) => {
      this.#connection.atTurnEnd(() => {
        this.#next = undefined;
        resolve(this.#connection.run(this.#script, this.#keys, [...words, ...last]));
      });
    });
    return { words, reply, items: 0 };
  }
}
