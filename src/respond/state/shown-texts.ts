import { Generations } from '../../base/generations.ts';
import { parseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { PathParameters } from '../../contract/routes.ts';
import { type CollectionOfCall, identityOf } from '../../resources/collections.ts';
import type { Meaning } from '../../resources/meaning.ts';
import type { Stored } from '../../state/store.ts';

/** The JSON of a resource in one media type of an operation. */
interface ShownText {
  readonly meaning: Meaning;
  readonly content: Content;
  /** See {@link completionOf}; undefined for a resource that is shown as it is stored. */
  readonly completion: string | undefined;
  readonly text: string;
  readonly next: ShownText | undefined;
}

type StoredText = Pick<Stored, 'key' | 'text'>;

/** The parts of a request that decide how it shows a resource. */
interface Showing extends CollectionOfCall {
  readonly meaning: Meaning;
  readonly pathParameters: PathParameters;
}

/** The size of one generation, with {@link ENTRY} for each text. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
const ENTRY = 100;

/**
 * The texts that resources were shown by, so that the next response that shows one neither parses,
 * completes, checks nor writes it. A text is found by what decides it: the operation, the media type,
 * the text of the store, and what generated members depend on. So none is ever wrong, and the ones
 * that were used longest ago go.
 */
export class ShownTexts {
  readonly #shown = new Generations<string, ShownText>(MOST_CHARACTERS);

  /** @param stored where the store keeps no text, nothing is found */
  find(stored: StoredText, request: Showing, content: Content): string | undefined {
    const { text } = stored;
    if (text === undefined) return undefined;
    const recent = search(this.#shown.recent.get(text), stored, request, content);
    if (recent !== undefined) return recent.text;
    const older = search(this.#shown.older.get(text), stored, request, content);
    if (older !== undefined) this.#add(text, older);
    return older?.text;
  }

  /**
   * Returns the text of a value that conforms, and keeps it where the store keeps one.
   *
   * @param isAsStored false for a resource that was completed, for its key in its session
   */
  write(
    stored: StoredText,
    request: Showing,
    content: Content,
    value: JsonValue,
    isAsStored: boolean,
  ): string {
    const written = stringifyJson(value);
    const { text: own } = stored;
    if (own === undefined) return written;
    // Mostly a resource is shown as it is: then both share their characters.
    const text = own.startsWith(written) ? own.slice(0, written.length) : written;
    const completion = isAsStored ? undefined : completionOf(request, stored);
    this.#add(own, { meaning: request.meaning, content, completion, text });
    return text;
  }

  #add(stored: string, { meaning, content, completion, text }: Omit<ShownText, 'next'>): void {
    const size = stored.length + text.length + (completion?.length ?? 0) + ENTRY;
    this.#shown.makeRoom(size);
    const { recent } = this.#shown;
    const next = recent.get(stored);
    recent.set(stored, { meaning, content, completion, text, next });
  }
}

/** The last text of an operation and a media type is the only one that is looked at. */
function search(
  first: ShownText | undefined,
  stored: StoredText,
  request: Showing,
  content: Content,
): ShownText | undefined {
  for (let one = first; one !== undefined; one = one.next) {
    if (one.content !== content || one.meaning !== request.meaning) continue;
    const { completion } = one;
    if (completion === undefined || completion === completionOf(request, stored)) return one;
    return undefined;
  }
  return undefined;
}

/** Returns a text that is the same where the same members complete a resource. */
function completionOf(request: Showing, { key }: StoredText): string {
  return [identityOf(request, key), ...request.pathParameters.values()].join('\n');
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
