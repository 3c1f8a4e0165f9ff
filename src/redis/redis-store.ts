import { Problem } from '../base/problem.ts';
import type { Foreseen } from '../resources/foresee.ts';
import { ForeignRecord } from '../state/foreign-record.ts';
import { writeResource } from '../state/resource-text.ts';
import {
  areDeletions,
  type Change,
  listInParts,
  type Range,
  type RemovedCollections,
  type Store,
  type Stored,
} from '../state/store.ts';
import type { RedisConnection, Script } from './connection.ts';
import { escapeKey, escapeName, unescapeKey, unescapeName } from './keys.ts';
import type { RedisArgument } from './outbox.ts';
import type { SeenRecords } from './seen-records.ts';
import type { SharedScript } from './shared-script.ts';
import type { SharedStateBudget } from './shared-state-budget.ts';
import {
  COLLECTION_BYTES,
  COMMIT,
  COUNT,
  COUNTS,
  GET,
  LIST,
  NEXT_NUMBER,
  REPLACE,
  RESOURCE_BYTES,
  WEIGH,
} from './store-scripts.ts';
import { is, unreadable } from './stored-data.ts';

/** Redis takes a command of 1,048,576 words, and a change has four. */
const MAXIMUM_CHANGES = 250_000;
/** The size of one reply to a list: other commands wait while Redis writes it. */
const REPLY_BYTES = 4 * 1024 * 1024;
/** Redis may be flushed, but hardly between each of these. */
const MAXIMUM_TRIES = 3;

export interface RedisStoreParts {
  readonly connection: RedisConnection;
  /** The key of its own hash. */
  readonly meta: string;
  /** Makes single changes, together with the others of this turn. */
  readonly commits: SharedScript;
  /** Creates the store with its first resources, where it does not exist. */
  readonly begin: () => Promise<unknown>;
  /** Undefined where the limit of Redis is the only one. */
  readonly budget: SharedStateBudget | undefined;
  readonly seen: SeenRecords;
}

/** A collection as it was when the request began. */
export interface KnownPart {
  readonly foreseen: Foreseen;
  readonly count: number;
  /** The version and text of the key, or the lines of the range; null if Redis has none. */
  readonly kept: unknown;
}

/** A store in Redis. It begins again by itself where Redis was flushed. */
export class RedisStore implements Store {
  readonly #parts: RedisStoreParts;
  #pinned: string | undefined;
  #known: KnownPart | undefined;

  /** @param known is used until something changes, or the response is made */
  constructor(parts: RedisStoreParts, known?: KnownPart) {
    this.#parts = parts;
    this.#known = known;
  }

  /** Lets everything be read from Redis again. */
  forget(): void {
    this.#known = undefined;
  }

