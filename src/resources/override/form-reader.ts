import { toPointer } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Diagnostic } from '../../document/diagnostic.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { describeValue } from '../../schema/violations.ts';

/** Reads an object. A member of the wrong form is recorded, and read as if it were missing. */
export class FormReader {
  readonly pointer: string;
  readonly #file: SourceDocument;
  readonly #object: JsonObject;
  readonly #diagnostics: Diagnostic[];
  readonly #known = new Set<string>();
  readonly report = (message: string, remedy?: string): void => {
    this.#diagnostics.push(this.#file.diagnose('error', this.pointer, message, remedy));
  };

  constructor(file: SourceDocument, pointer: string, value: JsonValue, diagnostics: Diagnostic[]) {
    this.#file = file;
    this.pointer = pointer;
    this.#diagnostics = diagnostics;
    this.#object = isJsonObject(value) ? value : {};
    if (!isJsonObject(value))
      this.note(undefined, `must be an object, got ${describeValue(value)}`);
  }

  any(name: string): JsonValue | undefined {
    this.#known.add(name);
    return getMember(this.#object, name);
  }

  /** Returns a string that is not empty. */
  text(name: string): string | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return this.#expect(name, 'a string', value);
    return /./.test(value) ? value : this.#expect(name, 'a string that matches .', value);
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    const choice = choices.find((one) => one === value);
    return choice ?? this.#expect(name, `one of ${choices.join(', ')}`, value);
  }

  flag(name: string): boolean | undefined {
    const value = this.any(name);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.#expect(name, 'true or false', value);
  }

  texts(name: string): Readonly<Record<string, string>> | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) return this.#expect(name, 'an object of strings', value);
    const texts: Record<string, string> = {};
    for (const [key, text] of Object.entries(value)) {
      if (typeof text === 'string') texts[key] = text;
      else this.#expect(`${name}${toPointer([key])}`, 'a string', text);
    }
    return texts;
  }

  /** Returns a reader of an object; of an empty one if it is missing. */
  object(name: string): FormReader {
    const value = this.any(name);
    const object = value === undefined ? {} : value;
    return new FormReader(this.#file, this.#pointerOf(name), object, this.#diagnostics);
  }

  /** Returns all members of an object whose names are chosen by the author, each with a reader for the case that it is an object. */
  members() {
    return Object.entries(this.#object).map(([name, value]) => {
      this.#known.add(name);
      const pointer = this.pointer + toPointer([name]);
      const read = () => new FormReader(this.#file, pointer, value, this.#diagnostics);
      return { name, value, read };
    });
  }

  refuseOthers(): void {
    for (const name of Object.keys(this.#object)) {
      if (this.#known.has(name)) continue;
      this.#diagnostics.push({
        ...this.#file.diagnose('error', this.#pointerOf(name), `"${name}" is not known here`),
        position: this.#file.locate(this.#pointerOf(name), 'key'),
        remedy: `Known here: ${[...this.#known].join(', ')}.`,
      });
    }
  }

  /** Records an error of a member, or of the object itself. */
  note(name: string | undefined, message: string): void {
    const pointer = name === undefined ? this.pointer : this.#pointerOf(name);
    const subject = (name ?? this.pointer.split('/').at(-1)) || 'the file';
    this.#diagnostics.push(this.#file.diagnose('error', pointer, `${subject} ${message}`));
  }

  #pointerOf(name: string): string {
    return name.includes('/') ? `${this.pointer}/${name}` : this.pointer + toPointer([name]);
  }

  #expect(name: string, expected: string, value: JsonValue): undefined {
    this.note(name, `must be ${expected}, got ${describeValue(value)}`);
  }
}
