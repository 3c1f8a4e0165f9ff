import { plain } from '../base/words.ts';

/** Names of members in the order of their schema, which are looked up whatever their style is. */
export class Names {
  readonly all: readonly string[];
  #words: readonly string[] | undefined;
  #byWord: ReadonlyMap<string, string> | undefined;

  constructor(all: readonly string[], words?: readonly string[]) {
    this.all = all;
    this.#words = words;
  }

  /** Returns the names of several schemas, each once. */
  static join(parts: Iterable<Names>): Names {
    const [first = new Names([]), ...others] = new Set(parts);
    if (others.length === 0) return first;
    const words = new Map<string, string>();
    for (const part of [first, ...others]) {
      for (const [index, name] of part.all.entries()) words.set(name, part.words[index] ?? '');
    }
    return new Names([...words.keys()], [...words.values()]);
  }

  /** The names without style, in the same order: see {@link plain}. */
  get words(): readonly string[] {
    this.#words ??= this.all.map(plain);
    return this.#words;
  }

  /** Returns the first name with a word: `friendly_name` for `friendlyname`. */
  like(word: string): string | undefined {
    this.#byWord ??= new Map(
      this.all.map((name, index) => [this.words[index] ?? '', name] as const).reverse(),
    );
    return this.#byWord.get(word);
  }

  /** Returns the first name with one of some words, besides one that is known. */
  first(words: readonly string[], known?: string): string | undefined {
    const found = words.filter((word) => this.like(word) !== undefined);
    if (found.length === 0) return undefined;
    return this.all.find(
      (name, index) => name !== known && found.includes(this.words[index] ?? ''),
    );
  }
}
