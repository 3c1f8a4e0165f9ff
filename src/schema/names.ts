import { plain } from '../base/words.ts';

/** Names of members in the order of their schema, which are looked up whatever their style is. */
export class Names {
  readonly #own: () => readonly string[];
  readonly #parts: readonly Names[];
  #all: readonly string[] | undefined;
  #words: readonly string[] | undefined;
  #byWord: ReadonlyMap<string, string> | undefined;

  /** @param parts those of several schemas, which are asked in turn */
  constructor(own: () => readonly string[], parts: readonly Names[] = []) {
    this.#own = own;
    this.#parts = parts;
  }

  /** Returns the names of several schemas, each once. */
  static join(parts: Iterable<Names>): Names {
    const [first, ...others] = new Set(parts);
    if (first === undefined) return new Names(() => []);
    if (others.length === 0) return first;
    const joined = [first, ...others];
    return new Names(() => [...new Set(joined.flatMap(({ all }) => all))], joined);
  }

  get all(): readonly string[] {
    this.#all ??= this.#own();
    return this.#all;
  }

  /** The names without style, in the same order: see {@link plain}. */
  get words(): readonly string[] {
    this.#words ??= this.all.map(plain);
    return this.#words;
  }

  /** Returns the first name with a word: `friendly_name` for `friendlyname`. */
  like(word: string): string | undefined {
    for (const part of this.#parts) {
      const name = part.like(word);
      if (name !== undefined) return name;
    }
    if (this.#parts.length > 0) return undefined;
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
