import type { AddedName, FixturesChanges, FixturesSnapshot } from '../../rules/session-fixtures.ts';
import type { TurnMemory } from '../../rules/turn/turn.ts';
import type { ClockState } from '../../session/clock.ts';
import type { SessionSnapshot } from '../../session/session.ts';
import { readCounter, writeCounter } from '../counter-text.ts';

/** What of a session every request needs to know: small, and seldom another. */
export interface SessionRecord {
  readonly seed: string;
  readonly clock: ClockState;
  readonly fixtures: FixturesChanges;
}

/** Nothing but texts and ordinary numbers, all of it written here: JSON's own functions suffice. */
interface WrittenRecord {
  readonly seed: string;
  readonly clock: WrittenClock;
  readonly fixtures?: WrittenFixtures;
}

type WrittenClock = readonly [offset: number, frozenAt: number | null];

interface WrittenFixtures {
  /** Each once, though it may have a thousand rules. */
  readonly files: readonly (readonly [file: string, text: string])[];
  readonly added: readonly (readonly [name: string, file: number])[];
  readonly removed: readonly string[];
  readonly switches: readonly (readonly [name: string, isOn: boolean])[];
}

interface WrittenSnapshot extends WrittenRecord {
  readonly calls: number;
  readonly takenAt: number;
  readonly counters: readonly (readonly [rule: string, key: string, counter: string])[];
  readonly scenarios: readonly (readonly [name: string, state: string])[];
}

const NO_CHANGES: FixturesChanges = Object.freeze({
  added: [],
  removed: [],
  switches: new Map(),
});

export function writeRecord(record: SessionRecord): string {
  return JSON.stringify(toWritten(record));
}

export function readRecord(text: string): SessionRecord {
  return fromWritten(JSON.parse(text) as WrittenRecord);
}

export function writeSnapshot(snapshot: SessionSnapshot): string {
  const { counters, scenarios } = snapshot.fixtures.memory;
  const written: WrittenSnapshot = {
    ...toWritten(snapshot),
    calls: snapshot.calls,
    takenAt: snapshot.takenAt,
    counters: [...counters].flatMap(([rule, byKey]) =>
      [...byKey].map(([key, counter]) => [rule, key, writeCounter(counter)] as const),
    ),
    scenarios: [...scenarios],
  };
  return JSON.stringify(written);
}

export function readSnapshot(text: string): SessionSnapshot {
  const written = JSON.parse(text) as WrittenSnapshot;
  const { seed, clock, fixtures } = fromWritten(written);
  const memory: TurnMemory = { counters: new Map(), scenarios: new Map(written.scenarios) };
  for (const [rule, key, counter] of written.counters) {
    const byKey = memory.counters.get(rule) ?? new Map();
    memory.counters.set(rule, byKey.set(key, readCounter(counter)));
  }
  const held: FixturesSnapshot = { ...fixtures, memory };
  return { seed, clock, fixtures: held, calls: written.calls, takenAt: written.takenAt };
}

function toWritten({ seed, clock, fixtures }: SessionRecord): WrittenRecord {
  const { added, removed, switches } = fixtures;
  const isPlain = added.length + removed.length + switches.size === 0;
  return {
    seed,
    clock: [clock.offset, clock.frozenAt ?? null],
    ...(!isPlain && { fixtures: writeFixtures(fixtures) }),
  };
}

function writeFixtures({ added, removed, switches }: FixturesChanges): WrittenFixtures {
  const files = [...new Set(added.map(({ file }) => file))];
  const places = new Map(files.map((file, index) => [file, index]));
  return {
    files: files.map(({ file, text }) => [file, text]),
    added: added.map(({ name, file }) => [name, places.get(file) ?? 0]),
    removed,
    switches: [...switches],
  };
}

function fromWritten({ seed, clock: [offset, frozenAt], fixtures }: WrittenRecord): SessionRecord {
  const clock = { offset, frozenAt: frozenAt ?? undefined };
  return { seed, clock, fixtures: fixtures === undefined ? NO_CHANGES : readFixtures(fixtures) };
}

function readFixtures({ files, added, removed, switches }: WrittenFixtures): FixturesChanges {
  const read = files.map(([file, text]) => ({ file, text }));
  const names = added.flatMap(([name, index]): AddedName[] => {
    const file = read[index];
    return file === undefined ? [] : [{ name, file }];
  });
  return { added: names, removed, switches: new Map(switches) };
}
