import { type Fields, readPackedFields, type WireRequest } from '../http/message.ts';
import { flatten } from './flatten.ts';
import { keepBytes } from './keep-bytes.ts';

/** Longer bodies are kept as the bytes that they came in. */
const LONGEST_TEXT = 4096;

/**
 * A request in as few objects as can be: what is kept of a thousand requests is carried over by each
 * collection of garbage, at a price by the object. Fields and body are taken apart again when
 * somebody asks for them, which for most requests nobody does.
 */
export class KeptRequest implements WireRequest {
  readonly method: string;
  readonly target: string;
  readonly #fields: string;
  /** A text of Latin-1 is one object, its characters the bytes. */
  readonly #body: string | Uint8Array;

  /** @param maximumLength bytes of the body that are kept */
  constructor({ method, target, fields }: WireRequest, body: Uint8Array, maximumLength: number) {
    this.method = method;
    this.target = target;
    this.#fields = flatten(fields.pack());
    const length = Math.min(body.length, maximumLength);
    this.#body = length > LONGEST_TEXT ? keepBytes(body, length) : toLatin1(body, length);
  }

  /** What it takes beside its objects. */
  get bytes(): number {
    return this.method.length + this.target.length + this.#fields.length + this.#body.length;
  }

  get fields(): Fields {
    return readPackedFields(this.#fields);
  }

  get body(): Uint8Array {
    return typeof this.#body === 'string' ? Buffer.from(this.#body, 'latin1') : this.#body;
  }
}

function toLatin1(body: Uint8Array, length: number): string {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, length);
  return bytes.toString('latin1', 0, length);
}
