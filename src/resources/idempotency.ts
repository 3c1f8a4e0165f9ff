import { createHash } from 'node:crypto';
import { stringifyJson } from '../base/json/stringify.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';

/** The collection of first answers, by the keys of their requests. */
export const IDEMPOTENCY = '$idempotency';

/** How many first answers a session keeps; the oldest go first. */
export const MOST_KEPT = 10_000;

/** The first answer to a request, as it is given again. */
export interface FirstAnswer {
  /** What tells the request from others: of another request the key must be another. */
  readonly fingerprint: string;
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** @returns what two requests share only if they ask the same (section 2.4 of the draft) */
export function fingerprintOf(
  operation: string,
  target: string,
  body: JsonValue | undefined,
): string {
  const text = `${operation}\n${target}\n${body === undefined ? '' : stringifyJson(body)}`;
  return createHash('sha256').update(text).digest('base64');
}

/** @returns a first answer as a store keeps it */
export function toRecord(answer: FirstAnswer): JsonObject {
  const { fingerprint, status, mediaType, body } = answer;
  const headers: JsonObject = {};
  for (const [name, value] of Object.entries(answer.fields)) setMember(headers, name, value);
  const isText = body === null || typeof body === 'string';
  return {
    fingerprint,
    status,
    mediaType: mediaType ?? null,
    headers,
    ...(isText ? { body } : { bytes: Buffer.from(body).toString('base64') }),
  };
}

/** @returns the first answer of a record; undefined for what is no record */
export function readRecord(record: JsonObject): FirstAnswer | undefined {
  const { fingerprint, status, mediaType, headers, body, bytes } = record;
  if (typeof fingerprint !== 'string' || typeof status !== 'number') return undefined;
  const fields: Record<string, string> = {};
  if (isJsonObject(headers)) {
    for (const name of Object.keys(headers)) {
      const value = getMember(headers, name);
      if (typeof value === 'string') fields[name] = value;
    }
  }
  return {
    fingerprint,
    status,
    mediaType: typeof mediaType === 'string' ? mediaType : undefined,
    fields,
    body:
      typeof bytes === 'string'
        ? Buffer.from(bytes, 'base64')
        : typeof body === 'string'
          ? body
          : null,
  };
}
