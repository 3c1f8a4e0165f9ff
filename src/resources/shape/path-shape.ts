/** A segment of a path, as far as it tells what the path names. */
type Segment =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'parameter'; readonly name: string }
  /** Of several parts, such as `{from}-{to}`: nothing is inferred of it. */
  | { readonly kind: 'mixed'; readonly name: string };

/** What a path names, by the form of its segments. */
export interface PathShape {
  readonly segments: readonly Segment[];
  /** Paths that differ only in the names of their parameters have the same. */
  readonly key: string;
}

/**
 * Takes a path template apart. An ending such as `.json` and a last slash say nothing of what it
 * names, and `{id}:cancel` is written `{id}/cancel` by others.
 *
 * @param others the paths of the document: `/widget.json` beside `/widget` is another thing
 */
export function readPath(template: string, others: ReadonlySet<string>): PathShape {
  const whole = template.replace(/\/+$/, '');
  const bare = whole.replace(/\.(?:json|xml|yaml|csv)$/, '');
  const texts = (others.has(bare) ? whole : bare).split('/').slice(1).flatMap(splitVerb);
  return shapeOf(texts.map(readSegment));
}

export function shapeOf(segments: readonly Segment[]): PathShape {
  return { segments, key: segments.map(keyOf).join('') };
}

/** @returns the shape of what stands one level above; the last segment is left out */
export function above({ segments }: PathShape): PathShape {
  return shapeOf(segments.slice(0, -1));
}

/** @returns the last name of a path that is no parameter; empty where there is none */
export function lastName({ segments }: PathShape): string {
  return segments.findLast(({ kind }) => kind === 'name')?.name ?? '';
}

/** @returns the path template of a shape */
export function templateOf({ segments }: PathShape): string {
  return segments
    .map(({ kind, name }) => (kind === 'parameter' ? `/{${name}}` : `/${name}`))
    .join('');
}

function splitVerb(text: string): readonly string[] {
  const [, parameter, verb] = /^(\{[^{}]+\}):([^{}]+)$/.exec(text) ?? [];
  return parameter === undefined || verb === undefined ? [text] : [parameter, verb];
}

function readSegment(text: string): Segment {
  // A version is of the service, not of the thing: `/v{version}/plants`.
  if (!text.includes('{') || /^v\{[^{}]*\}$/.test(text)) return { kind: 'name', name: text };
  const [, name] = /^\{([^{}]+)\}$/.exec(text) ?? [];
  return name === undefined ? { kind: 'mixed', name: text } : { kind: 'parameter', name };
}

function keyOf({ kind, name }: Segment): string {
  return kind === 'parameter' ? '/{}' : `/${name.replaceAll(/\{[^{}]*\}/g, '{}')}`;
}
