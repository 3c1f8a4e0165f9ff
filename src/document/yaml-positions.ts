import { createRequire } from 'node:module';
import type { Event } from 'js-yaml';
import { type Member, Positions } from './positions.ts';

type Yaml = typeof import('js-yaml');

const require = createRequire(import.meta.url);

/** @param text of which it is known that it is YAML */
export function positionsInYaml(text: string): Positions {
  const tree = new EventTree(require('js-yaml') as Yaml, text);
  return new Positions(text, tree.start, (offset) => tree.readMembers(offset));
}

/** The parser's events, which are in the text's order, seen as a tree. */
class EventTree {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #events: readonly Event[];
  /** For each event the index of the one that closes it: its own where it has nothing in it. */
  readonly #ends: Int32Array;
  /** Index of the event that begins at an offset, for those that were come to. */
  readonly #indexes = new Map<number, number>();
  /** Offset of the whole value. */
  readonly start: number;

  constructor(yaml: Yaml, text: string) {
    this.#yaml = yaml;
    this.#text = text;
    this.#events = yaml.parseEvents(text, {});
    this.#ends = findEnds(this.#events, yaml.EVENT_ID);
    // Before the root stands the document that it is the root of.
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

  /** A value that is left out stands nowhere: its name does. */
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

function findEnds(
  events: readonly Event[],
  { DOCUMENT, SEQUENCE, MAPPING, POP }: Yaml['EVENT_ID'],
) {
  const ends = new Int32Array(events.length);
  const open: number[] = [];
  for (const [index, { type }] of events.entries()) {
    ends[index] = index;
    if (type === DOCUMENT || type === SEQUENCE || type === MAPPING) open.push(index);
    else if (type === POP) ends[open.pop() ?? 0] = index;
  }
  return ends;
}
