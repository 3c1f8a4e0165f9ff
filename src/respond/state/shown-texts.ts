import { parseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { Meaning } from '../../resources/meaning.ts';

/** The JSON of a resource in one media type of an operation. */
interface ShownText {
  readonly meaning: Meaning;
  readonly content: Content;
  readonly text: string;
  readonly next: ShownText | undefined;
}

/** As many are kept at least, and twice as many at most; with {@link ENTRY} for each. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const ENTRY = 100;

/**
 * The texts that resources were shown by, so that the next response that shows one neither parses,
 * checks nor writes it. A text is found by what decides it: the operation, the media type and the
 * text of the store. So none is ever wrong, and the ones that were used longest ago go.
 */
export class ShownTexts {
  #recent = new Map<string, ShownText>();
  #older: ReadonlyMap<string, ShownText> = new Map();
  #characters = 0;

  /** @param stored the text of the store */
  find(stored: string, meaning: Meaning, content: Content): string | undefined {
    const recent = search(this.#recent.get(stored), meaning, content);
    if (recent !== undefined) return recent;
    const older = search(this.#older.get(stored), meaning, content);
    if (older !== undefined) this.#add(stored, meaning, content, older);
    return older;
  }

  /** Returns the text of a value that conforms, and keeps it. */
  write(stored: string, meaning: Meaning, content: Content, value: JsonValue): string {
    const written = stringifyJson(value);
    // Mostly a resource is shown as it is: then both share their characters.
    const text = stored.startsWith(written) ? stored.slice(0, written.length) : written;
    this.#add(stored, meaning, content, text);
    return text;
  }

  #add(stored: string, meaning: Meaning, content: Content, text: string): void {
    this.#characters += stored.length + text.length + ENTRY;
    if (this.#characters > MOST_CHARACTERS) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#characters = stored.length + text.length + ENTRY;
    }
    this.#recent.set(stored, { meaning, content, text, next: this.#recent.get(stored) });
  }
}

function search(first: ShownText | undefined, meaning: Meaning, content: Content) {
  for (let one = first; one !== undefined; one = one.next) {
    if (one.content === content && one.meaning === meaning) return one.text;
  }
  return undefined;
}

/** A body that conforms, of which the text is known. */
export class WrittenBody {
  readonly kind = 'value';
  readonly isConforming = true;
  readonly content: Content;
  readonly text: string;

  constructor(content: Content, text: string) {
    this.content = content;
    this.text = text;
  }

  get value(): JsonValue {
    return parseJson(this.text);
  }
}
