import { isJsonMediaType } from '../http/media-type.ts';
import type { Codec, Description } from './codec.ts';
import { readContentType } from './content-type.ts';
import { createFormCodec } from './form-codec.ts';
import { jsonCodec } from './json-codec.ts';
import { createMultipartCodec } from './multipart-codec.ts';
import { createSequenceCodec, sequenceFormat } from './sequence-codec.ts';
import { createBytesCodec, createTextCodec } from './text-codec.ts';
import { createXmlCodec } from './xml-codec.ts';

/**
 * Returns the codec of a media type.
 *
 * @param mediaType without wildcards; responses are written by its parameters
 */
export function createCodec(mediaType: string, description: Description): Codec {
  if (isJsonMediaType(mediaType)) return jsonCodec;
  const { type } = readContentType(mediaType);
  const sequence = sequenceFormat(type);
  if (sequence !== undefined) return createSequenceCodec(sequence, description);
  if (type === 'application/x-www-form-urlencoded') return createFormCodec(description);
  if (type.startsWith('multipart/')) return createMultipartCodec(description);
  if (type.endsWith('/xml') || type.endsWith('+xml')) return createXmlCodec(mediaType, description);
  if (type.startsWith('text/')) return createTextCodec(mediaType, description);
  return createBytesCodec(description);
}
