import { type Preference, readPrefer, readPreferQuery } from '../http/prefer.ts';
import { readQuery } from '../http/query.ts';
import type { Match } from '../request/operation-request.ts';

const NO_PREFERENCE: Preference = {};

/** What the request asks of its answer; the Prefer field before the query. */
export function readPreference(match: Match): Preference {
  const field = match.request.fields.get('prefer');
  const hasQuery = match.query.includes('__');
  if (field === undefined && !hasQuery) return NO_PREFERENCE;
  return {
    ...(hasQuery && readPreferQuery(readQuery(match.query))),
    ...(field !== undefined && readPrefer(field)),
  };
}
