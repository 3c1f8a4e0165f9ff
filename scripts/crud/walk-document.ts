import { load } from '../../src/assemble/load.ts';
import { createMock } from '../../src/assemble/mock.ts';
import type { MockOptions } from '../../src/assemble/mock-options.ts';
import { createContractGenerator } from '../../src/generate/generator.ts';
import type { DocumentWalks, Walk } from './figures.ts';
import { findWays, walkCollection } from './walk-collection.ts';

/** Walks through every collection of a document that has a create and a read. */
export async function walkDocument(
  document: string,
  options: MockOptions = {},
): Promise<DocumentWalks> {
  const nothing = { document, operations: 0, meanings: 0, walks: [] };
  try {
    const mock = await createMock({ document, ...options });
    try {
      const { contract, resources } = await load({ document, fixtures: [], fixture: [] });
      const meanings = resources.explain().flatMap(({ meaning }) => meaning ?? []);
      const generator = createContractGenerator(contract, 'request');
      const walks: Walk[] = [];
      for (const [index, way] of findWays(meanings).entries()) {
        const sending = { mock, contract, generator, session: `walk-${index}` };
        walks.push(await walkCollection(sending, way));
      }
      const operations = contract.operations.length;
      return { document, fault: undefined, operations, meanings: meanings.length, walks };
    } finally {
      await mock.close();
    }
  } catch (error) {
    return { ...nothing, fault: error instanceof Error ? error.message : String(error) };
  }
}
