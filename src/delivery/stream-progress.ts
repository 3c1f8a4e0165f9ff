/** How a stream ended: as announced, by a rule, or because the client did not wait. */
export const streamEnds = ['complete', 'broken', 'left'] as const;
export type StreamEnd = (typeof streamEnds)[number];

/** How far a stream has been sent. It changes while the journal has it already. */
export class StreamProgress {
  /** When each item was sent, by the session's clock; milliseconds since 1970. */
  readonly times: number[] = [];
  #end: StreamEnd | undefined;

  /** Undefined while the stream is sent. */
  get end(): StreamEnd | undefined {
    return this.#end;
  }

  /** Ends the stream; nothing changes one that has ended. */
  finish(end: StreamEnd): void {
    this.#end ??= end;
  }
}
