import { JsonError, parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import {
  type EventName,
  type EventRelay,
  eventNames,
  type MockEvent,
} from '../session/mock-event.ts';
import type { RedisConnection } from './connection.ts';
import { readExchange, writeExchange } from './exchange-text.ts';
import { globalKey } from './keys.ts';

/** Who listens says so now and then; whoever does not is forgotten. */
const SAY_MILLISECONDS = 5_000;
const BELIEVE_TIMES = 4;
/** Who reads of an exchange as it happens sees the beginning of what is long. */
const LONGEST_BODY = 64 * 1024;

/** Carries events by what Redis publishes; only while somebody listens. */
export class RedisRelay implements EventRelay {
  readonly #connection: RedisConnection;
  /** What is one's own is known already. */
  readonly #process: string;
  readonly #listeners = new Set<(event: MockEvent) => void>();
  /** How many times it is believed yet that somebody elsewhere listens. */
  #belief = 0;
  #stop: (() => void) | undefined;
  #stopHearing: (() => void) | undefined;
  #saying: NodeJS.Timeout | undefined;
  #doubting: NodeJS.Timeout | undefined;

  /** @param process a name that no other has */
  constructor(connection: RedisConnection, process: string) {
    this.#connection = connection;
    this.#process = process;
  }

  get isHeard(): boolean {
    return this.#belief > 0;
  }

  /** Hears from now on who listens. */
  async begin(): Promise<void> {
    this.#stop ??= await this.#connection.subscribe(this.#channel('listening'), (message) => {
      if (Buffer.from(message).toString() !== this.#process) this.#believe();
    });
  }

  send(event: MockEvent): void {
    const head = Buffer.from(`${this.#process}\n${event.name}\n`);
    const message = Buffer.concat([head, toBytes(event)]);
    // Events are told to whoever hears them; nothing is kept for those who do not.
    this.#connection.publish(this.#channel('events'), message).catch(() => undefined);
  }

  on(listener: (event: MockEvent) => void): void {
    this.#listeners.add(listener);
  }

  async listen(): Promise<void> {
    this.#saying ??= setInterval(() => this.#say(), SAY_MILLISECONDS).unref();
    this.#stopHearing ??= await this.#connection.subscribe(this.#channel('events'), (message) =>
      this.#hear(Buffer.from(message)),
    );
    await this.#connection.publish(this.#channel('listening'), this.#process);
  }

  end(): void {
    clearInterval(this.#saying);
    this.#saying = undefined;
    this.#stopHearing?.();
    this.#stopHearing = undefined;
  }

  /** Hears of nothing more, and lets the process end. */
  close(): void {
    this.end();
    clearInterval(this.#doubting);
    this.#stop?.();
  }

  #channel(name: string): string {
    return globalKey(this.#connection.namespace, name);
  }

  #say(): void {
    this.#connection.publish(this.#channel('listening'), this.#process).catch(() => undefined);
  }

  #believe(): void {
    this.#belief = BELIEVE_TIMES;
    this.#doubting ??= setInterval(() => {
      this.#belief--;
      if (this.#belief > 0) return;
      clearInterval(this.#doubting);
      this.#doubting = undefined;
    }, SAY_MILLISECONDS).unref();
  }

  #hear(message: Buffer): void {
    const first = message.indexOf(10);
    const second = message.indexOf(10, first + 1);
    if (message.toString('utf8', 0, first) === this.#process) return;
    const name = eventNames.find((one) => one === message.toString('utf8', first + 1, second));
    // A replica of another version may send events that this one does not know.
    const event = name && readEvent(name, message.subarray(second + 1));
    if (event !== undefined) for (const listener of this.#listeners) listener(event);
  }
}

function toBytes(event: MockEvent): Uint8Array {
  if (event.name === 'exchange') {
    return Buffer.from(writeExchange(event.exchange, LONGEST_BODY));
  }
  return Buffer.from(stringifyJson({ session: event.session ?? null, data: event.data() }));
}

function readEvent(name: EventName, bytes: Buffer): MockEvent | undefined {
  if (name === 'exchange') {
    const exchange = readExchange(bytes);
    return exchange && { name, session: exchange.session, exchange };
  }
  const told = tryJson(bytes.toString());
  if (!isJsonObject(told)) return undefined;
  const [session, data] = [getMember(told, 'session'), getMember(told, 'data')];
  return {
    name,
    session: typeof session === 'string' ? session : undefined,
    data: () => (isJsonObject(data) ? data : {}),
  };
}

function tryJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
