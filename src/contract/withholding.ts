import type { SourceDocument } from '../document/source-document.ts';
import { toPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json/value.ts';
import { applicableSchemas } from './applicable-schemas.ts';
import { findAbsentProperties } from './message-direction.ts';
import type { Direction } from './schema-compiler.ts';

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
    const absent = new Set<string>();
    const members = new Map<string, string[]>();
    const others: string[] = [];
    const items: string[] = [];
    for (const pointer of pointers) {
      for (const name of findAbsentProperties(this.#document, pointer, this.#direction)) {
        absent.add(name);
      }
      for (const { value, pointer: at } of applicableSchemas(this.#document, pointer)) {
        for (const name of keysOf(value['properties'])) {
          const place = `${at}/properties${toPointer([name])}`;
          members.set(name, [...(members.get(name) ?? []), place]);
        }
        for (const pattern of keysOf(value['patternProperties'])) {
          others.push(`${at}/patternProperties${toPointer([pattern])}`);
        }
        if (isJsonObject(value['additionalProperties'])) others.push(`${at}/additionalProperties`);
        if (isJsonObject(value['items'])) items.push(`${at}/items`);
        const tuple = value['prefixItems'];
        for (const index of Array.isArray(tuple) ? tuple.keys() : []) {
          items.push(`${at}/prefixItems/${index}`);
        }
      }
    }
    const nodeOf = (places: readonly string[]) => (places.length > 0 ? this.of(places) : undefined);
    return {
      absent,
      members: new Map([...members].map(([name, places]) => [name, this.of(places)])),
      others: nodeOf(others),
      items: nodeOf(items),
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

function keysOf(value: JsonValue | undefined): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function keep(value: JsonValue): JsonValue {
  return value;
}
