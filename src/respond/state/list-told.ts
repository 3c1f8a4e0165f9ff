import type { JsonValue } from '../../base/json/value.ts';
import { toText } from '../../media/text-codec.ts';
import {
  cursorValues,
  numberPages,
  type PageRelation,
  queryOf,
} from '../../resources/list/list-links.ts';
import { hasNext } from '../../resources/list/page.ts';
import type { EnvelopeFacts } from '../../resources/list/write-envelope.ts';
import type { EnvelopeRole, ListMeaning } from '../../resources/meaning.ts';
import { readKey } from '../../resources/seed/seed-entry.ts';
import type { Asked } from './asked.ts';
import type { ListTold } from './list-fields.ts';
import type { ShownList } from './shown-list.ts';

/** What an answer tells of its list, in the members of its body and in its fields. */
interface Told {
  readonly values: EnvelopeFacts;
  readonly fields: ListTold;
}

const RELATIONS: Readonly<Record<string, PageRelation>> = {
  'next-link': 'next',
  'previous-link': 'previous',
  'first-link': 'first',
  'last-link': 'last',
  'self-link': 'self',
};

/** Relations as RFC 8288 has them, in the order in which they are told. */
const LINKED: readonly (readonly [name: string, relation: PageRelation])[] = [
  ['next', 'next'],
  ['prev', 'previous'],
  ['first', 'first'],
  ['last', 'last'],
];

export function tellOfPage(asked: Asked<ListMeaning>, parts: ShownList): Told {
  const { page, facts } = parts;
  const { terms } = facts;
  const [pageTerm] = terms.of('page');
  const first = pageTerm?.parameter.role.kind === 'page' ? pageTerm.parameter.role.first : 1;
  const numbers = numberPages(page, first);
  const isMore = hasNext(page);
  const urlsOf = (relation: PageRelation): readonly string[] => {
    const query = queryOf(relation, page, terms, asked.request.query);
    return query === undefined ? [] : urlsTo(asked, query);
  };
  const told: Partial<Record<EnvelopeRole, () => readonly JsonValue[]>> = {
    total: () => count(page.total),
    count: () => count(page.items.length),
    limit: () => count(page.limit ?? page.items.length, 1),
    offset: () => count(page.offset),
    page: () => count(numbers.number),
    'page-count': () => count(numbers.count, 1),
    'has-more': () => [isMore],
    'has-previous': () => [page.offset > 0],
    'next-cursor': () =>
      page.next === undefined ? [] : cursorValues(page.next, terms.of('cursor')[0]),
    'previous-cursor': () => {
      const [term] = [...terms.of('cursor-before'), ...terms.of('cursor')];
      return page.previous === undefined ? [] : cursorValues(page.previous, term);
    },
    'first-key': () => page.items.slice(0, 1).map(({ key }) => readKey(key)),
    'last-key': () => page.items.slice(-1).map(({ key }) => readKey(key)),
  };
  const values: EnvelopeFacts = (role) => {
    const relation = RELATIONS[role];
    return relation === undefined ? (told[role]?.() ?? []) : urlsOf(relation);
  };
  return {
    values,
    fields: {
      texts: (role) => values(role).map(toText),
      get range() {
        return rangeOf(asked, parts);
      },
      nextPage: isMore ? numbers.number + 1 : undefined,
      previousPage: page.offset > 0 ? Math.max(first, numbers.number - 1) : undefined,
      get links() {
        return new Map(
          LINKED.flatMap(([name, relation]) => {
            const [url] = urlsOf(relation);
            return url === undefined ? [] : [[name, url] as const];
          }),
        );
      },
    },
  };
}

/** A count as a number or a text, as its schema has it; or another where it must not be zero. */
function count(value: number, least = 0): readonly JsonValue[] {
  const other = Math.max(value, least);
  return other === value ? [value, String(value)] : [value, String(value), other];
}

/** @returns the URLs that ask for a query, with scheme and host and without */
function urlsTo({ request }: Asked, query: string): readonly string[] {
  const { target, fields, prefix = '' } = request;
  const host = fields.get('host');
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  const path = prefix + (target.slice(origin?.length ?? 0).replace(/[?#].*$/s, '') || '/');
  const relative = query === '' ? path : `${path}?${query}`;
  if (origin !== undefined) return [origin + relative, relative];
  return host === undefined ? [relative] : [`http://${host}${relative}`, relative];
}

/** RFC 9110 §14.4, with a unit of its own as services of lists have it. */
function rangeOf({ meaning }: Asked<ListMeaning>, { page }: ShownList): string {
  const { items, offset, total } = page;
  const unit = meaning.resource.name.replaceAll(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '') || 'items';
  if (items.length === 0) return `${unit} */${total}`;
  return `${unit} ${offset}-${offset + items.length - 1}/${total}`;
}
