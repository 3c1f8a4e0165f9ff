import { isHost } from './host.ts';

/** The parts of a request target, both percent-encoded. */
export interface Target {
  readonly path: string;
  /** Without the `?`; empty when there is none. */
  readonly query: string;
}

/** The characters of URIs (RFC 3986 §2), and those that lenient clients do not encode. */
const TARGET_CHARACTERS = /^[!-~]*$/;

/**
 * Reads origin-form and absolute-form (RFC 9112 §3.2); dot segments are taken out
 * (RFC 3986 §6.2.2.3), nothing is decoded.
 *
 * @returns undefined for other forms and for targets that are no URI
 */
export function readTarget(target: string): Target | undefined {
  const origin = target.startsWith('/') ? target : originForm(target);
  if (origin === undefined) return undefined;
  const end = origin.indexOf('?');
  const path = end < 0 ? origin : origin.slice(0, end);
  if (!TARGET_CHARACTERS.test(path) || path.includes('\\') || origin.includes('#')) {
    return undefined;
  }
  const query = end < 0 ? '' : origin.slice(end + 1);
  return { path: path.includes('/.') ? removeDotSegments(path) : path, query };
}

function originForm(target: string): string | undefined {
  const match = /^https?:\/\/([^/?#]*)(.*)$/i.exec(target);
  if (match === null || !isHost(match[1] ?? '')) return undefined;
  const rest = match[2] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** RFC 3986 §5.2.4, for a path that begins with a slash. */
function removeDotSegments(path: string): string {
  const output: string[] = [];
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') output.pop();
    if (segment !== '.' && segment !== '..') output.push(segment);
    else if (isLast) output.push('');
    if (output.length === 0) output.push('');
  }
  return output.join('/');
}
