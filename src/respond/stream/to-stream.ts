import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { ValidRequest } from '../../request/request.ts';
import { findExample } from '../example.ts';
import { findStream } from '../negotiate.ts';
import type { Candidate } from '../response.ts';
import { composeStream, type StreamMaterial } from './compose.ts';

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
    if (payload.kind !== 'value' && payload.kind !== 'example') return candidate;
    const stream = findStream(request, declared);
    if (stream === undefined) return candidate;
    const isOwn = payload.content.isStream;
    const example = isOwn || candidate.isMandatory ? undefined : exampleOf(material, stream);
    if (example !== undefined) {
      return { ...candidate, payload: { kind: 'example', content: stream, example } };
    }
    if (isOwn && (payload.kind === 'example' || Array.isArray(payload.value))) return candidate;
    const value = payload.kind === 'value' ? payload.value : payload.example.value;
    const items = streamOf(material, stream, isOwn ? undefined : payload.content, value);
    return { ...candidate, payload: { kind: 'value', content: stream, value: [...items] } };
  };
}

function exampleOf({ hasExamples }: ToStreamMaterial, stream: Content) {
  return hasExamples ? findExample(stream) : undefined;
}

/**
 * Returns the items that carry a response body.
 *
 * @param whole the content of the body; undefined for one item of the stream itself
 */
function streamOf(
  material: ToStreamMaterial,
  stream: Content,
  whole: Content | undefined,
  value: JsonValue,
): readonly JsonValue[] {
  const { item } = stream;
  if (item === undefined) return [value];
  // The items of a list are its stream.
  if (Array.isArray(value) && value.every((one) => item.check(one, 'body').length === 0)) {
    return value;
  }
  const node = material.contract.schemas.nodes.at(whole?.schema?.pointer);
  const answer = isJsonObject(value) && node !== undefined ? { value, node } : undefined;
  return composeStream(material, item, stringifyJson(value), answer);
}