  async get(collection: string, key: string): Promise<Stored | undefined> {
    const known = this.#known;
    const isKnown = known?.foreseen.collection === collection && known.foreseen.key === key;
    const read = [escapeName(collection), escapeKey(key)];
    const kept = isKnown ? (known.kept ?? 0) : await this.#run(GET, read);
    return kept === 0
      ? undefined
      : readRecord(this.#parts, collection, escapeKey(key), String(kept));
  }

  async list(collection: string, { offset, limit }: Range): Promise<readonly Stored[]> {
    const known = this.#knownRange(collection, { offset, limit });
    if (known !== undefined) return known;
    if (limit === 0) return [];
    const end = offset + limit;
    const last = limit === Number.POSITIVE_INFINITY ? -1 : end - 1;
    return await listInParts(offset, async (first, isWhole) => {
      const most = isWhole ? Number.MAX_SAFE_INTEGER : REPLY_BYTES;
      const words = [escapeName(collection), first, last, most];
      const lines = String(await this.#run(LIST, words));
      const found = readLines(lines, (key, kept) => readRecord(this.#parts, collection, key, kept));
      // More texts than that, and there may be another part.
      const isLast = Buffer.byteLength(lines) <= most || first + found.length >= end;
      return { found, isLast };
    });
  }

  /** Returns resources that were read when the request began; undefined if one of them was not. */
  #knownRange(collection: string, { offset, limit }: Range): readonly Stored[] | undefined {
    const known = this.#known;
    if (known?.foreseen.collection !== collection || known.kept === null) return undefined;
    const { range, key } = known.foreseen;
    if (range === undefined || key !== undefined) return undefined;
    const from = offset - range.offset;
    const end = Math.min(offset + limit, known.count);
    if (from < 0 || end > range.offset + range.limit) return undefined;
    const parts = this.#parts;
    const place = `${parts.meta} ${collection}`;
    const read: ReadRecord = (each, kept) => readRecord(parts, collection, each, kept);
    const find: ReadRecord = (each, kept) => parts.seen.find(place, each, kept, read);
    return readLines(String(known.kept), find).slice(from, from + limit);
  }

  async count(collection: string): Promise<number> {
    if (this.#known?.foreseen.collection === collection) return this.#known.count;
    return Number(await this.#run(COUNT, [escapeName(collection)]));
  }

  async counts(): Promise<ReadonlyMap<string, number>> {
    const words = readTexts(await this.#run(COUNTS, []));
    const counts: { name: string; since: number; count: number }[] = [];
    for (let index = 0; index < words.length; index += 3) {
      const name = unescapeName(words[index] ?? '');
      const [since, count] = words.slice(index + 1, index + 3).map(Number);
      if (name === undefined || !is.count(since) || !is.count(count)) {
        throw unreadable(this.#parts.connection, 'a collection', this.#parts.meta);
      }
      counts.push({ name, since, count });
    }
    counts.sort((left, right) => left.since - right.since);
    return new Map(counts.map(({ name, count }) => [name, count]));
  }

  async commit(changes: readonly Change[]): Promise<readonly number[] | undefined> {
    const before = await this.#change([], changes, (words) =>
      changes.length === 1 ? this.#commitTogether(words) : this.#run(COMMIT, words),
    );
    if (before === '') return undefined;
    return changes.map((_, index) => Number(before) + index + 1);
  }

  async replace(removed: RemovedCollections, changes: readonly Change[]): Promise<void> {
    await this.#change(removed, changes, (words) =>
      this.#run(REPLACE, [...writeRemoved(removed), ...words]),
    );
  }

  async nextNumber(name: string): Promise<number> {
    return Number(await this.#run(NEXT_NUMBER, [escapeName(name)]));
  }

  /** Lets it be read only as it is now: once it has changed, it refuses with STATE_BUSY. */
  async pin(): Promise<this> {
    this.#pinned = await this.#stamp();
    return this;
  }

  /** @param make makes the changes, which are given as the words of a script */
  async #change(
    removed: RemovedCollections,
    changes: readonly Change[],
    make: (words: readonly string[]) => Promise<unknown>,
  ): Promise<unknown> {
    if (changes.length > MAXIMUM_CHANGES) {
      const detail = `a Redis takes ${MAXIMUM_CHANGES} changes at once, not ${changes.length}`;
      throw new Problem('STATE_FULL', detail);
    }
    this.forget();
    const words = writeChanges(changes);
    const { budget } = this.#parts;
    if (budget === undefined) return await make(words);
    const weighExactly = async (): Promise<number> =>
      Number(await this.#run(WEIGH, [...writeRemoved(removed), ...words]));
    return await budget.hold(weigh(changes, words), () => make(words), weighExactly);
  }

  /** Makes one change. Alone, where it cannot be made with others: then it gets its own error. */
  #commitTogether(words: readonly string[]): Promise<unknown> {
    return this.#untilThere(async () => {
      const { at, reply } = this.#parts.commits.add(words);
      const replies = await reply.catch((error: unknown) => {
        if (error instanceof Problem && error.problem === 'STATE_FULL') return [];
        throw error;
      });
      const own: unknown = Array.isArray(replies) ? (replies[at] ?? -1) : replies;
      return own === -1 ? await this.#ask(COMMIT, words) : own;
    });
  }

  /** Returns a text that differs after each change. */
  async #stamp(): Promise<string> {
    return String(await this.#parts.connection.send('HMGET', this.#parts.meta, 'v', 'b'));
  }

  #run(script: Script, words: readonly RedisArgument[]): Promise<unknown> {
    return this.#untilThere(() => this.#ask(script, words));
  }

  #ask(script: Script, words: readonly RedisArgument[]): Promise<unknown> {
    return this.#parts.connection.run(script, [this.#parts.meta], words);
  }

  /** @param ask runs a script, which replies with null where the store does not exist */
  async #untilThere(ask: () => Promise<unknown>): Promise<unknown> {
    for (let tries = 0; tries < MAXIMUM_TRIES; tries++) {
      const reply = await ask();
      if (this.#pinned !== undefined && this.#pinned !== (await this.#stamp())) {
        const detail =
          'the state has changed while it was read, and the Redis is too full for a copy';
        throw new Problem('STATE_BUSY', detail);
      }
      if (reply !== null) return reply;
      await this.#parts.begin();
    }
    throw new Problem(
      'STORE_UNAVAILABLE',
      `what is written to the Redis at ${this.#parts.connection.place} is gone at once`,
    );
  }
}

