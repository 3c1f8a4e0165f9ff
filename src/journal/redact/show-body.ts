import { isUtf8 } from 'node:buffer';
import { toExactTimestamp } from '../../base/clock.ts';
import { isNumber } from '../../base/json/number.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
} from '../../base/json/value.ts';
import { findContent, findReadable } from '../../contract/content.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import type { WireRequest } from '../../http/message.ts';
import { readContentType } from '../../media/content-type.ts';
import { tryReadJson } from '../../media/json-codec.ts';
import { ifSound } from '../../request/create-view.ts';
import type { RequestView } from '../../request/view.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { KeptExchange } from '../exchange.ts';
import { isSecret, itemOf, memberOf, type Redaction, type Showing } from './redaction.ts';
import {
  isSecretName,
  isSecretObject,
  mentionsSecret,
  REDACTED,
  redactUserInfo,
} from './secrets.ts';

interface ShownBody {
  readonly bytes: string | Uint8Array;
  readonly mediaType: string | undefined;
  /** True where the bytes have a content coding (RFC 9110 §8.4). */
  readonly isCoded: boolean;
  readonly value: JsonValue | undefined;
  readonly schema: SchemaNode | undefined;
}

/** A redacted body: as it was sent, and as a value where it is one. */
export interface BodyDescription {
  /** `body`, or `bodyBase64` for bytes that are not text; empty for an empty body. */
  readonly raw: JsonObject;
  readonly value: JsonValue | undefined;
}

/**
 * Describes a body, redacted. JSON is written again without its secrets. Any other body is left out
 * where it has a secret: in its value or, if it has none, by a name in its text.
 */
export function showBody(body: ShownBody, showing: Showing): BodyDescription {
  if (body.bytes.length === 0) return { raw: {}, value: undefined };
  const isJson = !body.isCoded && isWrittenAsJson(body);
  const value = body.value ?? (isJson ? tryReadJson(toText(body.bytes)) : undefined);
  if (showing.redaction.showsSecrets) return { raw: showBytes(body.bytes), value };
  if (value === undefined) {
    return {
      raw: mayHaveSecret(body, showing.redaction) ? { body: REDACTED } : showBytes(body.bytes),
      value,
    };
  }
  if (typeof value === 'string' && isSecretObject(value)) {
    return { raw: { body: REDACTED }, value: REDACTED };
  }
  const redacted = redactMembers(showing, value, body.schema);
  if (redacted === value) return { raw: showBytes(body.bytes), value };
  return { raw: { body: isJson ? stringifyJson(redacted) : REDACTED }, value: redacted };
}

