import type { JsonValue } from '../base/json/value.ts';
import type { Shape } from './shape.ts';
import type { Style } from './style.ts';

/** A parsed Content-Type field (RFC 9110 §8.3.1). */
export interface ContentType {
  /** Lower case. */
  readonly type: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads and writes the values of a media type. */
export interface Codec {
  /** True if a schema can validate the values that it reads. */
  readonly isValidated: boolean;
  /**
   * @param bytes with content codings undone
   * @param deviations gets a sentence for each value that came in another style than its own
   * @throws {Problem} if they do not follow the media type
   */
  decode(bytes: Uint8Array, contentType: ContentType, deviations?: string[]): JsonValue;
  /** @returns the bytes of a value, or a text to send as UTF-8 */
  encode(value: JsonValue): string | Uint8Array;
  /** Writes each item of a sequential media type, in a form that can be sent alone. */
  encodeItems?(value: JsonValue): readonly string[];
  /** True if an empty body is a value: a form without pairs is an empty object. */
  readonly takesNothing?: true;
  /** The parameter of Content-Type that a reader needs. */
  readonly parameter?: string;
}

/** An Encoding Object (OAS 3.1 §4.8.15). */
export interface PropertyEncoding {
  /** Media types or ranges; several are separated by commas. */
  readonly contentType?: string;
  readonly style?: Style;
  readonly explode?: boolean;
  /** Undefined where the document does not say. */
  readonly allowReserved?: boolean;
  /** Lower-case names of the fields that each part must have. */
  readonly requiredHeaders: readonly string[];
}

/** The part of a Media Type Object that a codec needs. */
export interface Description {
  /** The shape of the value; of a sequential media type, of the list of its items. */
  readonly shape: Shape;
  readonly encodings: ReadonlyMap<string, PropertyEncoding>;
  /** The encoding of parts without names whose index is not in `encodings`. */
  readonly itemEncoding: PropertyEncoding | undefined;
  /** The member of an item that is the type of its event, in an event stream. */
  readonly eventName: string | undefined;
  /** The name of the root element in XML, if the schema has none. */
  readonly rootName: string;
}
