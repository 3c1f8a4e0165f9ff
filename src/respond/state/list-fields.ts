import type { Declared } from '../../contract/responses.ts';
import type { EnvelopeRole } from '../../resources/meaning.ts';

/** What fields that an answer declares tell of a list, by their names in lower case. */
const ROLES: readonly (readonly [name: RegExp, role: EnvelopeRole])[] = [
  [/^(?:x-)?(?:pagination-)?(?:total|total-count|total-items|total-results|count)$/, 'total'],
  [/^(?:x-)?(?:pagination-)?(?:total-pages|page-count|pages)$/, 'page-count'],
  [/^(?:x-)?(?:pagination-)?(?:page|current-page|page-number)$/, 'page'],
  [/^(?:x-)?(?:pagination-)?(?:per-page|page-size|limit)$/, 'limit'],
  [/^(?:x-)?(?:pagination-)?offset$/, 'offset'],
  [/^(?:x-)?(?:pagination-)?(?:has-more|has-next)$/, 'has-more'],
  [/^(?:x-)?(?:pagination-)?(?:next-cursor|cursor|next-token|next-page-token)$/, 'next-cursor'],
  [/^(?:x-)?(?:pagination-)?(?:next|next-link|next-page-url)$/, 'next-link'],
  [/^(?:x-)?(?:pagination-)?(?:prev|previous|prev-link|previous-link)$/, 'previous-link'],
];

/** What is told in fields. */
export interface ListTold {
  /** What may stand for a role; none where there is nothing to tell. */
  readonly texts: (role: EnvelopeRole) => readonly string[];
  /** Of `Content-Range` and the like: `plants 0-24/319`. */
  readonly range: string;
  /** Of the next page and the one before, where pages have numbers. */
  readonly nextPage: number | undefined;
  readonly previousPage: number | undefined;
  /** URLs of pages by their relation (RFC 8288 §3.3). */
  readonly links: ReadonlyMap<string, string>;
}

/** @returns the fields that the response declares and that tell of the list */
export function writeListFields(
  { response }: Declared,
  told: ListTold,
): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  const { schemas, sent } = response.headers;
  for (const name of schemas.keys()) {
    const candidates = candidatesOf(name, told);
    if (candidates === undefined) continue;
    // An example of a next page would be told where there is none.
    const isExample = candidates.length === 0 && sent[name] !== undefined;
    const text = (isExample ? [''] : candidates).find(
      (one) => response.headers.findViolations(name, one).length === 0,
    );
    if (text !== undefined) fields[name] = text;
  }
  return fields;
}

/** @returns undefined for a field that tells nothing of a list */
function candidatesOf(name: string, told: ListTold): readonly string[] | undefined {
  if (name === 'link') return told.links.size === 0 ? [] : [writeLinks(told.links)];
  if (name === 'content-range' || name === 'x-content-range') return [told.range];
  if (/^(?:x-)?next-page$/.test(name)) return textOf(told.nextPage);
  if (/^(?:x-)?(?:prev|previous)-page$/.test(name)) return textOf(told.previousPage);
  const role = ROLES.find(([pattern]) => pattern.test(name))?.[1];
  return role === undefined ? undefined : told.texts(role);
}

function textOf(page: number | undefined): readonly string[] {
  return page === undefined ? [] : [String(page)];
}

/** RFC 8288 §3. */
function writeLinks(links: ReadonlyMap<string, string>): string {
  return [...links].map(([relation, url]) => `<${url}>; rel="${relation}"`).join(', ');
}
