import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { readCookies } from '../http/cookies.ts';
import { readQuery } from '../http/query.ts';
import type { RequestView } from '../request/view.ts';

/** @returns the request as templates of fixtures name its parts */
export function describeRequest(view: RequestView): JsonObject {
  const { request, path, query } = view;
  return {
    method: request.method,
    url: query === '' ? path : `${path}?${query}`,
    path,
    pathSegments: path.split('/').slice(1),
    operationId: view.operation?.id ?? null,
    pathParameters: describePathParameters(view),
    query: collect(readQuery(query), (name, text) => view.value('query', name) ?? text),
    headers: collect(request.fields.entries(), (_, text) => text),
    cookies: collect(readCookies(request.fields.get('cookie')), (_, text) => text),
    body: view.body ?? null,
    bodyText: view.bodyText,
  };
}

function describePathParameters(view: RequestView): JsonObject {
  const names = [...(view.operation?.path ?? '').matchAll(/\{([^{}]+)\}/g)].map(
    ([, name = '']) => name,
  );
  return collect(
    names.map((name) => [name, ''] as const),
    (name) => view.value('path', name) ?? null,
  );
}

/** The first of several that have one name. */
function collect(
  entries: Iterable<readonly [name: string, text: string]>,
  readValue: (name: string, text: string) => JsonValue,
): JsonObject {
  const members: JsonObject = {};
  for (const [name, text] of entries) {
    if (!Object.hasOwn(members, name)) setMember(members, name, readValue(name, text));
  }
  return members;
}