type ReadRecord = (escapedKey: string, kept: string) => ForeignRecord;

/** @param lines keys, and versions with texts, in turn */
function readLines(lines: string, read: ReadRecord): Stored[] {
  if (lines === '') return [];
  const found: Stored[] = [];
  const parts = lines.split('\n');
  for (let index = 0; index < parts.length; index += 2) {
    found.push(read(parts[index] ?? '', parts[index + 1] ?? ''));
  }
  return found;
}

/** @throws {Problem} STORE_UNAVAILABLE for a key or a version that cannot be read */
function readRecord(
  { connection, meta }: RedisStoreParts,
  collection: string,
  escapedKey: string,
  kept: string,
): ForeignRecord {
  const end = kept.indexOf(' ');
  const version = Number(kept.slice(0, end));
  const key = unescapeKey(escapedKey);
  const refuse = (): Problem => {
    const what = `a resource (${JSON.stringify(key ?? escapedKey)})`;
    // The key of the collection, as the scripts make it.
    const resources = `${meta.slice(0, -'meta'.length)}r:${escapeName(collection)}`;
    return unreadable(connection, what, resources);
  };
  if (key === undefined || end < 0 || !is.count(version)) throw refuse();
  return new ForeignRecord({ key, version, json: kept.slice(end + 1), refuse });
}

export function writeChanges(changes: readonly Change[]): string[] {
  const words: string[] = [];
  for (const { collection, key, expected, resource } of changes) {
    words.push(
      escapeName(collection),
      escapeKey(key),
      expected === 'any' ? '*' : expected === 'absent' ? '-' : String(expected),
      resource === undefined ? '' : writeResource(resource),
    );
  }
  return words;
}

/** Returns the items of a reply as texts; none for a reply that is no list. */
export function readTexts(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}

function writeRemoved(removed: RemovedCollections): readonly RedisArgument[] {
  return removed === 'all' ? ['*'] : [removed.length, ...removed.map(escapeName)];
}

/** Returns the bytes that changes add, if they replace nothing; 0 for those that delete. */
function weigh(changes: readonly Change[], words: readonly string[]): number {
  let bytes = 0;
  if (areDeletions(changes)) return bytes;
  for (const [index, { key, resource }] of changes.entries()) {
    if (resource === undefined) continue;
    // The text is the last word of each change.
    bytes += RESOURCE_BYTES + key.length + (words[4 * index + 3]?.length ?? 0);
  }
  return bytes === 0 ? 0 : bytes + COLLECTION_BYTES;
}
