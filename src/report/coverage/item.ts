import type { JsonValue } from '../../base/json/value.ts';
import type { CoverageGroup } from '../../client/reports.ts';
import type { Content } from '../../contract/content.ts';
import type { Operation } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/parameters.ts';
import type { SecurityScheme } from '../../contract/security.ts';
import type { Fault } from '../../delivery/transmission.ts';
import type { Place } from '../../document/place.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';

/** Something in the document that a client uses or not. */
export interface CoverageItem {
  readonly group: CoverageGroup;
  /** Unique in its part and group: `429`, `query limit omitted`. */
  readonly name: string;
  readonly place: Place;
  readonly use: Use;
}

/** What a test does to use an item. */
export type Use =
  | { readonly kind: 'fail'; readonly status: number }
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'break'; readonly fault: Fault }
  | { readonly kind: 'delay' }
  | { readonly kind: 'credential'; readonly scheme: string }
  | { readonly kind: 'request'; readonly request: Wish };

/** What a request must have, besides what the operation requires. */
export interface Wish {
  readonly parameter?: Parameter;
  /** A body of this media type. */
  readonly content?: Content;
  /** The place in the body that has a value: members, and `*` for an item. */
  readonly path?: readonly string[];
  /** The schema or the value there; the schema of that place if it is left out. */
  readonly schema?: SchemaNode;
  readonly value?: JsonValue;
  readonly accept?: string;
  readonly schemes?: readonly SecurityScheme[];
}

/** What a request needs that only calls its operation. */
export const NO_WISH: Wish = Object.freeze({});

/** The items of one operation, or those of the document as a whole. */
export abstract class CoveragePart {
  abstract readonly name: string;
  /** Undefined for the document. */
  abstract readonly operation: Operation | undefined;
  readonly items: CoverageItem[] = [];
  /** The names of the items, each with its group. */
  readonly keys: string[] = [];
  readonly #indexes = new Map<string, number>();

  /** Returns the index of the item; one of the same group and name is not added again. */
  add(item: CoverageItem): number {
    const key = `${item.group} ${item.name}`;
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.items.length);
    this.keys.push(key);
    return this.items.push(item) - 1;
  }

  addRequest(group: CoverageGroup, name: string, place: Place, request: Wish): number {
    return this.add({ group, name, place, use: { kind: 'request', request } });
  }
}
