import type { Redis } from 'ioredis';

type NetStream = Redis['stream'];

/** In how many turns the time is up: a process that was busy itself has heard nothing meanwhile. */
const TURNS = 6;

/**
 * Closes a connection that owes an answer and says nothing. Answers come in the order of their
 * commands, so that one timer does for all of them; and what is closed stays away until a new
 * connection has been greeted, so that until then all commands fail at once.
 */
export class SilenceWatch {
  readonly #redis: Redis;
  readonly #timeout: number;
  #timer: NodeJS.Timeout | undefined;
  #owed = 0;
  #turns = 0;
  #heardBytes = 0;

  /** @param timeout milliseconds of silence that are too many */
  constructor(redis: Redis, timeout: number) {
    this.#redis = redis;
    this.#timeout = timeout;
    // It is greeted first, which it has to answer as well.
    redis.on('connect', () => this.#start());
  }

  /** @returns the answer to a command, which is waited for no longer than all others */
  async watch(answer: Promise<unknown>): Promise<unknown> {
    this.#owed++;
    this.#start();
    try {
      return await answer;
    } finally {
      this.#owed--;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#turns = 0;
    // There is none before the first connection.
    const stream: NetStream | undefined = this.#redis.stream;
    this.#heardBytes = stream?.bytesRead ?? 0;
    this.#timer = setInterval(() => this.#look(), this.#timeout / TURNS);
    this.#timer.unref();
  }

  #look(): void {
    const { status, stream } = this.#redis;
    if (this.#owed === 0 && status !== 'connect') {
      this.stop();
      return;
    }
    const { bytesRead } = stream;
    this.#turns = bytesRead === this.#heardBytes ? this.#turns + 1 : 0;
    this.#heardBytes = bytesRead;
    if (this.#turns < TURNS) return;
    this.#turns = 0;
    stream.destroy(new Error(`it did not answer for ${this.#timeout} ms`));
  }
}
