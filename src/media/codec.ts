import type { JsonValue } from '../base/json/value.ts';
import type { Shape } from './shape.ts';
import type { Style } from './style.ts';

/** A Content-Type field taken apart (RFC 9110 §8.3.1). */
export interface ContentType {
  /** Lower case. */
  readonly type: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** How a media type writes values, and how it is read. */
export interface Codec {
  /** True when what it reads is a value that a schema can judge. */
  readonly isJudged: boolean;
  /**
   * @param bytes with content codings undone
   * @throws {Problem} when they are not of the media type
   */
  decode(bytes: Uint8Array, contentType: ContentType): JsonValue;
  /** @returns the value as it is sent; a text goes out as UTF-8 */
  encode(value: JsonValue): string | Uint8Array;
  /** True where no bytes at all are a value: a form without pairs is an empty object. */
  readonly takesNothing?: true;
  /** What Content-Type must say besides the media type; a parameter that the reader needs. */
  readonly parameter?: string;
}

/** An Encoding Object (OAS 3.1 §4.8.15). */
export interface PropertyEncoding {
  /** Media types or ranges; several are separated by commas. */
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** Lower-case names of fields that each part must have. */
  readonly requiredHeaders: readonly string[];
}

/** What a Media Type Object says besides its name. */
export interface Description {
  /** Of the value; of each item where the media type is a sequence of them. */
  readonly shape: Shape;
  readonly encodings: ReadonlyMap<string, PropertyEncoding>;
  /** Of parts without names that `encodings` does not have by their place. */
  readonly itemEncoding: PropertyEncoding | undefined;
  /** The name that XML gives a value without one of its own. */
  readonly rootName: string;
}
