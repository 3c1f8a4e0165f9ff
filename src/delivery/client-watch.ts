import type { ServerResponse } from 'node:http';
import type { WholeWriter } from './write-whole.ts';

/** Emitted on a response when its client ends its side. One that takes time on purpose listens to it. */
export const CLIENT_ENDED = Symbol('client ended');

/**
 * Ends the connection when the client ends its side, which most clients do that abort a request: the
 * response takes time on purpose from here on.
 */
export function leaveAtEnd(outgoing: ServerResponse): void {
  const { socket } = outgoing.req;
  // Without a socket, the response waits for those to earlier requests.
  if (socket.readableEnded && outgoing.socket !== null) socket.end();
  else outgoing.once(CLIENT_ENDED, () => socket.end());
}

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
  /** Says that the response takes time on purpose: a client that ends its side has left then. */
  delay(): void;
  /**
   * Calls a task once the response is on its way, and before anything else happens.
   *
   * @returns false where nobody knows when that is: the task is not called then
   */
  afterResponse(task: () => void): boolean;
}

export class SocketWatch implements ClientWatch {
  readonly seesEnd = true;
  readonly outgoing: ServerResponse;
  readonly #writer: WholeWriter | undefined;
  #task: (() => void) | undefined;

  /** @param writer undefined for a server that is not ours */
  constructor(outgoing: ServerResponse, writer: WholeWriter | undefined) {
    this.outgoing = outgoing;
    this.#writer = writer;
  }

  onLeave(listener: () => void): () => void {
    const { outgoing } = this;
    const close = (): void => {
      if (!outgoing.writableFinished) listener();
    };
    if (outgoing.req.socket.destroyed) close();
    outgoing.once('close', close);
    return () => outgoing.off('close', close);
  }

  delay(): void {
    leaveAtEnd(this.outgoing);
  }

  afterResponse(task: () => void): boolean {
    if (this.#writer?.afterTurn(task) !== true) this.#task = task;
    return true;
  }

  /** Calls the task of a response that is on its way, unless it waits for others of its turn. */
  responded(): void {
    const task = this.#task;
    this.#task = undefined;
    task?.();
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

  /** A program has its response or aborts; it has no side to end. */
  delay(): void {}

  /** The caller sees the response and what is recorded of it at the same time. */
  afterResponse(): boolean {
    return false;
  }
}
