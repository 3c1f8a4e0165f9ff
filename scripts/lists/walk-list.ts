import { isDeepStrictEqual } from 'node:util';
import type { ListParameter, ListRole } from '../../src/resources/list/list-query.ts';
import type { ListMeaning } from '../../src/resources/meaning.ts';
import { find, isMembers, type JsonMembers, membersOf } from '../crud/compare.ts';
import { type PathValues, type Received, type Sending, send } from '../crud/send.ts';
import type { Json } from '../sweep/json.ts';

/** The checks of one list, and their failures. */
export interface ListWalk {
  readonly operation: string;
  /** Undefined where nothing of it is kept. */
  readonly items: number | undefined;
  /** Whether the pages, put together, are the list; undefined where it has none. */
  readonly pages: boolean | undefined;
  /** Filters that select what they say, of those that could be asked. */
  readonly filters: { readonly asked: number; readonly right: number };
  readonly wrong: readonly string[];
}

const MOST_PAGES = 60;

/** Reads a list, all of its pages, and what each of its filters selects. */
export async function walkList(
  sending: Sending,
  meaning: ListMeaning,
  path: PathValues,
): Promise<ListWalk> {
  return new Walk(sending, meaning, path).go();
}

class Walk {
  readonly #sending: Sending;
  readonly #meaning: ListMeaning;
  readonly #path: PathValues;
  readonly #wrong: string[] = [];

  constructor(sending: Sending, meaning: ListMeaning, path: PathValues) {
    this.#sending = sending;
    this.#meaning = meaning;
    this.#path = path;
  }

  async go(): Promise<ListWalk> {
    const operation = `${this.#meaning.operation.method} ${this.#meaning.operation.path}`;
    const none = { operation, pages: undefined, filters: { asked: 0, right: 0 } };
    const first = await this.#ask(new Map());
    if (first === undefined) return { ...none, items: undefined, wrong: this.#wrong };
    const whole = await this.#collect(new Map(), first);
    const pages = await this.#comparePages(whole);
    const filters = await this.#tryFilters(first.items);
    return { operation, items: whole.length, pages, filters, wrong: this.#wrong };
  }

  async #ask(wished: PathValues): Promise<Shown | undefined> {
    const { operation } = this.#meaning;
    const received = await send(this.#sending, operation, this.#path, undefined, wished);
    const asked = `${[...wished].map((pair) => pair.join('=')).join('&')}`;
    // A parent that nobody has made, or a value that the parameter does not take.
    const isElsewhere = received.status === 404 && wished.size === 0;
    if (isElsewhere || received.source.endsWith('INVALID_REQUEST')) return undefined;
    if (received.status >= 400) {
      this.#wrong.push(`${asked} answers ${received.status}: ${received.text.slice(0, 160)}`);
      return undefined;
    }
    if (!received.source.startsWith('state')) {
      if (wished.size > 0) this.#wrong.push(`${asked} is answered by ${received.source}`);
      return undefined;
    }
    if (received.source !== 'state') this.#wrong.push(`${asked}: ${received.source}`);
    const items = this.#itemsOf(received);
    return items && { received, items };
  }

  #itemsOf({ body }: Received): readonly JsonMembers[] | undefined {
    const { envelope } = this.#meaning;
    const found = find(body, envelope.path);
    const items = envelope.isByKey && isMembers(found) ? Object.values(found) : found;
    if (!Array.isArray(items)) return undefined;
    const members = items.map((item: Json) => membersOf(item, envelope.form));
    return members.filter((one) => one !== undefined);
  }

  /** @returns the items of a page and of all that follow it */
  async #collect(wished: PathValues, first: Shown): Promise<readonly JsonMembers[]> {
    const items = [...first.items];
    let page = first;
    let asked = wished;
    for (let count = 1; count < MOST_PAGES && page.items.length > 0; count++) {
      const next = this.#nextOf(page, asked, items.length);
      const shown = next && (await this.#ask(next));
      if (next === undefined || shown === undefined) break;
      items.push(...shown.items);
      [page, asked] = [shown, next];
    }
    return items;
  }

  /** How a client asks for what follows; undefined where nothing does, or it cannot be asked for. */
  #nextOf(page: Shown, asked: PathValues, seen: number): PathValues | undefined {
    const cursor = this.#term('cursor');
    if (cursor !== undefined) {
      const value = this.#cursorOf(page);
      return value === undefined ? undefined : new Map([...asked, [nameOf(cursor), value]]);
    }
    const number = this.#term('page');
    if (number?.role.kind === 'page') {
      const now = Number(asked.get(nameOf(number)) ?? number.role.first);
      return new Map([...asked, [nameOf(number), String(now + 1)]]);
    }
    const offset = this.#term('offset');
    return offset && new Map([...asked, [nameOf(offset), String(seen)]]);
  }

