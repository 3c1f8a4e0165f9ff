import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { SourceDocument } from '../document/source-document.ts';
import type { Direction } from './message-direction.ts';
import { findAbsentProperties } from './message-direction.ts';
import { collectParts } from './schema-parts.ts';

/** Leaves out of a value what its message does not carry; gives the same value where that is nothing. */
export type Withholding = (value: JsonValue) => JsonValue;

/**
 * Compiles a schema to what leaves `readOnly` properties out of requests and `writeOnly` ones out
 * of answers (OAS 3.1 §4.8.24.2), at all depths.
 *
 * @param pointer of the schema; undefined for none
 */
export function compileWithholding(
  document: SourceDocument,
  pointer: string | undefined,
  direction: Direction,
): Withholding {
  if (pointer === undefined) return keep;
  const nodes = new Nodes(document, direction);
  const root = nodes.of([pointer]);
  return nodes.isIdle(root) ? keep : (value) => withhold(value, root);
}

/** What the schemas of one place of the instance say. */
interface Node {
  readonly absent: ReadonlySet<string>;
  readonly members: ReadonlyMap<string, Node>;
  readonly others: Node | undefined;
  readonly items: Node | undefined;
}

/** A larger schema is not searched whole for whether there is anything to leave out. */
const MOST_SEARCHED = 2000;

class Nodes {
  readonly #document: SourceDocument;
  readonly #direction: Direction;
  readonly #known = new Map<string, Node>();

  constructor(document: SourceDocument, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
  }

  of(pointers: readonly string[]): Node {
    const key = pointers.join(' ');
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    // Its parts are looked at when they are come to: that is what ends the recursion.
    let read: Node | undefined;
    const parts = (): Node => {
      read ??= this.#read(pointers);
      return read;
    };
    const node: Node = {
      get absent() {
        return parts().absent;
      },
      get members() {
        return parts().members;
      },
      get others() {
        return parts().others;
      },
      get items() {
        return parts().items;
      },
    };
    this.#known.set(key, node);
    return node;
  }

  /** True when nothing is left out anywhere below. */
  isIdle(root: Node): boolean {
    const found = new Set([root]);
    for (const node of found) {
      if (node.absent.size > 0 || found.size > MOST_SEARCHED) return false;
      for (const next of [...node.members.values(), node.others, node.items]) {
        if (next !== undefined) found.add(next);
      }
    }
    return true;
  }

  #read(pointers: readonly string[]): Node {
    const parts = collectParts(this.#document, pointers);
    const absent = pointers.flatMap((pointer) => [
      ...findAbsentProperties(this.#document, pointer, this.#direction),
    ]);
    const nodeOf = (places: readonly string[]) => (places.length > 0 ? this.of(places) : undefined);
    return {
      absent: new Set(absent),
      members: new Map([...parts.properties].map(([name, places]) => [name, this.of(places)])),
      others: nodeOf([...parts.patterns.map(([, at]) => at), ...parts.additional]),
      items: nodeOf([...parts.items, ...parts.prefixItems.flat()]),
    };
  }
}

function withhold(value: JsonValue, node: Node): JsonValue {
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined ? value : value.map((item) => withhold(item, items));
  }
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    if (node.absent.has(name)) continue;
    const next = node.members.get(name) ?? node.others;
    setMember(kept, name, next === undefined ? member : withhold(member, next));
  }
  return kept;
}

function keep(value: JsonValue): JsonValue {
  return value;
}
