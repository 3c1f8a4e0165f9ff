import { listSnapshotStores, type Rows, readName, sumOf, writeName } from './file-tables.ts';
import type { Landmarks } from './landmarks.ts';
import { writeResource } from './resource-text.ts';
import type { Change, RemovedCollections } from './store.ts';

interface StoreRow {
  readonly id: number;
  readonly name: string;
  version: number;
}

interface CollectionRow {
  readonly id: number;
  readonly store: number;
  readonly name: string;
  size: number;
}

/** One transaction with the changes of many requests, whose rows are written once, at its end. */
export class FileTransaction {
  readonly #rows: Rows;
  readonly #stores = new Map<string, StoreRow>();
  readonly #collections = new Map<string, CollectionRow>();
  readonly #user: number;
  readonly #landmarks: Landmarks;
  /** What leaves collections: the resource at a place, or all. */
  readonly #removed: (readonly [collection: number, place?: number])[] = [];

  /** @param user the number of this process: the transaction uses the stores that it looks at */
  constructor(rows: Rows, user: number, landmarks: Landmarks) {
    this.#rows = rows;
    this.#user = user;
    this.#landmarks = landmarks;
  }

  hasStore(name: string): boolean {
    return this.#findStore(name) !== undefined;
  }

  /**
   * Changes a store, which begins with this if it does not exist.
   *
   * @returns undefined when a resource has not the expected version
   */
  commit(name: string, changes: readonly Change[]): readonly number[] | undefined {
    // Written first: what fails must have changed nothing.
    const texts = writeTexts(changes);
    const store = this.#openStore(name);
    for (const { collection, key, expected } of changes) {
      if (expected === 'any') continue;
      const version = this.#versionOf(store, collection, key);
      if (version !== (expected === 'absent' ? undefined : expected)) return undefined;
    }
    return this.#make(store, changes, texts);
  }

  replace(name: string, removed: RemovedCollections, changes: readonly Change[]): void {
    const texts = writeTexts(changes);
    const store = this.#openStore(name);
    this.#removeCollections(store.id, removed);
    this.#make(store, changes, texts);
  }

