import { tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { readText, writeText } from './charset.ts';
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
      return tryParseJson(text) ?? text;
    },
    encode: (value) => writeText(toText(value), declared),
  };
}

/** Returns a text itself, and any other value as JSON. */
export function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
