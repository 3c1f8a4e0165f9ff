import { tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject } from '../base/json/value.ts';
import {
  type EventName,
  type EventRelay,
  eventNames,
  type MockEvent,
} from '../session/mock-event.ts';
import type { RedisConnection } from './connection.ts';
import { readExchange, writeExchange } from './exchange-text.ts';
import { globalKey } from './keys.ts';

/** A process that listens announces it at this interval. */
const ANNOUNCE_MILLISECONDS = 5_000;
/** After so long without an announcement, no other process listens. */
const TRUSTED_MILLISECONDS = 4 * ANNOUNCE_MILLISECONDS;
/** Longer bodies of exchanges are cut. */
const LONGEST_BODY = 64 * 1024;

/** Carries events through the channels of Redis, only while another process listens. */
export class RedisRelay implements EventRelay {
  readonly #connection: RedisConnection;
  /** Marks the messages of this process. */
  readonly #process: string;
  readonly #listeners = new Set<(event: MockEvent) => void>();
  #announcing: NodeJS.Timeout | undefined;
  /** Set while another process is trusted to listen. */
  #trusted: NodeJS.Timeout | undefined;

  /** @param process a unique name of this process */
  constructor(connection: RedisConnection, process: string) {
    this.#connection = connection;
    this.#process = process;
  }

  get isHeard(): boolean {
    return this.#trusted !== undefined;
  }

  /** Begins to receive announcements. */
  begin(): Promise<void> {
    return this.#connection.subscribe(this.#channel('listening'), this.#trust);
  }

  send(event: MockEvent): void {
    const head = Buffer.from(`${this.#process}\n${event.name}\n`);
    const message = Buffer.concat([head, toBytes(event)]);
    // Lost where Redis is away: events are not stored.
    this.#publish('events', message).catch(() => undefined);
  }

  on(listener: (event: MockEvent) => void): void {
    this.#listeners.add(listener);
  }

  async listen(): Promise<void> {
    this.#announcing ??= setInterval(() => {
      this.#publish('listening', this.#process).catch(() => undefined);
    }, ANNOUNCE_MILLISECONDS).unref();
    await this.#connection.subscribe(this.#channel('events'), this.#hear);
    await this.#publish('listening', this.#process);
  }

  end(): void {
    clearInterval(this.#announcing);
    this.#announcing = undefined;
    this.#connection.unsubscribe(this.#channel('events'), this.#hear);
  }

  /** Ends all subscriptions and timers. */
  close(): void {
    this.end();
    clearTimeout(this.#trusted);
    this.#connection.unsubscribe(this.#channel('listening'), this.#trust);
  }

  #channel(name: string): string {
    return globalKey(this.#connection.namespace, name);
  }

  #publish(channel: string, message: string | Uint8Array): Promise<unknown> {
    return this.#connection.send('PUBLISH', this.#channel(channel), message);
  }

  /** Trusts another process that announces itself. */
  readonly #trust = (announced: Uint8Array): void => {
    if (Buffer.from(announced).toString() === this.#process) return;
    clearTimeout(this.#trusted);
    this.#trusted = setTimeout(() => {
      this.#trusted = undefined;
    }, TRUSTED_MILLISECONDS).unref();
  };

  readonly #hear = (bytes: Uint8Array): void => {
    const message = Buffer.from(bytes);
    const first = message.indexOf(10);
    const second = message.indexOf(10, first + 1);
    if (message.toString('utf8', 0, first) === this.#process) return;
    const name = eventNames.find((one) => one === message.toString('utf8', first + 1, second));
    // A replica of another version may send events that this one does not know.
    const event = name && readEvent(name, message.subarray(second + 1));
    if (event !== undefined) for (const listener of this.#listeners) listener(event);
  };
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
  const message = tryParseJson(bytes.toString());
  if (!isJsonObject(message)) return undefined;
  const [session, data] = [getMember(message, 'session'), getMember(message, 'data')];
  return {
    name,
    session: typeof session === 'string' ? session : undefined,
    data: () => (isJsonObject(data) ? data : {}),
  };
}
