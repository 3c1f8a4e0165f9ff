import { isJsonObject, type JsonObject, type JsonValue, mergeDeep } from '../../base/json/value.ts';
import { groupBy } from '../../base/remember.ts';
import type { Contract } from '../../contract/contract.ts';
import { isShared, keyIn } from '../collections.ts';
import type { Meaning, Resources } from '../meaning.ts';
import type { ResourceType } from '../resource.ts';
import { unwrap, unwrapAlone, valueAt } from '../wrapping.ts';
import { checkResource } from './check-resource.ts';
import { FreeNumbers, giveKey } from './make-key.ts';
import type { Seed } from './seeds.ts';

/** Returns the seeds and the examples, of lists, then of reads. The seeds take precedence. */
export function findExampleSeeds(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
): readonly Seed[] {
  const given = new Map(seeds.map((seed) => [seed.name, seed]));
  const shown = groupShown(resources);
  const added = resources.all
    .filter((type) => type.kind === 'collection' && isShared(type))
    .map((type): Seed => {
      const own = given.get(type.name)?.entries ?? new Map<string, JsonObject>();
      const entries = new Map(own);
      for (const one of (shown.get(type.name) ?? []).flatMap(examplesOf).flat()) {
        addExample(contract, type, one, entries, own);
      }
      return { type, name: type.name, entries };
    })
    .filter(({ name: collection, entries }) => entries.size > 0 || given.has(collection));
  const known = new Set(added.map(({ name: collection }) => collection));
  return [...added, ...seeds.filter(({ name: collection }) => !known.has(collection))];
}

function addExample(
  contract: Contract,
  type: ResourceType,
  example: JsonObject,
  entries: Map<string, JsonObject>,
  own: ReadonlyMap<string, JsonObject> = new Map(),
): void {
  const check = (one: JsonObject) => checkResource(contract, type, one, '');
  const numbers = new FreeNumbers((key) => entries.has(key));
  const named = keyIn(type, example);
  const keyed =
    named === undefined
      ? giveKey(type, example, numbers, check)
      : { key: named, resource: example };
  if (own.has(keyed.key)) return;
  const before = entries.get(keyed.key);
  const merged = before && mergeDeep(before, keyed.resource);
  const candidates = [merged, keyed.resource].filter(isJsonObject);
  const kept = candidates.find((one) => check(one).length === 0);
  if (kept !== undefined) entries.set(keyed.key, kept);
}

/**
 * Returns the resources in the examples of a type: those of the first list that has some, else
 * those of reads and creates, which may also say more about the resources of the list.
 *
 * @param meanings of the type, by {@link groupShown}
 */
export function findExamples(contract: Contract, type: ResourceType, meanings: readonly Meaning[]) {
  const entries = new Map<string, JsonObject>();
  const listed = meanings
    .filter(({ kind }) => kind === 'list')
    .flatMap(examplesOf)
    .find((resources) => resources.length > 0);
  for (const one of listed ?? []) addExample(contract, type, one, entries, entries);
  const others = meanings
    .filter(({ kind }) => kind !== 'list')
    .flatMap(examplesOf)
    .flat();
  for (const one of others) {
    const isKnown = entries.has(keyIn(type, one) ?? '');
    if (isKnown || listed === undefined) addExample(contract, type, one, entries);
  }
  return { entries, isWhole: entries.size > 0 && listed !== undefined };
}

/** Returns meanings by the names of their types; those of lists first. */
export function groupShown(resources: Resources): ReadonlyMap<string, readonly Meaning[]> {
  const meanings = resources.meanings();
  const ordered = ['list', 'read', 'create'].flatMap((wanted) =>
    meanings.filter(({ kind }) => kind === wanted),
  );
  return groupBy(ordered, ({ type }) => type.name);
}

/** Returns the resources in each valid example of a response. */
function examplesOf(meaning: Meaning): readonly (readonly JsonObject[])[] {
  const contents = meaning.operation.responses.success?.response.contents ?? [];
  return contents
    .filter(({ isJson }) => isJson)
    .flatMap(({ examples }) => examples.filter(({ violations }) => violations.length === 0))
    .map(({ value }) => readExample(meaning, value));
}

function readExample(meaning: Meaning, body: JsonValue): readonly JsonObject[] {
  const { type } = meaning;
  if (meaning.kind !== 'list') {
    const one = unwrap(body, meaning.shown, type);
    return one === undefined ? [] : [one];
  }
  const { path, form, isByKey } = meaning.envelope;
  const list = valueAt(body, path);
  const items: JsonValue | undefined = isByKey && isJsonObject(list) ? Object.values(list) : list;
  const all = Array.isArray(items) ? items : [];
  return all.map((item) => unwrapAlone(item, { form }, type)).filter((one) => one !== undefined);
}
