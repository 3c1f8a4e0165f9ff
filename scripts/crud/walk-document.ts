import { createMock, type Mock } from '../../src/assemble/mock.ts';
import type { MockOptions } from '../../src/assemble/mock-interface.ts';
import { createContractGenerators } from '../../src/generate/generator.ts';
import type { Resources } from '../../src/resources/meaning.ts';
import { createResources } from '../../src/resources/resources.ts';
import type { DocumentWalks, Walk } from './figures.ts';
import { findWays, walkCollection } from './walk-collection.ts';

/** Walks through every collection of a document that has a create, and a read or a list. */
export async function walkDocument(
  document: string,
  options: MockOptions = {},
): Promise<DocumentWalks> {
  const nothing = { document, operations: 0, meanings: 0, walks: [] };
  try {
    const mock = await createMock({ document, ...options });
    try {
      const { contract } = mock;
      const resources = createResources(contract);
      const walks = await walkCollections(mock, resources);
      const meanings = resources.explain().filter(({ meaning }) => meaning !== undefined).length;
      const operations = contract.operations.length;
      return { document, fault: undefined, operations, meanings, walks };
    } finally {
      await mock.close();
    }
  } catch (error) {
    return { ...nothing, fault: error instanceof Error ? error.message : String(error) };
  }
}

/** @param end the time, by `performance`, after which no further walk is begun */
export async function walkCollections(
  mock: Pick<Mock, 'contract' | 'fetch'>,
  resources: Resources,
  end = Number.POSITIVE_INFINITY,
): Promise<readonly Walk[]> {
  const { contract } = mock;
  // A walk takes keys from paths, which calls by name do not have.
  const meanings = resources
    .explain()
    .flatMap(({ meaning }) => (meaning?.call === undefined ? (meaning ?? []) : []));
  const generator = createContractGenerators(contract).request;
  const walks: Walk[] = [];
  for (const [index, way] of findWays(meanings).entries()) {
    if (performance.now() > end) break;
    const sending = { mock, contract, generator, session: `walk-${index}` };
    walks.push(await walkCollection(sending, way));
  }
  return walks;
}
