import { type Preference, readPrefer, readPreferQuery } from '../http/prefer.ts';
import { readQuery } from '../http/query.ts';
import type { RoutedRequest } from '../request/request.ts';

const NO_PREFERENCE: Preference = {};

/** What the request asks of its answer; the Prefer field before the query. */
export function readPreference(request: RoutedRequest): Preference {
  const field = request.fields.get('prefer');
  const hasQuery = request.query.includes('__');
  if (field === undefined && !hasQuery) return NO_PREFERENCE;
  return {
    ...(hasQuery && readPreferQuery(readQuery(request.query))),
    ...(field !== undefined && readPrefer(field)),
  };
}
