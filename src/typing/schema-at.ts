import type { JsonObject } from '../base/json/value.ts';
import type { Place } from '../document/place.ts';
import type { Direction } from '../schema/message-direction.ts';

/** Which way the message goes, and what is being written around the schema. */
export interface Way {
  readonly direction: Direction;
  /**
   * The schemas around this one that describe the same value: first the one whose declaration is
   * written, then those written out in it. A type must not lead back to itself so.
   */
  readonly chain: readonly Place[];
}

/** A schema, its keywords, and the way to it. */
export interface SchemaAt {
  readonly schema: JsonObject;
  readonly pointer: Place;
  readonly way: Way;
}

/** Where the types of a schema's parts come from. */
export interface TypeSource {
  /** @returns the type of the values that the schema at a place describes */
  typeAt(pointer: Place, way: Way): string;
  /** @returns what a schema says of itself to a reader; empty for nothing */
  describe(pointer: Place): string;
}
