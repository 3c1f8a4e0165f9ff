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

/** A query's pairs in order; what cannot be decoded stays as it was sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * Reads a query as form-encoded pairs.
 *
 * @param query without the `?`
 */
export function readQuery(query: string): QueryPairs {
  if (query === '') return [];
  const pairs: [string, string][] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const end = part.indexOf('=');
    const name = end < 0 ? part : part.slice(0, end);
    const value = end < 0 ? '' : part.slice(end + 1);
    pairs.push([decodeQueryPart(name) ?? name, decodeQueryPart(value) ?? value]);
  }
  return pairs;
}

/** Returns the cookies of a Cookie field (RFC 6265 §5.4), without malformed pairs. */
export function readCookies(field: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of field?.split(';') ?? []) {
    const end = pair.indexOf('=');
    if (end < 0) continue;
    const name = pair.slice(0, end).trim();
    const value = pair.slice(end + 1).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, decodePercent(value) ?? value);
  }
  return cookies;
}
