import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { ResponseFields } from '../http/message.ts';

/** The response of an operation. */
export interface ControlResponse {
  readonly status: number;
  readonly fields?: ResponseFields;
  readonly content?: {
    readonly body: string | ReadableStream<Uint8Array>;
    readonly mediaType: string;
  };
}

/** 204 No Content. */
export const NO_CONTENT: ControlResponse = Object.freeze({ status: 204 });

/** Returns a response with a JSON body. */
export function jsonResponse(
  value: JsonValue,
  status = 200,
  mediaType = 'application/json',
): ControlResponse {
  return { status, content: { body: stringifyJson(value), mediaType } };
}
