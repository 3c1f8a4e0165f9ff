import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Violation } from '../../base/problem.ts';
import type { Contract } from '../../contract/contract.ts';
import { SINGLETON_KEY } from '../collections.ts';
import type { ResourceType } from '../resource.ts';
import { checkResource } from './check-resource.ts';
import { FreeNumbers, giveKey } from './make-key.ts';
import { readEntry, type SeedEntry } from './seed-entry.ts';

/** Resources by their keys, in order, and the reasons why others were not accepted. */
export type Arranged = ReturnType<typeof arrange>;

export interface KnownKeys {
  /** A new resource must not have one of these. */
  readonly taken: Keys;
  /** A new resource may replace one of these, but no key is created that equals one. */
  readonly used: Keys;
}

type Keys = Pick<ReadonlySet<string>, 'has'>;

const NO_KEYS: KnownKeys = Object.freeze({ taken: new Set(), used: new Set() });

export function givenKeys(value: JsonValue, type: ResourceType): ReadonlySet<string> {
  const items = itemsOf(value, type, '');
  return new Set(items.flatMap(([item]) => readEntry(item, type).key ?? []));
}

/** Returns true if a resource has no key, so that one must be created. */
export function lacksKeys(value: JsonValue, type: ResourceType): boolean {
  const items = type.kind === 'singleton' ? [] : itemsOf(value, type, '');
  return items.some(([item]) => readEntry(item, type).key === undefined);
}

/**
 * Reads a list of resources, or one singleton. A resource gets a key if the service would create
 * it.
 *
 * @param pointer of the value in its body or file
 * @param known keys that exist already
 */
export function arrange(
  value: JsonValue,
  type: ResourceType,
  contract: Contract,
  pointer: string,
  known: KnownKeys = NO_KEYS,
) {
  const entries = new Map<string, JsonObject>();
  const violations: Violation[] = [];
  const repeated: { readonly key: string; readonly pointer: string }[] = [];
  const given = givenKeys(value, type);
  const numbers = new FreeNumbers(
    (key) => entries.has(key) || given.has(key) || known.taken.has(key) || known.used.has(key),
  );
  for (const [item, at] of itemsOf(value, type, pointer)) {
    const entry = readEntry(item, type);
    const check = (one: JsonValue) => checkResource(contract, type, one, at + entry.pointer);
    const wrong = check(entry.value);
    const kept = keep(entry, type, numbers, check, wrong.length === 0);
    if (kept === undefined) violations.push(...wrong);
    else if (entries.has(kept.key) || known.taken.has(kept.key))
      repeated.push({ key: kept.key, pointer: at });
    else entries.set(kept.key, kept.resource);
  }
  // Repeated are the keys and pointers of entries with a key that an earlier entry has.
  return { entries, violations, repeated };
}

/** Returns an entry with its key, which is made if it has none; undefined if it is not accepted. */
function keep(
  { key, value }: SeedEntry,
  type: ResourceType,
  numbers: FreeNumbers,
  check: (one: JsonValue) => readonly Violation[],
  isValid: boolean,
): { readonly key: string; readonly resource: JsonObject } | undefined {
  const isOne = type.kind === 'singleton';
  if (!isJsonObject(value)) return undefined;
  if (key !== undefined || isOne) {
    return isValid ? { key: isOne ? SINGLETON_KEY : (key ?? ''), resource: value } : undefined;
  }
  // The service does not create a key that the client must give.
  const isMade = type.serverSet.some(({ role }) => role.value === 'key');
  if (!isValid && !isMade) return undefined;
  const keyed = giveKey(type, value, numbers, check);
  return isValid || keyed.isMade ? keyed : undefined;
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