  #cursorOf({ received, items }: Shown): string | undefined {
    const { envelope, type: resource } = this.#meaning;
    const part = envelope.parts.find(({ role }) => role === 'next-cursor');
    if (part !== undefined) {
      const value = find(received.body, part.path);
      return value === undefined || value === null || value === '' ? undefined : String(value);
    }
    const key = items.at(-1)?.[resource.key?.property?.value ?? ''];
    return key === undefined ? undefined : String(key);
  }

  async #comparePages(whole: readonly JsonMembers[]): Promise<boolean | undefined> {
    const limit = this.#term('limit');
    if (limit === undefined || ['cursor', 'page', 'offset'].every((kind) => !this.#term(kind))) {
      return undefined;
    }
    const wished = new Map([[nameOf(limit), '3']]);
    const first = await this.#ask(wished);
    if (first === undefined) return undefined;
    const items = await this.#collect(wished, first);
    if (first.items.length > 3) this.#wrong.push(`limit 3 shows ${first.items.length}`);
    if (isDeepStrictEqual(items, whole)) return true;
    this.#wrong.push(`pages of 3 show ${items.length}, the list ${whole.length}`);
    return false;
  }

  async #tryFilters(items: readonly JsonMembers[]): Promise<ListWalk['filters']> {
    let asked = 0;
    let right = 0;
    for (const parameter of this.#meaning.query.parameters) {
      const { role } = parameter;
      if (role.kind !== 'filter' || role.comparison !== 'equal') continue;
      const sample = items.find((item) => isPlainText(find(item, role.property)));
      const value = sample && find(sample, role.property);
      if (value === undefined) continue;
      const shown = await this.#ask(new Map([[nameOf(parameter), String(value)]]));
      if (shown === undefined) continue;
      asked++;
      if (this.#isSelected(shown.items, items, role, value)) right++;
      else this.#wrong.push(`${nameOf(parameter)}=${String(value)} shows others, or too few`);
    }
    return { asked, right };
  }

  #isSelected(
    shown: readonly JsonMembers[],
    items: readonly JsonMembers[],
    { property }: Extract<ListRole, { kind: 'filter' }>,
    value: Json,
  ): boolean {
    const has = (item: JsonMembers): boolean => {
      const found = find(item, property);
      if (typeof found !== 'string' || typeof value !== 'string') return found === value;
      // One moment may be written in two ways.
      return found === value || Date.parse(found) === Date.parse(value);
    };
    return shown.every(has) && shown.length >= items.filter(has).length;
  }

  #term(kind: string): ListParameter | undefined {
    return this.#meaning.query.parameters.find(({ role }) => role.kind === kind);
  }
}

interface Shown {
  readonly received: Received;
  readonly items: readonly JsonMembers[];
}

function nameOf({ name, member }: ListParameter): string {
  return member === undefined ? name : `${name}[${member}]`;
}

/** A value that has one unambiguous form in a query. */
function isPlainText(value: Json | undefined): boolean {
  if (typeof value === 'boolean' || typeof value === 'number') return true;
  return typeof value === 'string' && value !== '' && !value.includes(',') && value.length < 200;
}
