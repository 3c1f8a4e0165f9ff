import { stringifyJson } from '../base/json/stringify.ts';
import { Problem } from '../base/problem.ts';
import { describeExchange } from '../journal/describe-exchange.ts';
import { beginShowing } from '../journal/redact/redaction.ts';
import type { MockEvent } from '../session/sessions.ts';
import type { ControlCall, ControlOperations } from './call.ts';
import { toNumber } from './members.ts';

/** The stream of everything that happens in the mock. */
export const eventOperations: ControlOperations = {
  async streamEvents(call) {
    const { stream, isSubscribed } = new EventReader(call);
    if (!isSubscribed) {
      throw new Problem('TOO_MANY_LISTENERS', 'the maximum of event streams is open; close one');
    }
    try {
      // Only now that it listens, or else the end of another stream would end the relay.
      await call.settings.events.open();
    } catch (error) {
      await stream.cancel();
      throw error;
    }
    return {
      status: 200,
      // Proxies must neither buffer nor cache the stream.
      fields: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      content: { body: stream, mediaType: 'text/event-stream' },
    };
  },
};

function readFilter(call: ControlCall): (event: MockEvent) => boolean {
  const names = call.parameter('event');
  const isAll = call.flag('all');
  return ({ name, session }) =>
    (isAll || session === undefined || session === call.session.id) &&
    (!Array.isArray(names) || names.includes(name));
}

/** Counts the events of all sessions since the last one that the client received. */
function countMissed(call: ControlCall): number {
  const text = call.text('Last-Event-ID');
  const last = text === undefined || !/^\d{1,15}$/.test(text) ? undefined : toNumber(Number(text));
  return last === undefined ? 0 : Math.max(0, call.settings.events.last - last);
}

/** Returns the data of an event, in one line. */
function describeEvent({ settings, pipeline }: ControlCall, event: MockEvent): string {
  const { session } = event;
  if (!('exchange' in event)) {
    return stringifyJson({ ...(session !== undefined && { session }), ...event.data() });
  }
  const { exchange } = event;
  const showing = beginShowing(pipeline.redaction, settings.view(exchange));
  return stringifyJson(describeExchange(exchange, showing));
}

/** A client that lags behind by more than this loses events. */
const MOST_BUFFERED_CHARACTERS = 262_144;
/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MILLISECONDS = 15_000;

/** Writes the events that a call asks for to a stream of server-sent events (HTML Standard §9.2). */
class EventReader {
  readonly stream: ReadableStream<Uint8Array>;
  /** False when the hub has no room for another subscriber. */
  readonly isSubscribed: boolean;
  readonly #call: ControlCall;
  readonly #signal: AbortSignal;
  readonly #accepts: (event: MockEvent) => boolean;
  readonly #end = new AbortController();
  readonly #unsubscribe: (() => void) | undefined;
  #buffer = '';
  #dropped: number;
  /** Set while `#pull` waits for an event. */
  #wake: (() => void) | undefined;

  constructor(call: ControlCall) {
    this.#call = call;
    this.#signal = call.signal;
    this.#accepts = readFilter(call);
    this.#dropped = countMissed(call);
    const { events } = call.settings;
    this.#unsubscribe = events.subscribe((event, number) => this.#receive(event, number));
    this.isSubscribed = this.#unsubscribe !== undefined;
    this.stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: this.#stop },
      // Without a queue, everything unread is in `#buffer`, where its size is limited.
      { highWaterMark: 0 },
    );
    if (!this.isSubscribed) return;
    // Written at once, so that the client knows that it is connected.
    this.#buffer = ': listening\n\n';
    this.#signal.addEventListener('abort', this.#stop);
    if (this.#signal.aborted) this.#stop();
    void this.#beat();
  }

  #receive(event: MockEvent, number: number): void {
    if (!this.#accepts(event)) return;
    if (this.#buffer.length >= MOST_BUFFERED_CHARACTERS) {
      this.#dropped++;
      return;
    }
    this.#writeDropped(number - 1);
    this.#write(
      `id: ${number}\nevent: ${event.name}\ndata: ${describeEvent(this.#call, event)}\n\n`,
    );
  }

  /** Writes how many events were dropped, before the next one that fits. */
  #writeDropped(number: number): void {
    if (this.#dropped === 0) return;
    this.#buffer += `id: ${number}\nevent: dropped\ndata: {"count":${this.#dropped}}\n\n`;
    this.#dropped = 0;
  }

  #write(text: string): void {
    this.#buffer += text;
    this.#wake?.();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#buffer === '') this.#writeDropped(this.#call.settings.events.last);
    if (this.#buffer === '' && !this.#end.signal.aborted) await this.#untilWritten();
    const text = this.#buffer;
    this.#buffer = '';
    if (text !== '') controller.enqueue(Buffer.from(text));
    else if (this.#end.signal.aborted) controller.close();
  }

  #untilWritten(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** Writes a comment when idle: it keeps the connection open and detects a lost client. */
  async #beat(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#call.settings.clock.sleep(HEARTBEAT_MILLISECONDS, signal);
      if (!signal.aborted && this.#buffer === '') this.#write(': still here\n\n');
    }
  }

  readonly #stop = (): void => {
    this.#signal.removeEventListener('abort', this.#stop);
    this.#unsubscribe?.();
    this.#end.abort();
    this.#wake?.();
  };
}
