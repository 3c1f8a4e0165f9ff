import { isUtf8 } from 'node:buffer';
import { toBuffer } from './charset.ts';
import type { Codec, Description } from './codec.ts';
import { toText } from './text-codec.ts';

/**
 * Every media type that is not parsed: images, archives, `application/octet-stream`. A value has one
 * character for each byte, so that a schema can limit their number. A schema that describes
 * something else than text does not apply.
 */
export function createBytesCodec({ shape }: Description): Codec {
  const { types } = shape;
  return {
    isValidated: shape.isBinary || (types.size > 0 && types.has('string')),
    decode: (bytes) => readBytes(bytes, shape.isBinary),
    // Values of documents and generators are text.
    encode: (value) => toText(value),
  };
}

/** Returns UTF-8 as its text unless it is known to be binary, and other bytes as Latin-1. */
export function readBytes(bytes: Uint8Array, isBinary: boolean): string {
  return toBuffer(bytes).toString(isBinary || !isUtf8(bytes) ? 'latin1' : 'utf8');
}
