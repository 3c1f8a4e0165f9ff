/**
 * Decodes percent-encoding (RFC 3986 §2.1) of UTF-8.
 *
 * @returns the text; undefined where an escape is malformed or not UTF-8, never an exception
 */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** As {@link decodePercent}, with `+` for a space, as form encoding has it in a query. */
export function decodeQueryPart(text: string): string | undefined {
  return decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);
}
