import { readQuery } from '../http/query.ts';

/**
 * A field that a request has to have for one of several operations of a path: in its query, its
 * header or its form. Documents write it behind the path, where OpenAPI has nothing: `/?Action=Tag`,
 * `/#X-Amz-Target=Events.Tag`, `/{bucket}#versions`.
 */
export interface Selector {
  readonly name: string;
  /** Undefined for any value. */
  readonly value: string | undefined;
}

const NONE: readonly Selector[] = [];

/** Returns a key of the Paths Object as its path, and what selects its operations. */
export function splitPath(key: string) {
  const [, path = key, behind = ''] = /^((?:[^?#{]|\{[^{}]*\})*)[?#](.*)$/s.exec(key) ?? [];
  if (behind === '') return { path, selectors: NONE };
  const pairs = readQuery(behind.replaceAll(/[?#]/g, '&'));
  // A value may be a parameter: `?id={id}`.
  const selectors = pairs.map(([name, value]): Selector => {
    const isAny = value === '' || value.includes('{');
    return { name, value: isAny ? undefined : value };
  });
  return { path, selectors };
}
