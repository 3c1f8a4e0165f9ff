/** The names of one file: each is a legal name of a type, and no two are the same. */
export class TypeNames {
  readonly #taken = new Set<string>();

  /**
   * @param wishes texts that the name may come of, best first
   * @returns the first that is free; otherwise the first one with a number
   */
  take(...wishes: readonly [string, ...string[]]): string {
    const names = wishes.map(toTypeName);
    const [first = ''] = names;
    const free = names.find((name) => !this.#taken.has(name)) ?? this.#number(first);
    this.#taken.add(free);
    return free;
  }

  #number(name: string): string {
    for (let number = 2; ; number++) {
      const numbered = `${name}${number}`;
      if (!this.#taken.has(numbered)) return numbered;
    }
  }
}

/**
 * `plant-store` is `PlantStore`. With its capital, no name is one of TypeScript's own words.
 *
 * @returns letters, digits and underlines, a capital first
 */
function toTypeName(text: string): string {
  const words = text.normalize('NFKD').split(/[^A-Za-z0-9_]+/);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (name === '') return 'Type';
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}
