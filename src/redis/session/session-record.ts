import type { AddedName, FixturesChanges } from '../../rules/session-fixtures.ts';
import type { ClockState } from '../../session/clock.ts';
import type { SessionSnapshot } from '../../session/session.ts';
import {
  type Guard,
  isCount,
  isFiniteNumber,
  isFlag,
  isListOf,
  isObjectOf,
  isOptional,
  isText,
  isTupleOf,
  parseAs,
} from '../stored-data.ts';
import { nameField, readTurnMemory, writeCounter } from '../turns.ts';

/** The part of a session that every request needs: small, and it seldom changes. */
export interface SessionRecord {
  readonly seed: string;
  readonly clock: ClockState;
  readonly fixtures: FixturesChanges;
}

/** Texts and ordinary numbers only, all of them written here: `JSON.stringify` is exact. */
interface WrittenRecord {
  readonly seed: string;
  readonly clock: WrittenClock;
  readonly fixtures?: WrittenFixtures | undefined;
}

type WrittenClock = readonly [offset: number, frozenAt: number | null];

interface WrittenFixtures {
  /** Each file once, though it may have a thousand rules. */
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

const isFiniteOrNull: Guard<number | null> = (value): value is number | null =>
  value === null || isFiniteNumber(value);

const hasFixtureMembers = isObjectOf<WrittenFixtures>({
  files: isListOf(isTupleOf<readonly [string, string]>(isText, isText)),
  added: isListOf(isTupleOf<readonly [string, number]>(isText, isCount)),
  removed: isListOf(isText),
  switches: isListOf(isTupleOf<readonly [string, boolean]>(isText, isFlag)),
});
const isWrittenFixtures: Guard<WrittenFixtures> = (value): value is WrittenFixtures =>
  hasFixtureMembers(value) && value.added.every(([, file]) => file < value.files.length);
const recordMembers = {
  seed: isText,
  clock: isTupleOf<WrittenClock>(isFiniteNumber, isFiniteOrNull),
  fixtures: isOptional(isWrittenFixtures),
};
const isWrittenRecord = isObjectOf<WrittenRecord>(recordMembers);
const isWrittenSnapshot = isObjectOf<WrittenSnapshot>({
  ...recordMembers,
  calls: isCount,
  takenAt: isFiniteNumber,
  counters: isListOf(isTupleOf<readonly [string, string, string]>(isText, isText, isText)),
  scenarios: isListOf(isTupleOf<readonly [string, string]>(isText, isText)),
});

const NO_CHANGES: FixturesChanges = Object.freeze({
  added: [],
  removed: [],
  switches: new Map(),
});

export function writeRecord(record: SessionRecord): string {
  return JSON.stringify(toWritten(record));
}

/** Returns the record that {@link writeRecord} wrote; undefined for any other text. */
export function readRecord(text: string): SessionRecord | undefined {
  const written = parseAs(text, isWrittenRecord);
  return written && fromWritten(written);
}

export function writeSnapshot(snapshot: SessionSnapshot): string {
  const { memory } = snapshot.fixtures;
  const written: WrittenSnapshot = {
    ...toWritten(snapshot),
    calls: snapshot.calls,
    takenAt: snapshot.takenAt,
    counters: [...memory.counters].flatMap(([rule, byKey]) =>
      [...byKey].map(([key, counter]) => [rule, key, writeCounter(counter)] as const),
    ),
    scenarios: [...memory.scenarios],
  };
  return JSON.stringify(written);
}

/** Returns the snapshot that {@link writeSnapshot} wrote; undefined for any other text. */
export function readSnapshot(text: string): SessionSnapshot | undefined {
  const written = parseAs(text, isWrittenSnapshot);
  if (written === undefined) return undefined;
  const { calls, takenAt, counters, scenarios } = written;
  const fields = counters.map(([rule, key, counter]) => [nameField(rule, key), counter] as const);
  const memory = readTurnMemory(fields, scenarios);
  if (memory === undefined) return undefined;
  const { fixtures, ...rest } = fromWritten(written);
  return { ...rest, fixtures: { ...fixtures, memory }, calls, takenAt };
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
