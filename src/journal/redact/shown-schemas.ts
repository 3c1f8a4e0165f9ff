import { isUtf8 } from 'node:buffer';
import { findContent } from '../../contract/content.ts';
import type { WireRequest } from '../../http/message.ts';
import { readContentType } from '../../media/content-type.ts';
import type { RequestView } from '../../request/view.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { KeptExchange } from '../exchange.ts';
import type { Redaction } from './redaction.ts';

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
