import { parseJson } from '../../base/json/parse.ts';
import { readTarget } from '../../http/target.ts';
import type { RoutedRequest } from '../../request/request.ts';
import type { Asked } from './asked.ts';

/** @returns the URLs of a resource, with scheme and host and without; none where it has no path */
export function linksTo(asked: Asked, key: string): readonly string[] {
  const path = pathOf(asked, key);
  if (path === undefined) return [];
  const host = asked.request.fields.get('host');
  return host === undefined ? [path] : [`http://${host}${path}`, path];
}

/** @returns the path of a resource, below the base path that the request came by */
function pathOf(asked: Asked, key: string): string | undefined {
  const { material, meaning, request } = asked;
  const { resource } = meaning;
  const template = material.factsOf(resource).itemPath;
  if (template === undefined) return undefined;
  const keyName = resource.key?.parameter;
  let isWhole = true;
  const path = template.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const segment = name === keyName ? textOf(key) : request.pathParameters.get(name);
    if (segment === undefined) isWhole = false;
    return encodeURIComponent((segment ?? '').replaceAll(/\p{Cs}/gu, '\uFFFD'));
  });
  return isWhole ? basePathOf(request) + path : undefined;
}

/** What the request has before the operation's own path. */
function basePathOf({ target, operation }: RoutedRequest): string {
  if (target === operation.path) return '';
  const path = readTarget(target)?.path ?? '';
  const segments = path.split('/');
  const own = operation.path.split('/').length - 1;
  return segments.slice(0, Math.max(1, segments.length - own)).join('/');
}

/** A key as a path has it: a text without its quotes, and without the parents behind it. */
function textOf(key: string): string {
  const [own = key] = KEY.exec(key) ?? [];
  if (!own.startsWith('"')) return own;
  const value = parseJson(own);
  return typeof value === 'string' ? value : own;
}

/** JSON text at its beginning. */
const KEY = /^(?:"(?:[^"\\]|\\.)*"|[^ "]+)/;
