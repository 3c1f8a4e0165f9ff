import { isUtf8 } from 'node:buffer';
import { parseJsonOrText } from '../base/json/parse.ts';
import { toText } from '../base/json/stringify.ts';
import { readText, toBuffer, writeText } from './charset.ts';
import type { Codec, Description } from './codec.ts';
import { readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { admitsScalar, readScalar } from './shape.ts';

/**
 * `text/*`: one value, a number or a boolean if the schema says so. A schema that only allows arrays
 * or objects (a table, a page) does not define their text: JSON is parsed, and nothing is validated.
 */
export function createTextCodec(mediaType: string, { shape }: Description): Codec {
  const declared = readContentType(mediaType);
  const isValidated = admitsScalar(shape);
  return {
    isValidated,
    decode: (bytes, contentType) => {
      const text = readText(bytes, contentType);
      if (isValidated) return readScalar(text, shape);
      refuseCrowded(bytes, 'json');
      return parseJsonOrText(text);
    },
    encode: (value) => writeText(toText(value), declared),
  };
}

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
