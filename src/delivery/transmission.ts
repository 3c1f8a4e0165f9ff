/** What goes out in place of a simple answer, whoever sends it. */
export interface Transmission {
  /** Undefined where no whole head is sent. */
  readonly head: Head | undefined;
  /** The body; without a head, what comes in its place. */
  readonly bytes: Uint8Array;
  readonly ending: Ending;
}

export interface Head {
  readonly status: number;
  /** Names in lower case; those that frame the body are the sender's. */
  readonly fields: Readonly<Record<string, string>>;
  readonly framing: Framing;
}

/** How the client is told where the body ends (RFC 9112 §6.3). */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunks' }
  /** By the end of the connection. */
  | { readonly kind: 'close' }
  /** There can be no body; the connection is to end all the same. */
  | { readonly kind: 'none' };

export type Ending =
  /** As it was announced; the connection is kept where it can be. */
  | { readonly kind: 'complete' }
  /** The connection is closed in good order: FIN. */
  | { readonly kind: 'closed' }
  /** RST. */
  | { readonly kind: 'reset' }
  /** Bytes that are not what they should be, and then the connection is closed. */
  | { readonly kind: 'noise'; readonly bytes: Uint8Array }
  /** Nothing more comes, and the connection stays open until the client goes away. */
  | { readonly kind: 'open' };
