import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import { isWhole, keyIn } from '../collections.ts';
import type { Meaning, Resources } from '../meaning.ts';
import { mergeDeep } from '../mend.ts';
import type { Resource } from '../resource.ts';
import { unwrap, unwrapAlone, valueAt } from '../wrapping.ts';
import { checkKept } from './check-resource.ts';
import { FreeNumbers, giveKey } from './make-key.ts';
import type { Seed } from './seeds.ts';

/**
 * Takes the examples of the document's answers as resources: those of lists, then those of reads,
 * which may say more of the same. What the seeds have of a key stays as it is.
 *
 * @returns the seeds, and what the examples add
 */
export function findExampleSeeds(
  contract: Contract,
  resources: Resources,
  seeds: readonly Seed[],
): readonly Seed[] {
  const given = new Map(seeds.map((seed) => [seed.place, seed]));
  const shown = collectShown(resources);
  const added = resources.all
    .filter((resource) => resource.kind === 'collection' && isWhole(resource))
    .map((resource): Seed => {
      const own = given.get(resource.name)?.entries ?? new Map<string, JsonObject>();
      const entries = new Map(own);
      for (const one of shown.get(resource.name) ?? []) {
        addExample(contract, resource, one, entries, own);
      }
      return { resource, place: resource.name, entries };
    })
    .filter(({ place, entries }) => entries.size > 0 || given.has(place));
  const known = new Set(added.map(({ place }) => place));
  return [...added, ...seeds.filter(({ place }) => !known.has(place))];
}

function addExample(
  contract: Contract,
  resource: Resource,
  example: JsonObject,
  entries: Map<string, JsonObject>,
  own: ReadonlyMap<string, JsonObject>,
): void {
  const check = (one: JsonObject) => checkKept(contract, resource, one, '');
  const numbers = new FreeNumbers((key) => entries.has(key));
  const named = keyIn(resource, example);
  const keyed =
    named === undefined
      ? giveKey(resource, example, numbers, check)
      : { key: named, resource: example };
  if (own.has(keyed.key)) return;
  const before = entries.get(keyed.key);
  const candidates = [
    ...(before === undefined ? [] : [mergeDeep(before, keyed.resource)]),
    keyed.resource,
  ];
  const kept = candidates.filter(isJsonObject).find((one) => check(one).length === 0);
  if (kept !== undefined) entries.set(keyed.key, kept);
}

/** By name of the resource; those of lists first. */
function collectShown(resources: Resources): ReadonlyMap<string, readonly JsonObject[]> {
  const shown = new Map<string, JsonObject[]>();
  const meanings = resources.explain().flatMap(({ meaning }) => meaning ?? []);
  const ordered = [
    ...meanings.filter(({ kind }) => kind === 'list'),
    ...meanings.filter(({ kind }) => kind === 'read'),
    ...meanings.filter(({ kind }) => kind === 'create'),
  ];
  for (const meaning of ordered) {
    const { name } = meaning.resource;
    const list = shown.get(name) ?? [];
    shown.set(name, list);
    for (const value of examplesOf(meaning)) list.push(...readExample(meaning, value));
  }
  return shown;
}

function examplesOf({ operation }: Meaning): readonly JsonValue[] {
  const contents = operation.responses.success?.response.contents ?? [];
  return contents
    .filter(({ isJson }) => isJson)
    .flatMap(({ examples }) =>
      examples.filter(({ violations }) => violations.length === 0).map(({ value }) => value),
    );
}

function readExample(meaning: Meaning, body: JsonValue): readonly JsonObject[] {
  const { resource } = meaning;
  if (meaning.kind !== 'list') {
    const one = meaning.shown === undefined ? undefined : unwrap(body, meaning.shown, resource);
    return one === undefined ? [] : [one];
  }
  const { path, form, isByKey } = meaning.envelope;
  const list = valueAt(body, path);
  const items: JsonValue | undefined = isByKey && isJsonObject(list) ? Object.values(list) : list;
  return (Array.isArray(items) ? items : []).flatMap((item): readonly JsonObject[] => {
    const one = unwrapAlone(item, form, resource);
    return one === undefined ? [] : [one];
  });
}
