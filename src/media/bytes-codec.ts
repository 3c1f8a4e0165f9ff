import { isUtf8 } from 'node:buffer';
import { toBuffer } from './charset.ts';
import type { Codec, Description } from './codec.ts';
import { toText } from './text-codec.ts';

/**
 * Any media type that is not looked into: images, archives, `application/octet-stream`. Bytes
 * stand in a value as a text with a character for each, so that a schema can say how many there
 * may be; a schema that describes no bytes says nothing of them.
 */
export function createBytesCodec({ shape }: Description): Codec {
  const { types } = shape;
  return {
    isJudged: shape.isBinary || (types.size > 0 && types.has('string')),
    decode: (bytes) => readBytes(bytes, shape.isBinary),
    // What a document or a generator gives is text, and goes out as it is.
    encode: (value) => toText(value),
  };
}

/** @returns bytes as a value: what is text as such, where nothing says that it is none */
export function readBytes(bytes: Uint8Array, isBinary: boolean): string {
  return toBuffer(bytes).toString(isBinary || !isUtf8(bytes) ? 'latin1' : 'utf8');
}
