import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import type { Contract } from '../../contract/contract.ts';
import { SINGLETON_KEY } from '../collections.ts';
import type { ResourceType } from '../resource.ts';
import { checkResource } from './check-resource.ts';
import { FreeNumbers, giveKey } from './make-key.ts';
import { readEntry, type SeedEntry } from './seed-entry.ts';

/** Resources by their keys, in their order; and why some of those given are not among them. */
export interface Arranged {
  readonly entries: ReadonlyMap<string, JsonObject>;
  readonly violations: readonly Violation[];
  /** Those whose key one before them has. */
  readonly repeated: readonly RepeatedKey[];
}

/** An entry with a key that is taken. */
interface RepeatedKey {
  readonly key: string;
  /** Of the entry. */
  readonly pointer: string;
}

/** Keys of the same place. */
export interface KnownKeys {
  /** They must not come again. */
  readonly taken: Keys;
  /** They may come again, but nothing else is given one of them. */
  readonly used: Keys;
}

type Keys = Pick<ReadonlySet<string>, 'has'>;

const NO_KEYS: KnownKeys = Object.freeze({ taken: new Set(), used: new Set() });

/** @returns the keys that the resources of a value say themselves */
export function givenKeys(value: JsonValue, type: ResourceType): ReadonlySet<string> {
  const items = itemsOf(value, type, '');
  return new Set(items.flatMap(([item]) => readEntry(item, type).key ?? []));
}

/** True where something of a value needs a key to be made. */
export function lacksKeys(value: JsonValue, type: ResourceType): boolean {
  const items = type.kind === 'singleton' ? [] : itemsOf(value, type, '');
  return items.some(([item]) => readEntry(item, type).key === undefined);
}

/**
 * Reads what is to be kept of a resource: a list, of a singleton the one that there is. One that
 * lacks the key which the service would make gets it.
 *
 * @param pointer of the value in its body or file
 * @param known keys that are there already
 */
export function arrange(
  value: JsonValue,
  type: ResourceType,
  contract: Contract,
  pointer: string,
  known: KnownKeys = NO_KEYS,
): Arranged {
  const entries = new Map<string, JsonObject>();
  const violations: Violation[] = [];
  const repeated: RepeatedKey[] = [];
  const given = givenKeys(value, type);
  const numbers = new FreeNumbers(
    (key) => entries.has(key) || given.has(key) || known.taken.has(key) || known.used.has(key),
  );
  for (const [item, at] of itemsOf(value, type, pointer)) {
    const entry = readEntry(item, type);
    const check = (one: JsonValue) => checkResource(contract, type, one, at + entry.pointer);
    const kept = keep(entry, type, numbers, check);
    if (kept.resource === undefined) violations.push(...kept.violations);
    else if (entries.has(kept.key) || known.taken.has(kept.key))
      repeated.push({ key: kept.key, pointer: at });
    else entries.set(kept.key, kept.resource);
  }
  return { entries, violations, repeated };
}

type Kept =
  | { readonly resource: JsonObject; readonly key: string }
  | { readonly resource: undefined; readonly violations: readonly Violation[] };

function keep(
  { key, value }: SeedEntry,
  type: ResourceType,
  numbers: FreeNumbers,
  check: (one: JsonValue) => readonly Violation[],
): Kept {
  const violations = check(value);
  const isOne = type.kind === 'singleton';
  if (key !== undefined || isOne || !isJsonObject(value)) {
    return violations.length === 0 && isJsonObject(value)
      ? { key: isOne ? SINGLETON_KEY : (key ?? ''), resource: value }
      : { resource: undefined, violations };
  }
  // A key that the client gives is not made up for it.
  const isMade = type.serverSet.some(({ role }) => role.value === 'key');
  if (violations.length > 0 && !isMade) return { resource: undefined, violations };
  const keyed = giveKey(type, value, numbers, check);
  const isKept = violations.length === 0 || keyed.isMade;
  return isKept ? keyed : { resource: undefined, violations };
}

function itemsOf(
  value: JsonValue,
  { kind }: ResourceType,
  pointer: string,
): readonly (readonly [value: JsonValue, pointer: string])[] {
  if (kind === 'singleton') return [[value, pointer]];
  const values = Array.isArray(value) ? value : [];
  return values.map((item, index) => [item, `${pointer}/${index}`]);
}
