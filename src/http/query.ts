import { decodeQueryPart } from './percent.ts';

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
