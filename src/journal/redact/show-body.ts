import { isUtf8 } from 'node:buffer';
import { JsonError, parseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { redactMembers } from './redact-members.ts';
import { REDACTED, type Redaction } from './redaction.ts';
import { mentionsSecret } from './secret-names.ts';
import type { Showing } from './showing.ts';

/** A body, and what is known of it. */
export interface ShownBody {
  readonly bytes: string | Uint8Array;
  readonly mediaType: string | undefined;
  /** True where the bytes are not the body itself but its coded form (RFC 9110 §8.4). */
  readonly isCoded: boolean;
  /** As a value, where it was read as one. */
  readonly value: JsonValue | undefined;
  /** What its schema hides. */
  readonly schema: SchemaNode | undefined;
}

/** A body as it is shown: as it was sent, and as a value where it is one. */
export interface BodyDescription {
  /** `body`, or `bodyBase64` for what is no text; empty for a body without a byte. */
  readonly raw: JsonObject;
  readonly value: JsonValue | undefined;
}

/**
 * Describes a body without its secrets. JSON is written anew without them. Any other form is left
 * out where it has a secret, as a value or, if it cannot be read as one, by a name that it mentions.
 */
export function showBody(body: ShownBody, showing: Showing): BodyDescription {
  if (body.bytes.length === 0) return { raw: {}, value: undefined };
  const isJson = !body.isCoded && isWrittenAsJson(body);
  const value = body.value ?? (isJson ? tryJson(body.bytes) : undefined);
  if (showing.redaction.showsSecrets) return { raw: showBytes(body.bytes), value };
  if (value === undefined) {
    return {
      raw: mayHide(body, showing.redaction) ? { body: REDACTED } : showBytes(body.bytes),
      value,
    };
  }
  const redacted = redactMembers(showing.redaction, value, body.schema);
  showing.secrets.push(...redacted.secrets);
  if (redacted.value === value) return { raw: showBytes(body.bytes), value };
  const raw = isJson ? stringifyJson(redacted.value) : REDACTED;
  return { raw: { body: raw }, value: redacted.value };
}

/** JSON is often sent under the name of something else. */
function isWrittenAsJson({ bytes, mediaType }: ShownBody): boolean {
  return (mediaType !== undefined && isJsonMediaType(mediaType)) || /^\s*[[{]/.test(toText(bytes));
}

function mayHide({ bytes, isCoded, schema }: ShownBody, redaction: Redaction): boolean {
  return isCoded || redaction.hidesAnyOf(schema) || mentionsSecret(toText(bytes));
}

function showBytes(bytes: string | Uint8Array): JsonObject {
  if (typeof bytes === 'string') return { body: bytes };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(bytes)
    ? { body: buffer.toString('utf8') }
    : { bodyBase64: buffer.toString('base64') };
}

/** Bytes that are no UTF-8 are read as characters of one byte each, so that none is lost. */
function toText(bytes: string | Uint8Array): string {
  if (typeof bytes === 'string') return bytes;
  return Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

function tryJson(bytes: string | Uint8Array): JsonValue | undefined {
  try {
    return parseJson(toText(bytes));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}
