import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { ValidRequest } from '../../request/request.ts';
import { findExample } from '../example.ts';
import { findStream } from '../negotiate.ts';
import type { Candidate, Payload } from '../response.ts';
import { composeStream } from './compose.ts';
import type { StreamMaterial } from './item-writer.ts';

/** Returns the response as a stream if the request asks for one; else as it is. */
export type ToStream = (request: ValidRequest, candidate: Candidate) => Candidate;

interface ToStreamMaterial extends StreamMaterial {
  readonly hasExamples: boolean;
}

/** Returns the function that makes streams of the responses that the sources propose. */
export function createToStream(material: ToStreamMaterial): ToStream {
  return (request, candidate) => {
    const { declared, payload } = candidate;
    if (declared === undefined || declared.response.streams.length === 0) return candidate;
    if (payload.kind !== 'value') return candidate;
    const stream = findStream(request, declared);
    if (stream === undefined) return candidate;
    const isOwn = payload.content.isStream;
    const streamed = isOwn
      ? complete(material, stream, payload)
      : carry(material, stream, candidate.isMandatory, payload);
    return { ...candidate, payload: streamed };
  };
}

type BodyPayload = Extract<Payload, { kind: 'value' }>;

/** Returns a stream with further items, if it has one generated item. */
function complete(material: ToStreamMaterial, stream: Content, payload: BodyPayload): Payload {
  const { item } = stream;
  const isWhole = payload.example !== undefined || Array.isArray(payload.value);
  if (isWhole || item === undefined) return payload;
  const identity = stringifyJson(payload.value);
  return toPayload(stream, composeStream(material, item, identity, undefined));
}

/** Returns the stream that carries a body: its own example, or one that adds up to the body. */
function carry(
  material: ToStreamMaterial,
  stream: Content,
  isMandatory: boolean,
  payload: BodyPayload,
): Payload {
  const example = material.hasExamples && !isMandatory ? findExample(stream) : undefined;
  if (example !== undefined) {
    return { kind: 'value', content: stream, value: example.value, example };
  }
  return toPayload(stream, itemsOf(material, stream, payload));
}

/** Returns a stream of items, each of which is valid: only a schema of all of them says more. */
function toPayload(content: Content, items: readonly JsonValue[]): Payload {
  const { schema, item } = content;
  const isConforming = item !== undefined && schema?.pointer === item.pointer;
  return { kind: 'value', content, value: [...items], ...(isConforming && { isConforming }) };
}

/** Returns the items that carry a body: those of a list, or composed ones. */
function itemsOf(
  material: ToStreamMaterial,
  { item }: Content,
  { content: whole, value }: BodyPayload,
): readonly JsonValue[] {
  if (item === undefined) return [value];
  const isList = Array.isArray(value) && value.every((one) => item.accepts(one));
  if (isList) return value;
  const node = material.contract.schemas.nodes.at(whole.schema?.pointer);
  const answer = isJsonObject(value) && node !== undefined ? { value, node } : undefined;
  return composeStream(material, item, stringifyJson(value), answer);
}
