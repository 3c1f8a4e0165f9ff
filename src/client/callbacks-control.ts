import { type ControlChannel, toPath } from './control-channel.ts';
import type { Exchange, JournalControl, Waiting } from './journal-control.ts';

/** The payload of a callback or webhook. */
interface Payload {
  /** In place of the document's example. */
  readonly body?: unknown;
  /** True sends a body that the document does not allow. */
  readonly offContract?: boolean;
}

/** A callback or webhook that was sent, and the response of its receiver. */
export interface SentWebhook {
  /** Of its exchange in the journal. */
  readonly number: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

/** How many callbacks to wait for. */
type CallbackWaiting = Pick<Waiting, 'times' | 'within'>;

/** The callbacks and webhooks of a session. */
export class CallbacksControl {
  readonly #control: ControlChannel;
  readonly #journal: JournalControl;

  constructor(control: ControlChannel, journal: JournalControl) {
    this.#control = control;
    this.#journal = journal;
  }

  /**
   * Sends a webhook or a callback of the document to a URL, and returns the response to it.
   *
   * @throws {ControlError} for an unknown name, a body that the document does not allow, and a
   *   receiver that does not respond
   *
   * @example
   * await session.callbacks.send('newPlant', 'http://localhost:8080/hooks');
   */
  send(name: string, url: string | URL, payload: Payload = {}): Promise<SentWebhook> {
    return this.#control.post(toPath('callbacks', name), { url: String(url), ...payload });
  }

  /**
   * Waits until callbacks are delivered, and returns them.
   *
   * @throws {VerificationError} when they are not delivered in time
   *
   * @example
   * const [delivered] = await session.callbacks.waitFor('orderShipped');
   */
  async waitFor(callback: string, waiting: CallbackWaiting = {}): Promise<readonly Exchange[]> {
    await this.#journal.wait({ callback, ...waiting });
    return this.#journal.find({ callback });
  }
}
