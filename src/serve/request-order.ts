import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

interface Arrived {
  readonly incoming: IncomingMessage;
}

/**
 * The order of requests that a client sends on one connection without waiting for responses: none is
 * handled before one in front of it that takes time and changes what others get (RFC 9112 §9.3.2),
 * and none behind one whose response closes the connection (§9.6).
 */
export class RequestOrder<Arrival extends Arrived> {
  readonly #handle: (arrival: Arrival) => void;
  readonly #closing = new Set<Socket>();
  /** The requests behind one that takes time, by their connection. */
  readonly #waiting = new Map<Socket, Arrival[]>();

  /** @param handle a request whose turn has come */
  constructor(handle: (arrival: Arrival) => void) {
    this.#handle = handle;
  }

  /** Returns true if a request can be handled now. One that has to wait is handled later. */
  admits(arrival: Arrival): boolean {
    // Most of the time, there is no such connection.
    if (this.#closing.size === 0 && this.#waiting.size === 0) return true;
    const { socket } = arrival.incoming;
    if (this.#closing.has(socket)) return false;
    const waiting = this.#waiting.get(socket);
    waiting?.push(arrival);
    return waiting === undefined;
  }

  /** Admits no further request of a connection. */
  close({ incoming: { socket } }: Arrival): void {
    this.#closing.add(socket);
    socket.once('close', () => this.#closing.delete(socket));
  }

  /** Lets further requests of a connection wait until the promise settles. */
  async waitFor({ incoming: { socket } }: Arrival, handled: Promise<void>): Promise<void> {
    this.#waiting.set(socket, []);
    try {
      await handled;
    } finally {
      const waiting = this.#waiting.get(socket) ?? [];
      this.#waiting.delete(socket);
      // One of these may let those behind it wait again.
      for (const arrival of waiting) if (this.admits(arrival)) this.#handle(arrival);
    }
  }
}
