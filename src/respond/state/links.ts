import { parseJson } from '../../base/json/parse.ts';
import { toText } from '../../base/json/stringify.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
} from '../../base/json/value.ts';
import { once } from '../../base/remember.ts';
import { fillTemplate, parameterNames } from '../../contract/path-template.ts';
import { encodePercent } from '../../http/query.ts';
import { readTarget } from '../../http/target.ts';
import type { RoutedRequest } from '../../request/request.ts';
import { getProperty } from '../../resources/collections.ts';
import type { StateRequest } from './state-request.ts';

export interface Placed {
  readonly key: string;
  readonly resource: JsonObject;
}

/** Returns the URLs of a resource, with and without scheme and host; none if it has no path. */
export function linksTo(request: StateRequest, placed: Placed): readonly string[] {
  const path = pathOf(request, placed);
  return path === undefined ? [] : withOrigin(request, path);
}

/** Returns a path with and without scheme and host. */
export function withOrigin(request: RoutedRequest, path: string): readonly string[] {
  const origin = originOf(request);
  return origin === '' ? [path] : [origin + path, path];
}

/** Returns scheme and host: of the target (RFC 9112 §3.2.2), else of the Host field. */
function originOf({ target, fields }: RoutedRequest): string {
  const host = fields.get('host');
  const usual = host === undefined ? '' : `http://${host}`;
  return target.startsWith('/') ? usual : (ORIGIN.exec(target)?.[0] ?? usual);
}

export const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Returns the path of a resource, below the base path of the request. */
function pathOf(request: StateRequest, placed: Placed): string | undefined {
  const template = request.facts.itemPath;
  if (template === undefined) return undefined;
  let isWhole = true;
  const path = fillTemplate(template, (name) => {
    const segment = segmentOf(request, placed, name);
    if (segment === undefined) isWhole = false;
    return encodePercent(segment ?? '');
  });
  return isWhole ? basePathOf(request) + path : undefined;
}

/** Returns what a parameter of a resource's path is; undefined if nothing says it. */
function segmentOf({ meaning, facts, pathParameters }: StateRequest, placed: Placed, name: string) {
  const { type } = meaning;
  if (name === type.key?.parameter) return textOfKey(placed.key);
  const known = pathParameters.get(name);
  if (known !== undefined || type.owners.length === 0) return known;
  // `POST /user/repos` has no `{owner}`, and the repository has its `owner.login`.
  const names = parameterNames(facts.itemPath ?? '').filter((one) => one !== type.key?.parameter);
  const property =
    names.length === type.owners.length ? type.owners[names.indexOf(name)] : undefined;
  const value = property && getProperty(placed.resource, property);
  return value === undefined || value === '' || value === null ? undefined : toText(value);
}

/** Returns what comes before the operation's path: the prefix of the session, and the base path. */
function basePathOf({ target, operation, prefix = '' }: RoutedRequest): string {
  if (target === operation.path) return prefix;
  const path = readTarget(target)?.path ?? '';
  const segments = path.split('/');
  const own = operation.path.split('/').length - 1;
  return prefix + segments.slice(0, Math.max(1, segments.length - own)).join('/');
}

/** Returns a key as a path segment: without quotes, and without the parents after it. */
export function textOfKey(key: string): string {
  const [own = key] = KEY.exec(key) ?? [];
  if (!own.startsWith('"')) return own;
  const value = parseJson(own);
  return typeof value === 'string' ? value : own;
}

/** JSON text at the beginning. */
const KEY = /^(?:"(?:[^"\\]|\\.)*"|[^ "]+)/;

/**
 * Returns the function that makes a part of an example one of this resource: URLs and names that
 * consist of parts of the example's path get those of the resource, `octocat/Hello-World` those of
 * `/repos/{owner}/{repo}`.
 *
 * @param exampleOf returns the example, which has to contain its own URL
 */
