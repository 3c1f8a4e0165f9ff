import { createRequire } from 'node:module';
import type { Event } from 'js-yaml';
import { type Member, Positions } from './positions.ts';
import { parseYamlEvents } from './yaml.ts';

type Yaml = typeof import('js-yaml');

const require = createRequire(import.meta.url);

/** @param text legal YAML */
export function positionsInYaml(text: string): Positions {
  const tree = new EventTree(require('js-yaml') as Yaml, text);
  return new Positions(text, tree.start, (offset) => tree.readMembers(offset));
}

/** Reads the parser's events, which are in the order of the text, as a tree. */
class EventTree {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #events: readonly Event[];
  /** The index of the event that closes each event; its own for an empty one. */
  readonly #ends: Int32Array;
  /** Indexes of the events that were reached, by offset. */
  readonly #indexes = new Map<number, number>();
  /** Offset of the whole value. */
  readonly start: number;

  constructor(yaml: Yaml, text: string) {
    this.#yaml = yaml;
    this.#text = text;
    this.#events = parseYamlEvents(text);
    this.#ends = findEnds(this.#events, yaml.EVENT_ID);
    // The event before the root is that of the document.
    this.start = Math.max(0, this.#startOf(1));
    this.#indexes.set(this.start, 1);
  }

  readMembers(offset: number): ReadonlyMap<string, Member> | undefined {
    const { MAPPING, SEQUENCE } = this.#yaml.EVENT_ID;
    const index = this.#indexes.get(offset) ?? 0;
    switch (this.#events[index]?.type) {
      case MAPPING:
        return this.#readPairs(index);
      case SEQUENCE:
        return this.#readItems(index);
      default:
        return undefined;
    }
  }

  #readPairs(index: number): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    for (let key = index + 1; key < this.#endOf(index); ) {
      const value = this.#endOf(key) + 1;
      members.set(this.#nameOf(key), this.#come(key, value));
      key = this.#endOf(value) + 1;
    }
    return members;
  }

  #readItems(index: number): ReadonlyMap<string, Member> {
    const members = new Map<string, Member>();
    for (let item = index + 1; item < this.#endOf(index); item = this.#endOf(item) + 1) {
      members.set(String(members.size), this.#come(item, item));
    }
    return members;
  }

  /** Returns the offset of a value; that of its name where it is left out. */
  #come(key: number, value: number): Member {
    const start = this.#startOf(value);
    const member = { key: this.#startOf(key), value: start < 0 ? this.#startOf(key) : start };
    this.#indexes.set(member.value, value);
    return member;
  }

  #endOf(index: number): number {
    return this.#ends[index] ?? index;
  }

  #nameOf(index: number): string {
    const event = this.#events[index];
    const isScalar = event?.type === this.#yaml.EVENT_ID.SCALAR;
    return isScalar ? this.#yaml.getScalarValue(this.#text, event) : '';
  }

  #startOf(index: number): number {
    const event = this.#events[index];
    if (event === undefined) return -1;
    if ('valueStart' in event) {
      const { SINGLE_QUOTED, DOUBLE_QUOTED } = this.#yaml.SCALAR_STYLE;
      const isQuoted = event.style === SINGLE_QUOTED || event.style === DOUBLE_QUOTED;
      return isQuoted ? event.valueStart - 1 : event.valueStart;
    }
    if ('start' in event) return event.start;
    return 'anchorStart' in event ? event.anchorStart : -1;
  }
}

function findEnds(events: readonly Event[], { SCALAR, ALIAS, POP }: Yaml['EVENT_ID']): Int32Array {
  const ends = new Int32Array(events.length);
  const open: number[] = [];
  for (const [index, { type }] of events.entries()) {
    ends[index] = index;
    if (type === POP) ends[open.pop() ?? 0] = index;
    else if (type !== SCALAR && type !== ALIAS) open.push(index);
  }
  return ends;
}
