import type { JsonValue } from '../../base/json/value.ts';
import { once } from '../../base/remember.ts';
import { createFormats } from '../../schema/ajv.ts';
import { keepsFormat } from '../../schema/formats.ts';

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

/** Checks texts by formats, as the validator does. */
export type TextFormats = ReturnType<typeof createTextFormats>;

export function createTextFormats() {
  // Loaded with the first format: many documents have none.
  const formats = once(createFormats);
  return {
    accepts(format: JsonValue, value: JsonValue): boolean {
      if (typeof format !== 'string' || typeof value !== 'string') return true;
      return keepsFormat(formats().get(format), value);
    },
    /** Returns a pattern for texts of the format, if one is known. */
    patternOf(format: string): string[] {
      const simple = simplePatterns.get(format);
      if (simple !== undefined) return [simple];
      const known = formats().get(format);
      return known instanceof RegExp ? [known.source] : [];
    },
  };
}
