import { crc32 } from 'node:zlib';
import { type Awaitable, after } from '../base/awaitable.ts';
import type { Problem } from '../base/problem.ts';
import { RESOURCE_PARTS, type ResourceRow, type Rows, readName, writeName } from './file-tables.ts';
import type { FileTransaction } from './file-transaction.ts';
import { readForeignResource } from './resource-text.ts';
import type { Change, Range, Store, Stored } from './store.ts';

/** The file of a store. */
export interface FileAccess {
  /** Returns the result of a query. */
  ask<Value>(question: (rows: Rows) => Value): Value;
  /** Returns the result of work in a transaction, once that is on the disk. */
  write<Outcome>(work: (transaction: FileTransaction) => Outcome): Promise<Outcome>;
  has(name: string): boolean;
  open(name: string): Awaitable<Store>;
  /** Returns the refusal of a request that met a row that cannot be read. */
  damaged(damage: string): Problem;
}

/**
 * A store in a file. It has no cache, as other processes change the file too; a store that another
 * process has dropped begins again.
 */
export class FileStore implements Store {
  readonly #file: FileAccess;
  readonly #name: string;
  /** The name in the file. */
  readonly #written: string;

  constructor(file: FileAccess, name: string) {
    this.#file = file;
    this.#name = name;
    this.#written = writeName(name);
  }

  get(collection: string, key: string): Awaitable<Stored | undefined> {
    const row = this.#file.ask((rows) =>
      rows.readResource.get(this.#written, writeName(collection), writeName(key)),
    );
    if (row !== undefined) return this.#show(row);
    return this.#orBegin(undefined, () => this.get(collection, key));
  }

  list(collection: string, { offset, limit }: Range): Awaitable<readonly Stored[]> {
    const most = Math.min(limit, Number.MAX_SAFE_INTEGER);
    const found = this.#file.ask((rows) =>
      rows.readRange.all(this.#written, writeName(collection), offset, most),
    );
    if (found.length > 0) return found.map((row) => this.#show(row));
    return this.#orBegin([], () => this.list(collection, { offset, limit }));
  }

  count(collection: string): Awaitable<number> {
    const row = this.#file.ask((rows) => rows.readSize.get(this.#written, writeName(collection)));
    return row?.[0] ?? this.#orBegin(0, () => this.count(collection));
  }

  counts(): Awaitable<ReadonlyMap<string, number>> {
    const found = this.#file.ask((rows) => rows.readSizes.all(this.#written));
    const counts = new Map(found.map(([size, name]) => [this.#readName(name), size]));
    return counts.size > 0 ? counts : this.#orBegin(counts, () => this.counts());
  }

  commit(changes: readonly Change[]): Promise<readonly number[] | undefined> {
    return this.#write((transaction) => transaction.commit(this.#name, changes));
  }

  nextNumber(name: string): Promise<number> {
    return this.#write((transaction) => transaction.nextNumber(this.#name, name));
  }

  clear(): Promise<void> {
    return this.#write((transaction) => transaction.clear(this.#name));
  }

  async #write<Outcome>(work: (transaction: FileTransaction) => Outcome): Promise<Outcome> {
    for (;;) {
      const done = await this.#file.write((transaction) =>
        transaction.hasStore(this.#name) ? { outcome: work(transaction) } : undefined,
      );
      if (done !== undefined) return done.outcome;
      await this.#file.open(this.#name);
    }
  }

  /** Returns nothing for a store that exists; lets one that does not exist begin, and asks again. */
  #orBegin<Value>(nothing: Value, again: () => Awaitable<Value>): Awaitable<Value> {
    return this.#file.has(this.#name) ? nothing : after(this.#file.open(this.#name), again);
  }

  #show([written, sum]: ResourceRow): Stored {
    const [, key = '', version, text = ''] = RESOURCE_PARTS.exec(written ?? '') ?? [];
    if (written === null || crc32(written) !== sum) {
      throw this.#file.damaged(`the resource ${key} is not what was written`);
    }
    const resource = readForeignResource(text);
    if (resource === undefined) {
      throw this.#file.damaged(`the resource ${key} cannot be read`);
    }
    return { key: this.#readName(key), resource, version: Number(version) };
  }

  #readName(text: string): string {
    const name = readName(text);
    if (name === undefined) throw this.#file.damaged(`the name ${text} cannot be read`);
    return name;
  }
}