/** JSON is often sent with another media type. */
function isWrittenAsJson({ bytes, mediaType }: ShownBody): boolean {
  return (mediaType !== undefined && isJsonMediaType(mediaType)) || /^\s*[[{]/.test(toText(bytes));
}

function mayHaveSecret({ bytes, isCoded, schema }: ShownBody, redaction: Redaction): boolean {
  return isCoded || redaction.redactsAnyOf(schema) || mentionsSecret(toText(bytes));
}

function showBytes(bytes: string | Uint8Array): JsonObject {
  if (typeof bytes === 'string') return { body: bytes };
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(bytes)
    ? { body: buffer.toString('utf8') }
    : { bodyBase64: buffer.toString('base64') };
}

/** Bytes that are not UTF-8 are read as Latin-1, so that none is lost. */
function toText(bytes: string | Uint8Array): string {
  if (typeof bytes === 'string') return bytes;
  return Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

export function showRequestBody(showing: Showing): BodyDescription {
  const { view } = showing;
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

/**
 * Redacts the secret members of a value, at all depths, and adds them to the secrets. `null`,
 * `true` and `false` are no secrets.
 *
 * @param schema of the value; undefined where none is known
 * @returns the same value where nothing was redacted
 */
export function redactMembers(showing: Showing, value: JsonValue, schema?: SchemaNode) {
  const { redaction, secrets } = showing;
  if (redaction.showsSecrets) return value;
  const redact = (one: JsonValue, at: SchemaNode | undefined, isNamed: boolean): JsonValue => {
    if (isNamed || isSecret(at)) return redactValue(one, secrets);
    if (Array.isArray(one)) return mapItems(one, (item) => redact(item, itemOf(at), false));
    if (typeof one === 'string') return redactUserInfo(one);
    if (!isJsonObject(one)) return one;
    const mapped = mapMembers(one, (member, name) =>
      redact(member, memberOf(at, name), isSecretName(name)),
    );
    return Object.keys(one).every((name) => mapped[name] === one[name]) ? one : mapped;
  };
  return redact(value, schema, false);
}

/** Returns the replacement of a secret, and adds its texts to the secrets. */
export function redactValue(value: JsonValue, secrets: string[]): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  collectTexts(value, secrets);
  return REDACTED;
}

function collectTexts(value: JsonValue, secrets: string[]): void {
  if (typeof value === 'string') secrets.push(value);
  else if (isNumber(value)) secrets.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collectTexts(member, secrets);
  }
}

function mapItems(items: JsonValue[], map: (item: JsonValue) => JsonValue): JsonValue[] {
  const mapped = items.map(map);
  return mapped.every((item, index) => item === items[index]) ? items : mapped;
}

export function schemaOfRequest({ request, operation }: RequestView, redaction: Redaction) {
  if (operation === undefined || operation.fault !== undefined) return undefined;
  const contents = operation.body?.contents ?? [];
  const type = readContentType(request.fields.get('content-type') ?? '');
  const content = findReadable(contents, type) ?? (isText(request) ? contents[0] : undefined);
  return redaction.schemaAt(content?.schema?.pointer);
}

/** Text often has the right format and the wrong media type, such as that of a form. */
function isText({ rawBody }: WireRequest): boolean {
  return rawBody !== 'too-large' && isUtf8(rawBody);
}

export function schemaOfResponse(exchange: KeptExchange, showing: Showing) {
  return showing.redaction.schemaAt(contentOfResponse(exchange, showing)?.schema?.pointer);
}

function contentOfResponse({ status, mediaType = '' }: KeptExchange, { operation }: Showing) {
  if (operation === undefined || operation.fault !== undefined) return undefined;
  const contents = operation.responses.find(status)?.contents ?? [];
  return findContent(contents, readContentType(mediaType));
}

/** Describes the items of a stream that were sent, redacted; undefined for another response. */
export function showStream(exchange: KeptExchange, showing: Showing): JsonObject | undefined {
  const { stream, responseBody, mediaType = '' } = exchange;
  if (stream === undefined || responseBody === null) return undefined;
  const content = contentOfResponse(exchange, showing);
  const schema = showing.redaction.schemaAt(content?.item?.pointer);
  const type = readContentType(mediaType);
  const bytes = Buffer.from(responseBody);
  const readItem = (item: Buffer): JsonValue => {
    const decoded = ifSound(() => content?.codecFor(type).decode(item, type));
    const [value] = Array.isArray(decoded) ? decoded : [];
    if (value !== undefined) return redactMembers(showing, value, schema);
    const text = item.toString('utf8');
    return !showing.redaction.showsSecrets && mentionsSecret(text) ? REDACTED : text;
  };
  const { items, progress } = stream;
  const placed = items.map(({ end, isComment }, index) => ({
    from: items[index - 1]?.end ?? 0,
    end,
    isComment,
  }));
  const sent = placed.filter(({ isComment }) => !isComment).slice(0, progress.times.length);
  return {
    items: sent.map(({ from, end }, index) => ({
      at: toExactTimestamp(progress.times[index] ?? 0),
      // The journal cuts long bodies.
      ...(end <= bytes.length && { value: readItem(bytes.subarray(from, end)) }),
    })),
    total: placed.length - placed.filter(({ isComment }) => isComment).length,
    ...(progress.end !== undefined && { end: progress.end }),
  };
}
