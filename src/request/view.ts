import type { JsonValue } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import type { WireRequest } from '../http/message.ts';

/** A request as matchers see it: each part is worked out when it is first asked for. */
export interface RequestView {
  readonly request: WireRequest;
  /** Percent-encoded, without query and session prefix, as the client wrote it. */
  readonly path: string;
  /** Without the `?`, percent-encoded. */
  readonly query: string;
  /** Undefined where no operation is meant. */
  readonly operation: Operation | undefined;
  /** The id of its session. */
  readonly session: string;
  /** The time of the session, in milliseconds since 1970. */
  readonly now: number;
  /** Of a callback: the operation that declares it. Undefined for any other request. */
  readonly caller: Operation | undefined;
  /** The bearer token, API key or `user:password` that came; undefined when none did. */
  readonly credential: string | undefined;
  /** The body as a value; undefined when none came, or none that can be read. */
  readonly body: JsonValue | undefined;
  /** The body as text; empty when none came. */
  readonly bodyText: string;
  /**
   * A parameter as texts, decoded, one for each time that it came; names of header fields in any
   * case.
   */
  texts(location: ParameterLocation, name: string): readonly string[];
  /**
   * A parameter as the document decodes it; one that the document does not declare, or that cannot
   * be decoded, as its first text. Undefined when none came.
   */
  value(location: ParameterLocation, name: string): JsonValue | undefined;
}

/** Why a request does not match a pattern. */
export interface Mismatch {
  /** The part of the request: `method`, `body.tag`, `query.limit`, `headers.x-trace`. */
  readonly subject: string;
  /** A sentence's end, as in "would have matched slow-create, but": `body.tag was "cactus"`. */
  readonly message: string;
  /** From just above 0, nearly, to 1, not at all. */
  readonly distance: number;
}

/** A text that a request must have, by which many patterns are looked up. */
export interface RequiredText {
  /** As in a mismatch; for one subject all patterns ask for the same texts. */
  readonly subject: string;
  readonly text: string;
  /** Returns the texts that a request has for the subject. */
  textsIn(view: RequestView): readonly string[];
}

/** The conditions on requests of a rule, or of a question to the journal. */
export interface RequestPattern {
  /** The only operation that it matches; undefined for all. */
  readonly operation: Operation | undefined;
  /** True when it looks at the body, which is known only once it is decoded. */
  readonly readsBody: boolean;
  /** The name of the callbacks or webhooks that it is for; undefined for received requests. */
  readonly callback: string | undefined;
  /** One text that every request has that matches; undefined if none is known. */
  readonly requires?: RequiredText | undefined;
  matches(view: RequestView): boolean;
  /** Returns every mismatch; none when the request matches. */
  explain(view: RequestView): readonly Mismatch[];
}
