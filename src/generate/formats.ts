import { createRequire } from 'node:module';
import { numberFormats } from '../contract/number-formats.ts';
import type { JsonNumber, JsonValue } from '../json/value.ts';

/** Tells whether values are of formats, as the validator does. */
export interface Formats {
  acceptsText(format: JsonValue | undefined, text: string): boolean;
  acceptsNumber(format: JsonValue | undefined, value: JsonNumber): boolean;
}

const require = createRequire(import.meta.url);

type TextFormat = RegExp | ((text: string) => boolean) | boolean | object;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Formats that nothing is asked of, or that mean numbers. */
const UNCHECKED = new Set(['int32', 'int64', 'float', 'double', 'password', 'binary']);

export function createFormats(): Formats {
  let known: Record<string, TextFormat> | undefined;
  const find = (format: string): TextFormat | undefined => {
    // Loaded when the first format is met: many documents have none.
    known ??= (
      require('ajv-formats/dist/formats.js') as { fullFormats: Record<string, TextFormat> }
    ).fullFormats;
    return Object.hasOwn(known, format) ? known[format] : undefined;
  };
  return {
    acceptsText(format, text) {
      if (typeof format !== 'string' || UNCHECKED.has(format)) return true;
      if (format === 'byte') return BASE64.test(text);
      return isAccepted(find(format), text);
    },
    acceptsNumber: (format, value) =>
      typeof format !== 'string' || (numberFormats.get(format)?.accepts(value) ?? true),
  };
}

function isAccepted(format: TextFormat | undefined, text: string): boolean {
  if (format === undefined || typeof format === 'boolean') return true;
  if (format instanceof RegExp) {
    format.lastIndex = 0;
    return format.test(text);
  }
  if (typeof format === 'function') return format(text);
  const { validate, type } = format as { validate?: TextFormat; type?: string };
  return type === 'number' || isAccepted(validate, text);
}
