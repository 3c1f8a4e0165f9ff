import type { Clock } from '../base/clock.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { MockEvent } from '../session/mock-event.ts';

/** What a stream of server-sent events is made of. */
export interface EventStreamSettings {
  readonly hub: EventHub;
  /** The machine's. */
  readonly clock: Clock;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  /** How many events the reader has missed since it was here last. */
  readonly missed: number;
  readonly accepts: (event: MockEvent) => boolean;
  /** @returns the data of an event, of one line */
  readonly write: (event: MockEvent) => string;
}

/** Who reads slower than this loses events. */
const MOST_BUFFERED_CHARACTERS = 262_144;
/** Shorter than what stands between usually waits before it breaks an idle connection off. */
const HEARTBEAT_MILLISECONDS = 15_000;

/**
 * Makes a stream of server-sent events (HTML Standard §9.2).
 *
 * @returns undefined when too many listen already
 */
export function createEventStream(
  settings: EventStreamSettings,
): ReadableStream<Uint8Array> | undefined {
  const reader = new EventReader(settings);
  return reader.isHeard ? reader.stream : undefined;
}

class EventReader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #settings: EventStreamSettings;
  readonly #end = new AbortController();
  readonly #unsubscribe: (() => void) | undefined;
  #buffer = '';
  #dropped: number;
  /** Set while the reader waits for more. */
  #wake: (() => void) | undefined;

  constructor(settings: EventStreamSettings) {
    this.#settings = settings;
    this.#dropped = settings.missed;
    this.#unsubscribe = settings.hub.subscribe((event, number) => this.#hear(event, number));
    this.stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: this.#stop },
      // What the reader has not asked for stays here, where it is counted.
      { highWaterMark: 0 },
    );
    if (!this.isHeard) return;
    // The reader sees at once that it is connected.
    this.#buffer = ': listening\n\n';
    settings.signal.addEventListener('abort', this.#stop);
    if (settings.signal.aborted) this.#stop();
    void this.#beat();
  }

  get isHeard(): boolean {
    return this.#unsubscribe !== undefined;
  }

  #hear(event: MockEvent, number: number): void {
    const { accepts, write } = this.#settings;
    if (!accepts(event)) return;
    if (this.#buffer.length >= MOST_BUFFERED_CHARACTERS) {
      this.#dropped++;
      return;
    }
    this.#tellDropped(number - 1);
    this.#write(`id: ${number}\nevent: ${event.name}\ndata: ${write(event)}\n\n`);
  }

  /** Before the next event that fits, the reader is told how many did not. */
  #tellDropped(number: number): void {
    if (this.#dropped === 0) return;
    this.#buffer += `id: ${number}\nevent: dropped\ndata: {"count":${this.#dropped}}\n\n`;
    this.#dropped = 0;
  }

  #write(text: string): void {
    this.#buffer += text;
    this.#wake?.();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#buffer === '') this.#tellDropped(this.#settings.hub.last);
    if (this.#buffer === '' && !this.#end.signal.aborted) await this.#more();
    const text = this.#buffer;
    this.#buffer = '';
    if (text !== '') controller.enqueue(Buffer.from(text));
    else if (this.#end.signal.aborted) controller.close();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  /** A comment now and then keeps the connection open, and finds out when nobody is there. */
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
