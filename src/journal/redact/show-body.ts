import { isUtf8 } from 'node:buffer';
import { isNumber } from '../../base/json/number.ts';
import { JsonError, parseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { findContent } from '../../contract/content.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import type { WireRequest } from '../../http/message.ts';
import { readContentType } from '../../media/content-type.ts';
import type { RequestView } from '../../request/view.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { KeptExchange } from '../exchange.ts';
import { isSecret, itemOf, memberOf } from './hidden-schema.ts';
import type { Redaction, Showing } from './redaction.ts';
import { mentionsSecret, REDACTED } from './secrets.ts';

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

/** @returns the body of a request as it was sent and as a value, without its secrets */
export function showRequestBody(view: RequestView, showing: Showing): BodyDescription {
  const { fields, rawBody } = view.request;
  return showBody(
    {
      bytes: rawBody === 'too-large' ? '' : rawBody,
      mediaType: fields.get('content-type'),
      isCoded: (fields.get('content-encoding') ?? 'identity') !== 'identity',
      value: view.body,
      schema: schemaOfRequest(view, showing.redaction),
    },
    showing,
  );
}

/** A value without its secrets, and the secrets. */
export interface Redacted {
  /** The same value where nothing was hidden. */
  readonly value: JsonValue;
  readonly secrets: readonly string[];
}

/**
 * Hides the secret members of a body, at all depths. That there is none, `null`, is no secret, and
 * neither is a `true` or `false`.
 *
 * @param schema of the value; undefined where none is known
 */
export function redactMembers(
  redaction: Redaction,
  value: JsonValue,
  schema: SchemaNode | undefined,
): Redacted {
  if (redaction.showsSecrets) return { value, secrets: [] };
  const secrets: string[] = [];
  const redact = (one: JsonValue, at: SchemaNode | undefined, isNamed: boolean): JsonValue => {
    if (isNamed || isSecret(at)) return hide(one, secrets);
    if (Array.isArray(one)) return mapItems(one, (item) => redact(item, itemOf(at), false));
    if (!isJsonObject(one)) return one;
    return mapMembers(one, (name, member) =>
      redact(member, memberOf(at, name), redaction.hidesMember(name)),
    );
  };
  return { value: redact(value, schema, false), secrets };
}

/** @returns what stands in the place of a secret, whose texts are noted */
export function hide(value: JsonValue, secrets: string[]): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  noteTexts(value, secrets);
  return REDACTED;
}

function noteTexts(value: JsonValue, secrets: string[]): void {
  if (typeof value === 'string') secrets.push(value);
  else if (isNumber(value)) secrets.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) noteTexts(member, secrets);
  }
}

function mapItems(items: JsonValue[], map: (item: JsonValue) => JsonValue): JsonValue[] {
  const mapped = items.map(map);
  return mapped.every((item, index) => item === items[index]) ? items : mapped;
}

function mapMembers(
  object: JsonObject,
  map: (name: string, member: JsonValue) => JsonValue,
): JsonObject {
  const mapped: JsonObject = {};
  let isSame = true;
  for (const [name, member] of Object.entries(object)) {
    const next = map(name, member);
    isSame &&= next === member;
    setMember(mapped, name, next);
  }
  return isSame ? object : mapped;
}

/** @returns what the schema of a request's body hides; undefined where none is known */
export function schemaOfRequest(
  { request, operation }: RequestView,
  redaction: Redaction,
): SchemaNode | undefined {
  if (operation === undefined || operation.fault !== undefined) return undefined;
  const contents = operation.body?.contents ?? [];
  const type = readContentType(request.fields.get('content-type') ?? '');
  const content = findContent(contents, type) ?? (isText(request) ? contents[0] : undefined);
  return redaction.schemaAt(content?.schema?.pointer);
}

/** A text is often of the right form and of the wrong media type, such as that of a form. */
function isText({ rawBody }: WireRequest): boolean {
  return rawBody !== 'too-large' && isUtf8(rawBody);
}

/** @returns what the schema of an answer's body hides; undefined where none is known */
export function schemaOfAnswer(
  { status, mediaType = '' }: KeptExchange,
  { operation }: RequestView,
  redaction: Redaction,
): SchemaNode | undefined {
  if (operation === undefined || operation.fault !== undefined) return undefined;
  const contents = operation.responses.find(status)?.contents ?? [];
  return redaction.schemaAt(findContent(contents, readContentType(mediaType))?.schema?.pointer);
}
