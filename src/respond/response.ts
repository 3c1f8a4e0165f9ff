import type { Awaitable } from '../base/awaitable.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Example } from '../contract/examples.ts';
import type { Declared } from '../contract/responses.ts';
import type { BreakingFault, Fault, Pace } from '../delivery/transmission.ts';
import { NO_FIELDS, type ResponseFields, toFieldString } from '../http/message.ts';
import type { ValidRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Call } from '../session/call.ts';
import type { Change } from '../state/store.ts';

/** A response that a source proposes. It is checked against the contract before it is sent. */
export interface Candidate {
  /** The value of `Mock-Source`: the source, and which of its responses. */
  readonly source: string;
  /** Undefined if a rule says `offContract`, or if the document declares nothing. */
  readonly declared: Declared | undefined;
  readonly status: number;
  readonly fields: ResponseFields;
  readonly payload: Payload;
  /** True if the client or a rule asked for this response, so that no other replaces it. */
  readonly isMandatory: boolean;
}

/** An effect with a response, or with the response of a later source. */
interface Prelude {
  /** Committed when there is a response: a refused request changes nothing. */
  readonly effect?: Effect;
  readonly candidate: Candidate | undefined;
}

/** The changes of a request in the store. Those of all sources are committed, or none. */
export interface Effect {
  changes(response: MockResponse): readonly Change[];
  /**
   * Returns further fields of the response, after the changes were made.
   *
   * @param versions the new versions of the changed resources
   */
  fields?(versions: readonly number[], candidate: Candidate): ResponseFields;
  /** Makes the changes that need those fields. */
  settle?(response: MockResponse, versions: readonly number[]): Awaitable<undefined>;
}

export type Payload =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'value';
      readonly content: Content;
      readonly value: JsonValue;
      /** Set if the value is an example, which is checked and written once. */
      readonly example?: Example;
      /** The JSON of the value, if it is written already. */
      readonly text?: string;
      /** True if the source has checked the value against the contract already. */
      readonly isConforming?: true;
    }
  /** Checked when it was loaded, or off the contract. */
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string | Uint8Array }
  /** Breaks the connection instead. */
  | { readonly kind: 'fault'; readonly fault: BreakingFault };

export interface MockResponse {
  readonly status: number;
  readonly mediaType: string | undefined;
  /** Fields besides the media type; names in lower case. */
  readonly fields: ResponseFields;
  /** Null for no body. */
  readonly body: string | Uint8Array | null;
  readonly source: string;
  readonly delayMilliseconds: number;
  /** The speed of the body; undefined to send it at once. */
  readonly pace: Pace | undefined;
  /** Replaces the response, or breaks it on its way. */
  readonly fault: Fault | undefined;
}

/** The result of a source. Undefined passes the request on to the next source. */
export type Outcome = Candidate | Prelude | undefined;

export type ResponseSource = (
  request: ValidRequest,
  call: Call,
  view: RequestView,
) => Awaitable<Outcome>;

/** Returns a response with a declared status, which no one has asked for. */
export function toCandidate(
  source: string,
  declared: Declared,
  payload: Payload,
  fields: ResponseFields = NO_FIELDS,
): Candidate {
  return { source, declared, status: declared.status, fields, payload, isMandatory: false };
}

/** Returns the response with further fields, which take precedence. */
export function withFields(response: MockResponse, fields: ResponseFields): MockResponse {
  if (fields === NO_FIELDS) return response;
  const all = response.fields === NO_FIELDS ? fields : { ...response.fields, ...fields };
  return { ...response, fields: all };
}

/** Returns the declared fields, overridden by the response's own. */
export function declaredFields(declared: Declared | undefined, own: ResponseFields) {
  const sent = declared?.response.headers.sent ?? NO_FIELDS;
  return sent === NO_FIELDS ? own : { ...sent, ...own };
}

/** Returns a value of `Mock-Source`: `example; name=monstera` (RFC 9651 §3.1.2). */
export function nameSource(source: string, parameter?: string, value?: string): string {
  if (parameter === undefined || value === undefined) return source;
  return `${source}; ${parameter}=${TOKEN.test(value) ? value : toFieldString(value)}`;
}

const TOKEN = /^[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*$/;