export function createMove(
  request: StateRequest,
  placed: Placed,
  exampleOf: () => JsonObject,
): (value: JsonValue) => JsonValue {
  const template = request.facts.itemPath;
  if (template === undefined) return (value) => value;
  const moveText = once(() => {
    const self = findSelf(template, exampleOf());
    return self && createMoveText(request, placed, self);
  });
  const move = (value: JsonValue): JsonValue => {
    if (typeof value === 'string')
      return value.includes('/') ? (moveText()?.(value) ?? value) : value;
    if (Array.isArray(value)) return value.map(move);
    return isJsonObject(value) ? mapMembers(value, move) : value;
  };
  return move;
}

function createMoveText(request: StateRequest, placed: Placed, { base, runs }: Self) {
  const moves = runs.flatMap(({ before, names, texts }): readonly Move[] => {
    const segments = names.map((name) => segmentOf(request, placed, name));
    const isKnown = segments.every((one) => one !== undefined);
    const to = segments.map((one) => encodePercent(one ?? '')).join('/');
    return isKnown ? [{ before, from: texts.join('/'), to, isTelling: names.length > 1 }] : [];
  });
  const own = originOf(request) + basePathOf(request);
  return (text: string): string => moveParts(text, base, own, moves);
}

/** Parameters that follow each other in a path, and what they are in an example. */
interface Run {
  /** The name in front of them in the path. */
  readonly before: string;
  readonly names: readonly string[];
  readonly texts: readonly string[];
}

/** The URL that an example has of itself: what is before its path, and what is in the path. */
interface Self {
  readonly base: string;
  readonly runs: readonly Run[];
}

function findSelf(template: string, example: JsonObject): Self | undefined {
  const own = template.split('/').slice(1);
  for (const text of Object.values(example)) {
    if (typeof text !== 'string' || !text.includes('/')) continue;
    const segments = text.split('/');
    const tail = segments.slice(-own.length);
    const isOwn = own.every((name, at) => isParameter(name) || name === tail[at]);
    if (isOwn && tail.length === own.length) {
      return { base: segments.slice(0, -own.length).join('/'), runs: runsOf(own, tail) };
    }
  }
  return undefined;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function runsOf(template: readonly string[], segments: readonly string[]): readonly Run[] {
  const runs: { before: string; names: string[]; texts: string[] }[] = [];
  for (const [at, name] of template.entries()) {
    if (!isParameter(name)) continue;
    const before = template[at - 1] ?? '';
    if (!isParameter(before)) runs.push({ before, names: [], texts: [] });
    runs.at(-1)?.names.push(name.slice(1, -1));
    runs.at(-1)?.texts.push(segments[at] ?? '');
  }
  return runs;
}

interface Move {
  readonly before: string;
  readonly from: string;
  readonly to: string;
  /** True if `from` has several parts, so that it means the same wherever it is. */
  readonly isTelling: boolean;
}

function moveParts(text: string, oldBase: string, newBase: string, moves: readonly Move[]): string {
  const isBelow = oldBase !== '' && text.startsWith(`${oldBase}/`);
  let moved = isBelow ? newBase + text.slice(oldBase.length) : text;
  let isOfIt = false;
  for (const { before, from, to, isTelling } of moves) {
    const [old, now] = isTelling
      ? [from, to]
      : isOfIt
        ? [`/${from}`, `/${to}`]
        : [`/${before}/${from}`, `/${before}/${to}`];
    const at = findPart(moved, old);
    if (at < 0) continue;
    moved = moved.slice(0, at) + now + moved.slice(at + old.length);
    isOfIt = true;
  }
  return moved;
}

/** Returns where a text has whole segments; -1 if it does not. */
function findPart(text: string, part: string): number {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + part.length] ?? ''];
    const isBegun = part.startsWith('/') || before === '' || '/:='.includes(before);
    if (isBegun && (after === '' || '/.?#{'.includes(after))) return at;
  }
  return -1;
}
