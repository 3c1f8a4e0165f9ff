import { remember } from '../../base/remember.ts';
import type { Place } from '../../document/place.ts';
import { isVerb } from './words.ts';

interface Segment {
  /** `mixed` has several parts, such as `{from}-{to}`: nothing is inferred from it. */
  readonly kind: 'name' | 'parameter' | 'mixed';
  readonly name: string;
}

export interface PathShape {
  readonly segments: readonly Segment[];
  /** Equal for paths that differ only in the names of their parameters. */
  readonly key: string;
}

/**
 * Returns a function that reads the path templates of a document. It ignores a last slash, and an
 * extension such as `.json` and `.{format}`; it reads `{id}:cancel` as `{id}/cancel`, and
 * `orders:import` as `orders/import`; `orders('{id}')` as `orders/{id}` (OData 4.01 URL Conventions
 * §4.3.1).
 *
 * @param others the paths of the document: `/widget.json` beside `/widget` keeps its extension
 */
export function createTemplateReader(others: ReadonlySet<string>) {
  /** By the text between two slashes: most paths begin like others. */
  const known = new Map<string, readonly Segment[]>();
  return (template: string): PathShape => {
    const whole = template.replace(/\/+$/, '');
    // Few paths have one, and the pattern is tried at every place.
    const bare = whole.includes('.') ? whole.replace(EXTENSION, '') : whole;
    const texts = (others.has(bare) ? whole : bare).split('/').slice(1);
    const segments = texts.flatMap((text) => remember(known, text, () => readSegments(text)));
    const last = segments.length - 1;
    return shapeOf(segments.map((one, index) => (index === last ? one : withoutFormat(one))));
  };
}

function readSegments(text: string): readonly Segment[] {
  return splitKey(text).flatMap(splitVerb).map(readSegment);
}

const EXTENSION =
  /(?:\.(?:json|xml|yaml|csv)|(?:\.\{|\{\.)(?:format|ext|extension|(?:output|content|media|file|response)[-_]?(?:format|type))\})$/i;

/** Returns a text that is equal for the same path of one document. */
export function placeKey(root: Place, { key }: PathShape): string {
  return `${root} ${key}`;
}

export function shapeOf(segments: readonly Segment[]): PathShape {
  return { segments, key: segments.map(keyOf).join('') };
}

/** Returns the path without its last segment. */
export function above({ segments, key }: PathShape): PathShape {
  const last = segments.at(-1);
  const end = key.length - (last === undefined ? 0 : keyOf(last).length);
  return { segments: segments.slice(0, -1), key: key.slice(0, end) };
}

/** Returns the last name of a path that is no parameter; empty if there is none. */
export function lastName({ segments }: PathShape): string {
  return segments.findLast(({ kind }) => kind === 'name')?.name ?? '';
}

export function templateOf({ segments }: PathShape): string {
  return segments
    .map(({ kind, name }) => (kind === 'parameter' ? `/{${name}}` : `/${name}`))
    .join('');
}

function splitKey(text: string): readonly string[] {
  if (!text.includes('(')) return [text];
  const [, owner, key] = /^([^(){}]+)\(['"]?(\{[^{}]+\})['"]?\)$/.exec(text) ?? [];
  return owner === undefined || key === undefined ? [text] : [owner, key];
}

function splitVerb(text: string): readonly string[] {
  if (!text.includes(':')) return [text];
  const [, owner, verb] = /^(\{[^{}]+\}|[^{}:]+):([^{}]+)$/.exec(text) ?? [];
  if (owner === undefined || verb === undefined) return [text];
  const isVerbal = isVerb(verb) || /^(?:batch|create)/.test(verb);
  return owner.startsWith('{') || isVerbal ? [owner, verb] : [text];
}

function readSegment(text: string): Segment {
  // A version belongs to the service: `/v{version}/plants`.
  if (!text.includes('{') || /^v\{[^{}]*\}$/.test(text)) return { kind: 'name', name: text };
  const [, name] = /^\{([^{}]+)\}$/.exec(text) ?? [];
  return name === undefined ? { kind: 'mixed', name: text } : { kind: 'parameter', name };
}

/** A format belongs to the response: `/{format}/plants`. */
function withoutFormat(segment: Segment): Segment {
  const { kind, name } = segment;
  const isFormat = kind === 'parameter' && name.toLowerCase() === 'format';
  return isFormat ? { kind: 'name', name: `{${name}}` } : segment;
}

function keyOf({ kind, name }: Segment): string {
  if (kind === 'parameter') return '/{}';
  return name.includes('{') ? `/${name.replaceAll(/\{[^{}]*\}/g, '{}')}` : `/${name}`;
}
