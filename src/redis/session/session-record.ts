import { type ValidationLevel, validationLevels } from '../../request/validate.ts';
import type { AddedName, FixturesChanges } from '../../rules/session-fixtures.ts';
import type { ClockState } from '../../session/clock.ts';
import type { SessionSnapshot } from '../../session/session.ts';
import { type Guard, type Guarded, is, parseAs } from '../stored-data.ts';
import { nameField, readTurnMemory, writeCounter } from '../turns.ts';

/** The part of a session that every request needs: small, and it seldom changes. */
export interface SessionRecord {
  readonly seed: string;
  readonly clock: ClockState;
  readonly validate: ValidationLevel | undefined;
  readonly fixtures: FixturesChanges;
}

const isFiniteOrNull: Guard<number | null> = (value): value is number | null =>
  value === null || is.finite(value);

const hasFixtureMembers = is.object({
  // Each file once, though it may have a thousand rules.
  files: is.list(is.tuple(is.text, is.text)),
  // The name of a rule, and the index of its file.
  added: is.list(is.tuple(is.text, is.count)),
  removed: is.list(is.text),
  switches: is.list(is.tuple(is.text, is.flag)),
});
type WrittenFixtures = Guarded<typeof hasFixtureMembers>;
const isWrittenFixtures: Guard<WrittenFixtures> = (value): value is WrittenFixtures =>
  hasFixtureMembers(value) && value.added.every(([, file]) => file < value.files.length);
const isValidationLevel: Guard<ValidationLevel> = (value): value is ValidationLevel =>
  validationLevels.some((level) => level === value);
// Texts and ordinary numbers only, all of them written here: `JSON.stringify` is exact.
const recordMembers = {
  seed: is.text,
  // The offset, and when it was frozen.
  clock: is.tuple(is.finite, isFiniteOrNull),
  validate: is.optional(isValidationLevel),
  fixtures: is.optional(isWrittenFixtures),
};
const isWrittenRecord = is.object(recordMembers);
type WrittenRecord = Guarded<typeof isWrittenRecord>;
const isWrittenSnapshot = is.object({
  ...recordMembers,
  calls: is.count,
  takenAt: is.finite,
  // Rule, key and counter.
  counters: is.list(is.tuple(is.text, is.text, is.text)),
  // Name and state.
  scenarios: is.list(is.tuple(is.text, is.text)),
});

const NO_CHANGES: FixturesChanges = Object.freeze({ added: [], removed: [], switches: new Map() });

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
  const written: Guarded<typeof isWrittenSnapshot> = {
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

function toWritten({ seed, clock, validate, fixtures }: SessionRecord): WrittenRecord {
  const { added, removed, switches } = fixtures;
  const isPlain = added.length + removed.length + switches.size === 0;
  return {
    seed,
    clock: [clock.offset, clock.frozenAt ?? null],
    validate,
    fixtures: isPlain ? undefined : writeFixtures(fixtures),
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

function fromWritten(written: WrittenRecord): SessionRecord {
  const { seed, validate, fixtures } = written;
  const [offset, frozenAt] = written.clock;
  const clock = { offset, frozenAt: frozenAt ?? undefined };
  const changes = fixtures === undefined ? NO_CHANGES : readFixtures(fixtures);
  return { seed, clock, validate, fixtures: changes };
}

function readFixtures({ files, added, removed, switches }: WrittenFixtures): FixturesChanges {
  const read = files.map(([file, text]) => ({ file, text }));
  const names = added.flatMap(([name, index]): AddedName[] => {
    const file = read[index];
    return file === undefined ? [] : [{ name, file }];
  });
  return { added: names, removed, switches: new Map(switches) };
}
