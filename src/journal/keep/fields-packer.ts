import type { Fields } from '../../http/message.ts';
import { flatten } from '../redact/flatten.ts';

/** Packs the fields of requests; those of a client are mostly the same, and then are one text. */
export class FieldsPacker {
  #last: Fields | undefined;
  #text = '';

  /** @returns all fields as one text, in one piece */
  pack(fields: Fields): string {
    if (this.#last !== undefined && fields.equals(this.#last)) return this.#text;
    this.#last = fields;
    this.#text = flatten(fields.pack());
    return this.#text;
  }

  /** Lets go of what it remembers. */
  forget(): void {
    this.#last = undefined;
    this.#text = '';
  }
}
