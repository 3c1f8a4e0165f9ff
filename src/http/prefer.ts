import { splitOutsideQuotes, unquote } from './message.ts';

/** The preferences of a client, from `Prefer` or by `__code`, `__example` and `__dynamic`. */
export interface Preference {
  readonly code?: number;
  readonly example?: string;
  readonly dynamic?: boolean;
  readonly seed?: string;
  /** How to treat a request that breaks the contract (RFC 7240 §4.4). */
  readonly handling?: 'strict' | 'lenient';
}

/**
 * Reads the preferences that mock servers share (Prism's names) from a Prefer field
 * (RFC 7240 §2); the first of two with one name counts, unknown ones are passed over.
 */
export function readPrefer(field: string): Preference {
  const found = new Map<string, string>();
  // Prism separates by `,`, RFC 7240 parameters by `;`: both are taken.
  for (const part of splitOutsideQuotes(field, ',;')) {
    const end = part.indexOf('=');
    if (end < 0) continue;
    const name = part.slice(0, end).trim().toLowerCase();
    if (!found.has(name)) found.set(name, unquote(part.slice(end + 1).trim()));
  }
  return toPreference((name) => found.get(name));
}

/** True for a Prefer field that has a preference for the mock. */
export function isForMock(field: string): boolean {
  return Object.keys(readPrefer(field)).length > 0;
}

/** Reads the same preferences from a query: `?__code=400&__example=badToken`. */
export function readPreferQuery(
  pairs: readonly (readonly [name: string, value: string])[],
): Preference {
  return toPreference((name) => pairs.find(([key]) => key === `__${name}`)?.[1]);
}

function toPreference(find: (name: string) => string | undefined): Preference {
  const code = Number(find('code'));
  const example = find('example');
  const dynamic = find('dynamic');
  const seed = find('seed');
  const handling = find('handling');
  return {
    ...(Number.isInteger(code) && code >= 100 && code <= 599 && { code }),
    ...(example !== undefined && example !== '' && { example }),
    ...((dynamic === 'true' || dynamic === 'false') && { dynamic: dynamic === 'true' }),
    ...(seed !== undefined && seed !== '' && { seed }),
    ...((handling === 'strict' || handling === 'lenient') && { handling }),
  };
}
