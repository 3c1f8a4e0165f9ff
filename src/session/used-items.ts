/** A part of the document whose items requests use, such as an operation. */
export interface UsablePart {
  /** Stays the same when the document is read again. */
  readonly name: string;
  /** A unique name for each item. */
  readonly keys: readonly string[];
}

export class UsedMarks {
  readonly part: UsablePart;
  readonly #marks: Uint8Array;
  /** True if an item was added since it was last set to false. */
  isNew = false;

  constructor(part: UsablePart) {
    this.part = part;
    this.#marks = new Uint8Array(part.keys.length);
  }

  /** @param index of the item; no item has -1 */
  add(index: number): void {
    if (this.#marks[index] !== 0) return;
    this.#marks[index] = 1;
    this.isNew = true;
  }

  has(index: number): boolean {
    return this.#marks[index] === 1;
  }

  addAll(others: UsedMarks): void {
    for (let index = 0; index < this.#marks.length; index++) {
      if (others.has(index)) this.add(index);
    }
  }

  /** Adds the items that an earlier reading of the part has under the same keys. */
  takeOver(earlier: UsedMarks): void {
    const used = new Set(earlier.part.keys.filter((_, index) => earlier.has(index)));
    for (const [index, key] of this.part.keys.entries()) if (used.has(key)) this.add(index);
  }
}

/** The items of the document that requests have used. */
export class UsedItems {
  readonly #marks = new Map<string, UsedMarks>();

  /** Returns the marks of a part, to add to. */
  of(part: UsablePart): UsedMarks {
    const known = this.#marks.get(part.name);
    if (known?.part === part) return known;
    const marks = this.read(part);
    this.#marks.set(part.name, marks);
    return marks;
  }

  /** Returns the marks of a part; those of one that nobody has used are not kept. */
  read(part: UsablePart): UsedMarks {
    const known = this.#marks.get(part.name);
    if (known?.part === part) return known;
    const marks = new UsedMarks(part);
    if (known !== undefined) marks.takeOver(known);
    return marks;
  }

  clear(): void {
    this.#marks.clear();
  }
}
