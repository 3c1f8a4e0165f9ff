import { createRequire } from 'node:module';
import type { JsonValue } from '../../base/json/value.ts';
import { once } from '../../base/remember.ts';

const require = createRequire(import.meta.url);

type TextFormat = RegExp | ((text: string) => boolean) | boolean | object;
type KnownFormats = { readonly fullFormats: Record<string, TextFormat> };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Formats that are not checked, or are for numbers. */
const UNCHECKED = new Set(['int32', 'int64', 'float', 'double', 'password', 'binary']);

/** Patterns of plain texts, for formats that no single expression checks. */
const simplePatterns: ReadonlyMap<string, string> = new Map([
  ['date', '^(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])$'],
  ['time', '^(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?(?:Z|[+-]0\\d:[03]0)$'],
  [
    'date-time',
    '^(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])T' +
      '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,6})?(?:Z|[+-]0\\d:[03]0)$',
  ],
  ['uri', '^[a-z]{2,6}://[a-z0-9.-]+(?:/[a-zA-Z0-9._-]*)*(?:\\?[a-z=&]*)?$'],
  ['byte', '^(?:[A-Za-z0-9+/]{4})*$'],
  ['hostname', '^[a-z0-9]{1,20}(?:\\.[a-z0-9]{1,20}){0,5}$'],
  ['email', '^[a-z0-9._%+-]*[a-z0-9]@(?:[a-z0-9]+\\.)+[a-z]{2,6}$'],
]);

/** Checks values by formats, as the validator does. */
export type Formats = ReturnType<typeof createFormats>;

export function createFormats() {
  // Loaded with the first format: many documents have none.
  const known = once(() => require('ajv-formats/dist/formats.js') as KnownFormats);
  const find = (format: string): TextFormat | undefined => {
    const { fullFormats } = known();
    return Object.hasOwn(fullFormats, format) ? fullFormats[format] : undefined;
  };
  return {
    acceptsText(format: JsonValue | undefined, text: string): boolean {
      if (typeof format !== 'string' || UNCHECKED.has(format)) return true;
      if (format === 'byte') return BASE64.test(text);
      return isAccepted(find(format), text);
    },
    /** Returns a pattern for texts of the format, if one is known. */
    patternOf(format: string): string[] {
      const simple = simplePatterns.get(format);
      if (simple !== undefined) return [simple];
      const known = UNCHECKED.has(format) ? undefined : find(format);
      return known instanceof RegExp ? [known.source] : [];
    },
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
