import type { ServerResponse } from 'node:http';
import type { WholeWriter } from './write-whole.ts';

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
  /**
   * Calls a task once the response is on its way, and before anything else happens.
   *
   * @returns false where responses do not wait for their turn: the task is not called then
   */
  afterResponse(task: () => void): boolean;
}

export class SocketWatch implements ClientWatch {
  readonly seesEnd = true;
  readonly #outgoing: ServerResponse;
  readonly #writer: WholeWriter | undefined;

  /** @param writer undefined for a server that is not ours */
  constructor(outgoing: ServerResponse, writer: WholeWriter | undefined) {
    this.#outgoing = outgoing;
    this.#writer = writer;
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

  afterResponse(task: () => void): boolean {
    return this.#writer?.afterTurn(task) === true;
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

  /** The caller sees the response and what is recorded of it at the same time. */
  afterResponse(): boolean {
    return false;
  }
}
