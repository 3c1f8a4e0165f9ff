import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { ResponseFields } from '../http/message.ts';

export interface ControlResponse {
  readonly status: number;
  readonly fields?: ResponseFields;
  readonly content?: {
    readonly body: string | ReadableStream<Uint8Array>;
    readonly mediaType: string;
  };
}

export const NO_CONTENT: ControlResponse = Object.freeze({ status: 204 });

export function jsonResponse(
  value: JsonValue,
  status = 200,
  mediaType = 'application/json',
): ControlResponse {
  return { ...textResponse(stringifyJson(value), mediaType), status };
}

export function textResponse(
  body: string | ReadableStream<Uint8Array>,
  mediaType: string,
): ControlResponse {
  return { status: 200, content: { body, mediaType } };
}
