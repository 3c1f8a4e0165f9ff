import type { Awaitable } from '../base/awaitable.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Example } from '../contract/examples.ts';
import type { Declared } from '../contract/responses.ts';
import type { BreakingFault, Fault } from '../delivery/fault.ts';
import type { Pace } from '../delivery/pace.ts';
import type { ResponseFields } from '../http/message.ts';
import type { ValidRequest } from '../request/request.ts';
import type { RequestView } from '../request/view.ts';
import type { Call } from '../session/call.ts';
import type { Change } from '../state/store.ts';

/** What a source says; conform holds it against the contract before it is sent. */
export interface Answer {
  /** For `Mock-Source`: the source, and which of its answers. */
  readonly source: string;
  /** Undefined where a fixture says `offContract`, or nothing is declared at all. */
  readonly declared: Declared | undefined;
  readonly status: number;
  readonly fields: ResponseFields;
  readonly payload: Payload;
  /** True when this answer was asked for: if it does not conform, no other takes its place. */
  readonly isMandatory: boolean;
}

/** What goes before an answer: this one, or where there is none that of a later source. */
interface Prelude {
  /** What the request changes; done once an answer is found: a refused request changes nothing. */
  readonly effect?: Effect;
  readonly answer: Answer | undefined;
}

/** What a request changes. The changes of all sources are made in one step, or none is. */
export interface Effect {
  /** @returns what is to change, which is made before the response goes out */
  changes(response: MockResponse): readonly Change[];
  /**
   * @param versions what the changes of this effect got
   * @returns fields that the answer has besides, now that they are made
   */
  fields?(versions: readonly number[], answer: Answer): ResponseFields;
  /** Does what waits for those fields. */
  settle?(response: MockResponse, versions: readonly number[]): Awaitable<undefined>;
}

/** The body of an answer: checked once where it never changes, each time where it does. */
export type Payload =
  | { readonly kind: 'none' }
  | { readonly kind: 'example'; readonly content: Content; readonly example: Example }
  | {
      readonly kind: 'value';
      readonly content: Content;
      readonly value: JsonValue;
      /** True for one that its source has held against the contract already. */
      readonly isConforming?: true;
    }
  /** Checked at load, or off the contract. */
  | { readonly kind: 'text'; readonly mediaType: string; readonly text: string | Uint8Array }
  /** The connection is broken in place of an answer. */
  | { readonly kind: 'fault'; readonly fault: BreakingFault };

/** A response ready to be delivered. */
export interface MockResponse {
  readonly status: number;
  /** Undefined where there is no body. */
  readonly mediaType: string | undefined;
  /** Fields besides; names in lower case. */
  readonly fields: ResponseFields;
  /** Null for no body at all. */
  readonly body: string | Uint8Array | null;
  readonly source: string;
  /** How long to wait before it is delivered. */
  readonly delayMilliseconds: number;
  /** How its body goes out; undefined for at once. */
  readonly pace: Pace | undefined;
  /** Takes its place, or spoils it on its way. */
  readonly fault: Fault | undefined;
}

/** What a source gives; undefined passes the request on to the next source. */
export type Outcome = Answer | Prelude | undefined;

/** Asks one source for an answer to a request; it is the session's only by its call. */
export type ResponseSource = (
  request: ValidRequest,
  call: Call,
  view: RequestView,
) => Awaitable<Outcome>;

/** @returns a value of `Mock-Source`: `example; name=monstera` (RFC 9651 §3.1.2) */
export function nameSource(source: string, parameter?: string, value?: string): string {
  if (parameter === undefined || value === undefined) return source;
  return `${source}; ${parameter}=${TOKEN.test(value) ? value : quote(value)}`;
}

const TOKEN = /^[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*$/;

/** A structured field's string holds visible ASCII only. */
function quote(value: string): string {
  return `"${value.replaceAll(/[^ -~]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`;
}
