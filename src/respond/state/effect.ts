import { parseJson } from '../../base/json/parse.ts';
import { NO_FIELDS } from '../../http/message.ts';
import { readTarget } from '../../http/target.ts';
import type { RoutedRequest } from '../../request/request.ts';
import { toEntityTag } from '../../resources/conditions.ts';
import type { Change } from '../../state/store.ts';
import type { Candidate, Effect } from '../response.ts';
import type { StateRequest } from './state-request.ts';

/**
 * Returns the effect of a request: its changes, and the fields that depend on them.
 *
 * @param changes the resource in the response comes first
 * @param key of that resource; undefined if there is none, or if it is deleted
 */
export function effectOf(
  request: StateRequest,
  changes: readonly Change[],
  key: string | undefined,
): Effect {
  return {
    changes: () => changes,
    fields: ([version], candidate) => {
      const hasTag = version !== undefined && needsEntityTag(request, candidate);
      const hasLocation = needsLocation(candidate);
      if (key === undefined || !(hasTag || hasLocation)) return NO_FIELDS;
      const fields: Record<string, string> = {};
      if (hasTag) setField(fields, candidate, 'etag', [toEntityTag(version)]);
      if (hasLocation) {
        setField(fields, candidate, 'location', [...linksTo(request, key)].reverse());
      }
      return fields;
    },
  };
}

/** Returns true if the response has an entity tag. A resource without a path needs none. */
function needsEntityTag({ material, meaning }: StateRequest, { declared }: Candidate): boolean {
  const { itemPath } = material.factsOf(meaning.type);
  return itemPath !== undefined || declared?.response.headers.schemas.has('etag') === true;
}

/** RFC 9110 §10.2.2: with 201, Location is the URL of the created resource. */
function needsLocation({ status, declared }: Candidate): boolean {
  return status === 201 || declared?.response.headers.schemas.has('location') === true;
}

export function setField(
  fields: Record<string, string>,
  { declared }: Pick<Candidate, 'declared'>,
  name: string,
  candidates: readonly string[],
): void {
  const allowed = candidates.find(
    (one) => (declared?.response.headers.findViolations(name, one) ?? []).length === 0,
  );
  if (allowed !== undefined) fields[name] = allowed;
}

/** Returns the URLs of a resource, with and without scheme and host; none if it has no path. */
export function linksTo(request: StateRequest, key: string): readonly string[] {
  const path = pathOf(request, key);
  if (path === undefined) return [];
  const host = request.fields.get('host');
  return host === undefined ? [path] : [`http://${host}${path}`, path];
}

/** Returns the path of a resource, below the base path of the request. */
function pathOf(request: StateRequest, key: string): string | undefined {
  const { material, meaning } = request;
  const { type } = meaning;
  const template = material.factsOf(type).itemPath;
  if (template === undefined) return undefined;
  const keyName = type.key?.parameter;
  let isWhole = true;
  const path = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const segment = name === keyName ? textOf(key) : request.pathParameters.get(name);
    if (segment === undefined) isWhole = false;
    return encodeURIComponent((segment ?? '').replaceAll(/\p{Cs}/gu, '\uFFFD'));
  });
  return isWhole ? basePathOf(request) + path : undefined;
}

/** Returns what comes before the operation's path in the target. */
function basePathOf({ target, operation }: RoutedRequest): string {
  if (target === operation.path) return '';
  const path = readTarget(target)?.path ?? '';
  const segments = path.split('/');
  const own = operation.path.split('/').length - 1;
  return segments.slice(0, Math.max(1, segments.length - own)).join('/');
}

/** Returns a key as a path segment: without quotes, and without the parents after it. */
function textOf(key: string): string {
  const [own = key] = KEY.exec(key) ?? [];
  if (!own.startsWith('"')) return own;
  const value = parseJson(own);
  return typeof value === 'string' ? value : own;
}

/** JSON text at the beginning. */
const KEY = /^(?:"(?:[^"\\]|\\.)*"|[^ "]+)/;
