import { toPointer } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Diagnostic } from '../../document/diagnostic.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { describeValue } from '../../schema/violations.ts';

/** Bounds of a number, both included. */
export interface Bounds {
  readonly from: number;
  readonly to?: number;
}

/** A member of an object whose names are the author's own. */
export interface FormMember {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: string;
  readonly read: () => FormReader;
}

/**
 * Reads the members of one object of a fixture file. What is not of the right form is noted with
 * its place and read as if it were not there, so that all faults of a file are told at once. The
 * published JSON Schema says the same to editors; a test holds the two together.
 */
export class FormReader {
  readonly pointer: string;
  readonly #file: SourceDocument;
  readonly #object: JsonObject;
  readonly #faults: Diagnostic[];
  readonly #known = new Set<string>();

  /** @param faults where faults are noted */
  constructor(file: SourceDocument, pointer: string, value: JsonValue, faults: Diagnostic[]) {
    this.#file = file;
    this.pointer = pointer;
    this.#faults = faults;
    this.#object = isJsonObject(value) ? value : {};
    if (!isJsonObject(value))
      this.note(undefined, `must be an object, got ${describeValue(value)}`);
  }

  has(name: string): boolean {
    return this.any(name) !== undefined;
  }

  /** A JSON Schema: an object, true or false. */
  schema(name: string): JsonObject | boolean | undefined {
    const value = this.any(name);
    if (value === undefined || typeof value === 'boolean' || isJsonObject(value)) return value;
    return this.#complain(name, 'a JSON Schema', value);
  }

  /** A value of any kind. */
  any(name: string): JsonValue | undefined {
    this.#known.add(name);
    return getMember(this.#object, name);
  }

  text(name: string, pattern?: RegExp): string | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.#complain(name, 'a string', value);
    if (pattern?.test(value) === false) {
      return this.#complain(name, `a string that matches ${pattern.source}`, value);
    }
    return value;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    const choice = choices.find((one) => one === value);
    return choice ?? this.#complain(name, `one of ${choices.join(', ')}`, value);
  }

  flag(name: string): boolean | undefined {
    const value = this.any(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#complain(name, 'true or false', value);
  }

  whole(name: string, bounds: Bounds): number | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    const isWhole = typeof value === 'number' && Number.isInteger(value);
    if (isWhole && isWithin(value, bounds)) return value;
    return this.#complain(name, `a whole number ${describeBounds(bounds)}`, value);
  }

  number(name: string, bounds: Bounds): number | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && isWithin(value, bounds)) return value;
    return this.#complain(name, `a number ${describeBounds(bounds)}`, value);
  }

  /** An object of texts, such as header fields. */
  texts(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return this.#complain(name, 'an object of strings', value);
    const texts: Record<string, string> = {};
    for (const [key, text] of Object.entries(value)) {
      if (typeof text === 'string') texts[key] = text;
      else this.#complain(`${name}${toPointer([key])}`, 'a string', text);
    }
    return texts;
  }

  /** An object with members of its own; empty where it is missing. */
  object(name: string): FormReader {
    const value = this.any(name);
    return new FormReader(
      this.#file,
      this.pointerOf(name),
      value === undefined ? {} : value,
      this.#faults,
    );
  }

  /** All members, whatever they are called; each with a reader of it, for where it is an object. */
  members(): readonly FormMember[] {
    return Object.entries(this.#object).map(([name, value]) => {
      this.#known.add(name);
      const pointer = this.pointer + toPointer([name]);
      const read = () => new FormReader(this.#file, pointer, value, this.#faults);
      return { name, value, pointer, read };
    });
  }

  list(name: string): readonly FormReader[] {
    const value = this.any(name);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.#complain(name, 'a list', value) ?? [];
    return value.map(
      (item, index) =>
        new FormReader(this.#file, `${this.pointerOf(name)}/${index}`, item, this.#faults),
    );
  }

  require(name: string): void {
    if (!this.has(name)) this.note(undefined, `must have the member "${name}"`);
  }

  /** Notes members that are known elsewhere, with the reason why they are not taken here. */
  refuse(names: readonly string[], message: string, remedy: string): void {
    for (const name of names) {
      if (getMember(this.#object, name) === undefined) continue;
      this.#known.add(name);
      this.note(name, message, remedy);
    }
  }

  /** To be called when all members have been read: whatever was not asked for is a mistake. */
  refuseOthers(): void {
    for (const name of Object.keys(this.#object)) {
      if (this.#known.has(name)) continue;
      this.#faults.push({
        ...this.#file.diagnose('error', this.pointerOf(name), `"${name}" is not known here`),
        position: this.#file.locate(this.pointerOf(name), 'key'),
        remedy: `Known here: ${[...this.#known].join(', ')}.`,
      });
    }
  }

  /** Notes a fault of a member, or of the object itself. */
  note(name: string | undefined, message: string, remedy?: string): void {
    const pointer = name === undefined ? this.pointer : this.pointerOf(name);
    const what = name ?? this.pointer.split('/').at(-1) ?? '';
    const subject = what === '' ? 'the file' : what;
    this.#faults.push(this.#file.diagnose('error', pointer, `${subject} ${message}`, remedy));
  }

  pointerOf(name: string): string {
    return name.includes('/') ? `${this.pointer}/${name}` : this.pointer + toPointer([name]);
  }

  #complain(name: string, expected: string, value: JsonValue): undefined {
    this.note(name, `must be ${expected}, got ${describeValue(value)}`);
  }
}

function isWithin(value: number, { from, to }: Bounds): boolean {
  return value >= from && value <= (to ?? Number.POSITIVE_INFINITY);
}

function describeBounds({ from, to }: Bounds): string {
  return to === undefined ? `of at least ${from}` : `from ${from} to ${to}`;
}
