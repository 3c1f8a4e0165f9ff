import { readFileSync } from 'node:fs';
import { dirname, resolve as resolvePath } from 'node:path';
import { parse } from 'yaml';
import { at, isMembers, type Json, type JsonMembers, member, walk } from './json.ts';

/** A place in one of the files of a description. */
export interface Place {
  readonly file: string;
  readonly pointer: string;
}

export interface Located<T extends Json = Json> extends Place {
  readonly value: T;
}

/** Why something cannot be judged; it is counted by this reason. */
export class NotJudged extends Error {
  override readonly name = 'NotJudged';
}

/** Reads a document as YAML 1.2 or JSON. @throws where it is neither */
export function readTree(file: string): Json {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text) as Json;
    } catch {
      // A flow mapping of YAML begins like JSON.
    }
  }
  return parse(text, { merge: true, uniqueKeys: false, maxAliasCount: 10_000 }) as Json;
}

export type Version = '2.0' | '3.0' | '3.1' | '3.2';

/** The files of one OpenAPI description, read when a reference first leads there. */
export class Description {
  readonly entry: string;
  readonly version: Version;
  readonly #trees = new Map<string, Json>();
  readonly #allNames = new Map<string, Names>();

  constructor(entry: string) {
    this.entry = entry;
    this.version = readVersion(this.tree(entry));
  }

  tree(file: string): Json {
    let tree = this.#trees.get(file);
    if (tree === undefined) {
      tree = readTree(file);
      this.#trees.set(file, tree);
    }
    return tree;
  }

  /** Adds a tree that the sweep made itself. @returns its name, as a file's */
  addTree(tree: Json): string {
    const name = `${this.entry}!${this.#trees.size}`;
    this.#trees.set(name, tree);
    return name;
  }

  get root(): Located {
    return { file: this.entry, pointer: '', value: this.tree(this.entry) };
  }

  /** @returns what stands at a place, with no reference followed */
  at({ file, pointer }: Place): Located | undefined {
    const value = at(this.tree(file), pointer);
    return value === undefined ? undefined : { file, pointer, value };
  }

  /** @returns a member, its `$ref`s followed */
  member(owner: Located | undefined, ...names: readonly (string | number)[]): Located | undefined {
    let located = owner;
    for (const name of names) {
      if (located === undefined) return undefined;
      const { file, pointer } = located;
      const part = String(name).replaceAll('~', '~0').replaceAll('/', '~1');
      const next = this.at({ file, pointer: `${pointer}/${part}` });
      located = next && this.follow(next);
    }
    return located;
  }

  members(owner: Located | undefined, ...names: readonly string[]): [string, Located][] {
    const located = this.member(owner, ...names);
    if (located === undefined || typeof located.value !== 'object' || located.value === null) {
      return [];
    }
    return Object.keys(located.value).flatMap((name) => {
      const next = this.member(located, name);
      return next === undefined ? [] : [[name, next]];
    });
  }

  /** Follows References. @throws {NotJudged} where one leads nowhere, or out to the network */
  follow(located: Located): Located {
    let current = located;
    for (let hops = 0; hops < 50; hops++) {
      const reference = member(current.value, '$ref');
      if (typeof reference !== 'string') return current;
      current = this.resolve(reference, current);
    }
    throw new NotJudged('a reference leads in a circle');
  }

  /** @throws {NotJudged} where the reference leads nowhere, or out to the network */
  resolve(reference: string, from: Place): Located {
    const [path = '', fragment = ''] = reference.split('#', 2);
    const named = this.#byIdentifier(path, from.file);
    if (named === undefined && /^[a-z][a-z\d+.-]+:/i.test(path) && !path.startsWith('file:')) {
      throw new NotJudged('a reference leads to the network');
    }
    const file = path === '' || named ? from.file : resolvePath(dirname(from.file), decode(path));
    const pointer = decode(fragment);
    const inside = named ?? '';
    const target =
      pointer === '' || pointer.startsWith('/')
        ? this.#tryAt({ file, pointer: inside + pointer })
        : this.#byAnchor(from, file, pointer);
    if (target === undefined) throw new NotJudged('a reference leads nowhere');
    return target;
  }

  #tryAt(place: Place): Located | undefined {
    try {
      return this.at(place);
    } catch {
      return undefined;
    }
  }

  /** @returns the pointer of the schema in this file that calls itself so */
  #byIdentifier(path: string, file: string): string | undefined {
    if (path === '') return undefined;
    const { identifiers } = this.#names(file);
    const base = 'file:///document';
    const wanted = URL.canParse(path, base) ? new URL(path, base).href : path;
    return identifiers.get(path) ?? identifiers.get(wanted);
  }

  /** @throws {NotJudged} where the name means several schemas of one schema resource */
  #byAnchor(from: Place, file: string, name: string): Located | undefined {
    const all = this.#names(file).anchors.get(name) ?? [];
    const resource = file === from.file ? this.#resourceOf(from) : '';
    const own = all.filter((pointer) => this.#resourceOf({ file, pointer }) === resource);
    if (own.length > 1) throw new NotJudged('an anchor that stands at several schemas');
    const [pointer] = own.length === 1 ? own : all;
    return pointer === undefined ? undefined : this.#tryAt({ file, pointer });
  }

  /** @returns whether a dynamic reference to this name may lead to more than one schema */
  isAmbiguous(name: string, { file }: Place): boolean {
    return (this.#names(file).anchors.get(name)?.length ?? 0) > 1;
  }

  /** @returns pointer of the innermost schema around a place that has an `$id` */
  #resourceOf({ file, pointer }: Place): string {
    const around = this.#names(file).resources.filter(
      (resource) => pointer === resource || pointer.startsWith(`${resource}/`),
    );
    return around.sort((a, b) => b.length - a.length)[0] ?? '';
  }

  #names(file: string): Names {
    let names = this.#allNames.get(file);
    if (names === undefined) {
      names = findNames(this.tree(file));
      this.#allNames.set(file, names);
    }
    return names;
  }
}

/** The names that schemas of a file give themselves. */
interface Names {
  readonly anchors: Map<string, string[]>;
  readonly identifiers: Map<string, string>;
  readonly resources: string[];
}

function findNames(tree: Json): Names {
  const names: Names = { anchors: new Map(), identifiers: new Map(), resources: [] };
  for (const [object, pointer] of walk(tree)) {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = member(object, keyword);
      if (typeof name !== 'string') continue;
      names.anchors.set(name, [...(names.anchors.get(name) ?? []), pointer]);
    }
    const id = member(object, '$id');
    if (typeof id !== 'string' || pointer === '') continue;
    names.identifiers.set(id, pointer);
    names.resources.push(pointer);
  }
  return names;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readVersion(tree: Json): Version {
  const { openapi, swagger }: JsonMembers = isMembers(tree) ? tree : {};
  if (swagger !== undefined) return '2.0';
  const found = /^3\.[012]/.exec(String(openapi))?.[0];
  return found === '3.0' || found === '3.2' ? found : '3.1';
}
