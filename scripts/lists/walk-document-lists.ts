import { load } from '../../src/assemble/load.ts';
import { createMock, type Mock } from '../../src/assemble/mock.ts';
import { createContractGenerators } from '../../src/generate/generator.ts';
import type { ListMeaning, Resources } from '../../src/resources/meaning.ts';
import { isMembers } from '../crud/compare.ts';
import type { PathValues } from '../crud/send.ts';
import type { Json } from '../sweep/json.ts';
import { type ListWalk, walkList } from './walk-list.ts';

/** The lists of one document. */
export interface DocumentListWalks {
  /** Why nothing was read; undefined where something could be. */
  readonly fault: string | undefined;
  readonly walks: readonly ListWalk[];
}

/** @param populate how many resources each collection has */
export async function walkDocumentLists(
  document: string,
  populate: number,
): Promise<DocumentListWalks> {
  try {
    const mock = await createMock({ document, populate });
    try {
      const { contract, resources } = await load({ document, fixtures: [], fixture: [] });
      const generator = createContractGenerators(contract).request;
      const sending = { mock, contract, generator, session: 'lists' };
      const lists = resources
        .explain()
        .flatMap(({ meaning }) => (meaning?.kind === 'list' ? [meaning] : []));
      const walks: ListWalk[] = [];
      for (const list of lists) {
        walks.push(await walkList(sending, list, await parentsOf(mock, resources, list)));
      }
      return { fault: undefined, walks };
    } finally {
      await mock.close();
    }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error), walks: [] };
  }
}

/** @returns the keys of parents that are there, or `1` where none is kept */
async function parentsOf(
  mock: Mock,
  resources: Resources,
  { type: resource }: ListMeaning,
): Promise<PathValues> {
  const values = new Map<string, string>();
  for (const { parameter, resource: name } of resource.parents) {
    const parent = name === undefined ? undefined : resources.find(name);
    const property = parent?.key?.property?.value;
    if (parent === undefined || property === undefined) continue;
    const url = `http://localhost/__admin/state/${encodeURIComponent(parent.name)}`;
    const response = await mock.fetch(url, { headers: { 'mock-session': 'lists' } });
    const body = (await response.json()) as Json;
    const first = Array.isArray(body) ? body[0] : undefined;
    const key = isMembers(first) ? first[property] : undefined;
    if (typeof key === 'string' || typeof key === 'number') values.set(parameter, String(key));
  }
  return values;
}
