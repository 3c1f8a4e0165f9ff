/** `type/subtype` in lower case, without parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

export function isJson(mediaType: string): boolean {
  return /^[^/]+\/(?:json|.*\+json)$/.test(essence(mediaType));
}

export function isXml(mediaType: string): boolean {
  return /^[^/]+\/(?:xml|.*\+xml)$/.test(essence(mediaType));
}

export function isText(mediaType: string): boolean {
  return essence(mediaType).startsWith('text/') && !isXml(mediaType);
}

/** @returns whether a media type is one that a declared type or range names */
export function matches(declared: string, mediaType: string): boolean {
  const range = essence(declared);
  const type = essence(mediaType);
  if (range === '*/*' || range === '*') return true;
  if (range.endsWith('/*')) return type.startsWith(range.slice(0, -1));
  return range === type;
}

const CONCRETE: Readonly<Record<string, string>> = {
  '*': 'application/json',
  '*/*': 'application/json',
  'application/*': 'application/json',
  'text/*': 'text/plain',
  'image/*': 'image/png',
  'audio/*': 'audio/mpeg',
  'video/*': 'video/mp4',
};

/** @returns a media type that a range admits */
export function makeConcrete(range: string): string {
  return CONCRETE[essence(range)] ?? range;
}
