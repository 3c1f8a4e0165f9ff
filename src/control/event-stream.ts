import type { Clock } from '../base/clock.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { MockEvent } from '../session/mock-event.ts';

/** The source of a stream of server-sent events. */
export interface EventStreamSettings {
  readonly hub: EventHub;
  /** The system's clock, which times heartbeats. */
  readonly clock: Clock;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** How many events the client has missed since its last connection. */
  readonly missed: number;
  readonly accepts: (event: MockEvent) => boolean;
  /** Returns the data of an event, in one line. */
  readonly write: (event: MockEvent) => string;
}

/** A client that lags behind by more than this loses events. */
const MOST_BUFFERED_CHARACTERS = 262_144;
/** Shorter than the idle timeout of common proxies. */
const HEARTBEAT_MILLISECONDS = 15_000;

/**
 * Creates a stream of server-sent events (HTML Standard §9.2).
 *
 * @returns undefined when the hub has no room for another subscriber
 */
export function createEventStream(
  settings: EventStreamSettings,
): ReadableStream<Uint8Array> | undefined {
  const reader = new EventReader(settings);
  return reader.isSubscribed ? reader.stream : undefined;
}

class EventReader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #settings: EventStreamSettings;
  readonly #end = new AbortController();
  readonly #unsubscribe: (() => void) | undefined;
  #buffer = '';
  #dropped: number;
  /** Set while `#pull` waits for an event. */
  #wake: (() => void) | undefined;

  constructor(settings: EventStreamSettings) {
    this.#settings = settings;
    this.#dropped = settings.missed;
    this.#unsubscribe = settings.hub.subscribe((event, number) => this.#receive(event, number));
    this.stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: this.#stop },
      // Without a queue, everything unread is in `#buffer`, where its size is limited.
      { highWaterMark: 0 },
    );
    if (!this.isSubscribed) return;
    // Written at once, so that the client knows that it is connected.
    this.#buffer = ': listening\n\n';
    settings.signal.addEventListener('abort', this.#stop);
    if (settings.signal.aborted) this.#stop();
    void this.#beat();
  }

  get isSubscribed(): boolean {
    return this.#unsubscribe !== undefined;
  }

  #receive(event: MockEvent, number: number): void {
    const { accepts, write } = this.#settings;
    if (!accepts(event)) return;
    if (this.#buffer.length >= MOST_BUFFERED_CHARACTERS) {
      this.#dropped++;
      return;
    }
    this.#writeDropped(number - 1);
    this.#write(`id: ${number}\nevent: ${event.name}\ndata: ${write(event)}\n\n`);
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
    if (this.#buffer === '') this.#writeDropped(this.#settings.hub.last);
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
      await this.#settings.clock.sleep(HEARTBEAT_MILLISECONDS, signal);
      if (!signal.aborted && this.#buffer === '') this.#write(': still here\n\n');
    }
  }

  readonly #stop = (): void => {
    this.#settings.signal.removeEventListener('abort', this.#stop);
    this.#unsubscribe?.();
    this.#end.abort();
    this.#wake?.();
  };
}
