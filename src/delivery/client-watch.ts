import type { ServerResponse } from 'node:http';

/** The client of a request, which may leave before it has the whole response. */
export interface ClientWatch {
  /** Whether it is known when the client has the whole response. */
  readonly seesEnd: boolean;
  /**
   * Calls the listener when the client leaves, at once where it has left already.
   *
   * @returns a function that removes the listener
   */
  onLeave(listener: () => void): () => void;
}

export class SocketWatch implements ClientWatch {
  readonly seesEnd = true;
  readonly #outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  onLeave(listener: () => void): () => void {
    const outgoing = this.#outgoing;
    const close = (): void => {
      if (!outgoing.writableFinished) listener();
    };
    if (outgoing.req.socket.destroyed) close();
    outgoing.once('close', close);
    return () => outgoing.off('close', close);
  }
}

/** A program that called in process, with the signal of its request. */
export class SignalWatch implements ClientWatch {
  readonly seesEnd = false;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  onLeave(listener: () => void): () => void {
    if (this.#signal.aborted) listener();
    this.#signal.addEventListener('abort', listener, { once: true });
    return () => this.#signal.removeEventListener('abort', listener);
  }
}
