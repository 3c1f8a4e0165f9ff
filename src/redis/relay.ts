import { tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject } from '../base/json/value.ts';
import { type EventName, eventNames, type MockEvent } from '../session/sessions.ts';
import type { RedisConnection } from './connection.ts';
import { readExchange, writeExchange } from './exchange-text.ts';
import { globalKey } from './keys.ts';

/** A process that listens announces it at this interval. */
const ANNOUNCE_MILLISECONDS = 5_000;
/** After so long without an announcement, no other process listens. */
const TRUSTED_MILLISECONDS = 4 * ANNOUNCE_MILLISECONDS;
/** Longer bodies of exchanges are cut. */
const LONGEST_BODY = 64 * 1024;

/**
 * Carries events through the channels of Redis, only while another process listens.
 *
 * @param process a unique name of this process, which marks its messages
 */
export function createRelay(connection: RedisConnection, process: string) {
  const listeners = new Set<(event: MockEvent) => void>();
  let announcing: NodeJS.Timeout | undefined;
  let trusted: NodeJS.Timeout | undefined;
  const listening = globalKey(connection.namespace, 'listening');
  const events = globalKey(connection.namespace, 'events');
  const announce = (): Promise<unknown> => connection.send('PUBLISH', listening, process);

  const trust = (announced: Uint8Array): void => {
    if (Buffer.from(announced).toString() === process) return;
    clearTimeout(trusted);
    trusted = setTimeout(() => {
      trusted = undefined;
    }, TRUSTED_MILLISECONDS).unref();
  };

  const hear = (bytes: Uint8Array): void => {
    const message = Buffer.from(bytes);
    const first = message.indexOf(10);
    const second = message.indexOf(10, first + 1);
    if (message.toString('utf8', 0, first) === process) return;
    const name = eventNames.find((one) => one === message.toString('utf8', first + 1, second));
    // A replica of another version may send events that this one does not know.
    const event = name && readEvent(name, message.subarray(second + 1));
    if (event !== undefined) for (const listener of listeners) listener(event);
  };

  const end = (): void => {
    clearInterval(announcing);
    announcing = undefined;
    connection.unsubscribe(events, hear);
  };
  return {
    get isHeard() {
      return trusted !== undefined;
    },
    /** Begins to receive announcements. */
    begin: () => connection.subscribe(listening, trust),
    send(event: MockEvent): void {
      const head = Buffer.from(`${process}\n${event.name}\n`);
      const message = Buffer.concat([head, toBytes(event)]);
      // Lost where Redis is away: events are not stored.
      connection.send('PUBLISH', events, message).catch(() => undefined);
    },
    on(listener: (event: MockEvent) => void): void {
      listeners.add(listener);
    },
    async listen(): Promise<void> {
      announcing ??= setInterval(
        () => announce().catch(() => undefined),
        ANNOUNCE_MILLISECONDS,
      ).unref();
      await connection.subscribe(events, hear);
      await announce();
    },
    end,
    /** Ends all subscriptions and timers. */
    close(): void {
      end();
      clearTimeout(trusted);
      connection.unsubscribe(listening, trust);
    },
  };
}

function toBytes(event: MockEvent): Uint8Array {
  if ('exchange' in event) return writeExchange(event.exchange, LONGEST_BODY);
  return Buffer.from(stringifyJson({ session: event.session ?? null, data: event.data() }));
}

function readEvent(name: EventName, bytes: Buffer): MockEvent | undefined {
  if (name === 'exchange' || name === 'callback') {
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