  nextNumber(name: string, of: string): number {
    const { id } = this.#openStore(name);
    const number = (this.#rows.findNumber.get(id, writeName(of))?.[0] ?? 0) + 1;
    this.#setNumber(id, writeName(of), number);
    return number;
  }

  drop(name: string): void {
    const store = this.#findStore(name);
    if (store === undefined) return;
    this.#empty(store.id);
    this.#rows.dropStore.run(store.id);
    this.#stores.delete(name);
  }

  /**
   * Removes the store of a session and those of its snapshots.
   *
   * @param seen the last use that this process knows: a later one of another keeps the session
   */
  dropSession(name: string, seen: number): void {
    const [, , used = 0, user = 0] = this.#rows.findStore.get(writeName(name)) ?? [];
    if (used > seen && user !== this.#user) return;
    this.drop(name);
    for (const [written] of listSnapshotStores(this.#rows, name)) {
      this.drop(readName(written) ?? '');
    }
  }

  /** @param from a store that exists */
  copy(from: string, to: string): void {
    if (from === to) return;
    const source = this.#openStore(from);
    const target = this.#openStore(to);
    this.#empty(target.id);
    this.finish();
    for (const [id, size, name] of this.#rows.listCollections.all(source.id)) {
      const copy = this.#rows.addCollection.run(target.id, name);
      this.#rows.setCollection.run(size, sumOf(copy, target.id, name, size), copy);
      this.#rows.copyResources.run(copy, id);
    }
    for (const [number, name] of this.#rows.listNumbers.all(source.id)) {
      this.#setNumber(target.id, name, number);
    }
    target.version = Math.max(target.version, source.version);
  }

  /** Writes the rows of stores and collections. */
  finish(): void {
    const used = (this.#rows.lastUse.get()?.[0] ?? 0) + 1;
    for (const { id, name, version } of this.#stores.values()) {
      const sum = sumOf(id, writeName(name), version);
      this.#rows.setStore.run(version, sum, used, this.#user, id);
    }
    for (const { id, store, name, size } of this.#collections.values()) {
      if (size === 0) this.#dropCollection(id);
      else this.#rows.setCollection.run(size, sumOf(id, store, writeName(name), size), id);
    }
    this.#collections.clear();
  }

  /** Called when the transaction is on the disk. */
  committed(): void {
    for (const removed of this.#removed) this.#landmarks.remove(...removed);
  }

  #make(
    store: StoreRow,
    changes: readonly Change[],
    texts: readonly (string | undefined)[],
  ): readonly number[] {
    return changes.map(({ collection, key }, index) => {
      const version = ++store.version;
      const text = texts[index];
      if (text === undefined) this.#delete(store, collection, key);
      else this.#put(store, collection, key, text, version);
      return version;
    });
  }

  #put(store: StoreRow, name: string, key: string, text: string, version: number): void {
    const collection = this.#findCollection(store, name) ?? this.#addCollection(store, name);
    const written = writeName(key);
    // Versions are unique, so the first one of a resource is also its place.
    const known = this.#rows.findResource.get(collection.id, written)?.[0];
    const place = known ?? version;
    const sum = sumOf(written, place, version, text);
    this.#rows.setResource.run(collection.id, written, place, version, text, sum);
    if (known === undefined) collection.size++;
  }

  #delete(store: StoreRow, name: string, key: string): void {
    const collection = this.#findCollection(store, name);
    const place = collection && this.#rows.findResource.get(collection.id, writeName(key))?.[0];
    if (collection === undefined || place === undefined) return;
    this.#rows.dropResource.run(collection.id, writeName(key));
    this.#removed.push([collection.id, place]);
    collection.size--;
  }

  #versionOf(store: StoreRow, name: string, key: string): number | undefined {
    const collection = this.#findCollection(store, name);
    if (collection === undefined) return undefined;
    return this.#rows.findResource.get(collection.id, writeName(key))?.[1];
  }

  #setNumber(store: number, name: string, number: number): void {
    this.#rows.setNumber.run(store, name, number, sumOf(store, name, number));
  }

  #empty(store: number): void {
    this.#removeCollections(store, 'all');
    this.#rows.dropNumbers.run(store);
  }

  #removeCollections(store: number, removed: RemovedCollections): void {
    this.finish();
    for (const [id, , name] of this.#rows.listCollections.all(store)) {
      if (removed !== 'all' && !removed.includes(readName(name) ?? '')) continue;
      this.#rows.dropResources.run(id);
      this.#dropCollection(id);
    }
  }

  #dropCollection(id: number): void {
    this.#rows.dropCollection.run(id);
    this.#removed.push([id]);
  }

  #findStore(name: string): StoreRow | undefined {
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const row = this.#rows.findStore.get(writeName(name));
    return row && this.#holdStore(row[0], name, row[1]);
  }

  /** Returns a store, and adds it if it does not exist. */
  #openStore(name: string): StoreRow {
    const found = this.#findStore(name);
    return found ?? this.#holdStore(this.#rows.addStore.run(writeName(name)), name, 0);
  }

  #holdStore(id: number, name: string, version: number): StoreRow {
    const store = { id, name, version };
    this.#stores.set(name, store);
    return store;
  }

  #findCollection({ id: store }: StoreRow, name: string): CollectionRow | undefined {
    const known = this.#collections.get(`${store} ${name}`);
    if (known !== undefined) return known;
    const row = this.#rows.findCollection.get(store, writeName(name));
    return row && this.#holdCollection({ id: row[0], store, name, size: row[1] });
  }

  #addCollection({ id: store }: StoreRow, name: string): CollectionRow {
    const id = this.#rows.addCollection.run(store, writeName(name));
    return this.#holdCollection({ id, store, name, size: 0 });
  }

  #holdCollection(row: CollectionRow): CollectionRow {
    this.#collections.set(`${row.store} ${row.name}`, row);
    return row;
  }
}

/** Returns the text of each resource; undefined where a change deletes one. */
function writeTexts(changes: readonly Change[]): readonly (string | undefined)[] {
  return changes.map(({ resource }) => resource && writeResource(resource));
}
