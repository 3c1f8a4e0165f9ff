import type { JsonValue } from '../base/json/value.ts';

/**
 * Returns the values that a description quotes, or writes in capitals, in its order: `One of: "Success"
 * or "Failure"`, "It can be `enabled` or `disabled`". Returns none where nothing says that they are values.
 */
export function statedValues(description: JsonValue | undefined): readonly string[] {
  const text = typeof description === 'string' ? description.slice(0, LONGEST) : '';
  const { index } = LISTING.exec(text) ?? {};
  if (index === undefined) {
    const quoted = SERIES.exec(text)?.[0].match(VALUE)?.map(unquote);
    return quoted ?? CAPITALS.exec(text)?.[0].match(/[A-Z]\w+/g) ?? [];
  }
  const [sentence = ''] = text.slice(index).split(/\.\s|\n\n/);
  const values = (sentence.match(VALUE) ?? []).map(unquote);
  return values.length > 1 ? values : [];
}

const LONGEST = 600;

const LISTING =
  /\b(?:one of|either|(?:possible|valid|allowed|accepted|supported|permitted) (?:values|options))\b/i;

const VALUE = /["'`][A-Za-z][\w:-]{0,40}["'`]/g;

/** Values with nothing but a comma or an `or` between them. */
const SERIES =
  /\b(?:(?:can|may|must) be|is|are|status|state):? ["'`][A-Za-z][\w:-]{0,40}["'`](?:(?:,| or|, or) ["'`][A-Za-z][\w:-]{0,40}["'`]){1,20}/i;

/** `is APPROVED, PENDING, or FAILED`: at least three, as two may be abbreviations. */
const CAPITALS =
  /\b(?:be|is|are|of|status|state):? [A-Z][A-Z_]{3,40}(?:, [A-Z][A-Z_]{3,40}){1,20},? or [A-Z][A-Z_]{3,40}\b/;

function unquote(value: string): string {
  return value.slice(1, -1);
}
