import { decodePercent } from './percent.ts';

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
