import { createRandom, type Random } from '../base/random.ts';
import { Effects } from '../rules/answer/effects.ts';
import type { Replay } from './replay.ts';
import type { Session } from './session.ts';

/**
 * One request of a session: its number, and its own stream of chance, made of the session's seed
 * and the number. So what happens to it does not depend on what happens beside it.
 */
export class Call {
  readonly session: Session;
  /** From 1, in the order in which requests come: what the journal and the client know it by. */
  readonly number: number;
  readonly #turn: number;
  /** What its fixtures do to its answer. */
  readonly effects = new Effects();
  #random: Random | undefined;
  #replay: Replay | undefined;

  /** Begins the next request of a session. */
  constructor(session: Session) {
    const { number, turn } = session.takeNumbers();
    this.session = session;
    this.number = number;
    this.#turn = turn;
  }

  /** The session's seed, or that of the call that is made again. */
  get seed(): string {
    return this.#replay?.seed ?? this.session.seed;
  }

  /** What this call makes again, and which fixtures failed it. */
  get replay(): Replay | undefined {
    return this.#replay;
  }

  /** Made when it is first asked for: most requests need no chance. */
  get random(): Random {
    this.#random ??= createRandom(this.#source);
    return this.#random;
  }

  /** @returns a stream of its own for one purpose, which no other draws from */
  chanceOf(purpose: string): Random {
    return new LazyRandom(() => `${this.#source}\n${purpose}`);
  }

  /** @returns milliseconds since 1970, by the session's clock */
  now(): number {
    return this.#replay?.at ?? this.session.clock.now();
  }

  /** What its chance is made of. */
  get #source(): string {
    return `${this.seed}\n${this.#replay?.call ?? this.#turn}`;
  }

  /** Meets the chance and the moment of an earlier call; to be said before any is drawn. */
  repeat(replay: Replay): void {
    this.#replay = replay;
    this.#random = undefined;
  }

  /** @returns what makes it again */
  describe(operation: string | undefined): Replay {
    return {
      seed: this.seed,
      call: this.#replay?.call ?? this.#turn,
      at: this.now(),
      operation,
      rules: this.effects.acted,
    };
  }
}

/** Made when it is first drawn from: most rules draw nothing. */
class LazyRandom implements Random {
  readonly #seed: () => string;
  #random: Random | undefined;

  constructor(seed: () => string) {
    this.#seed = seed;
  }

  next(): number {
    this.#random ??= createRandom(this.#seed());
    return this.#random.next();
  }
}
