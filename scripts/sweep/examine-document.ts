import { createMock } from '../../src/assemble/mock.ts';
import { findFindingsIdly } from '../../src/check/check.ts';
import { doingOf } from '../../src/resources/meaning.ts';
import { createResources } from '../../src/resources/resources.ts';
import type { Walk } from '../crud/figures.ts';
import { walkCollections } from '../crud/walk-document.ts';

/** A document as the mock understands it, from its start to the end of its background check. */
export interface Examination {
  /** Operations by what they do, as `coldframe explain` has it. */
  readonly does: Readonly<Record<string, number>>;
  readonly walks: readonly Walk[];
  /** False if the time ran out before the background check was done. */
  readonly isChecked: boolean;
  /** Milliseconds of processor time: the longest that a request or a step of the check took. */
  readonly longestBlock: number;
  readonly longestIn: string;
}

/**
 * Serves a document, walks through its collections, and checks it to the end, as the background
 * check does.
 *
 * @param seconds after which no further collection is begun, and the check is stopped
 */
export async function examineDocument(document: string, seconds: number): Promise<Examination> {
  const end = performance.now() + seconds * 1000;
  let longest = { block: 0, in: '' };
  let began = process.cpuUsage();
  const note = (what: string): void => {
    const { user, system } = process.cpuUsage(began);
    const block = (user + system) / 1000;
    if (block > longest.block) longest = { block, in: what };
    began = process.cpuUsage();
  };
  const mock = await createMock({ document });
  try {
    const { contract } = mock;
    const resources = createResources(contract);
    const does: Record<string, number> = {};
    for (const { meaning } of resources.explain()) {
      const name = meaning === undefined ? 'none' : doingOf(meaning);
      does[name] = (does[name] ?? 0) + 1;
    }
    const fetch: typeof mock.fetch = async (input, init) => {
      began = process.cpuUsage();
      const response = await mock.fetch(input, init);
      note(`${init?.method} ${input}`);
      return response;
    };
    const walks = await walkCollections({ contract, fetch }, resources, end);
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
    began = process.cpuUsage();
    const pause = async (): Promise<void> => {
      note('background check');
      await nextTurn();
    };
    for await (const _ of findFindingsIdly(contract, signal, pause));
    const { block: longestBlock, in: longestIn } = longest;
    return { does, walks, isChecked: !signal.aborted, longestBlock, longestIn };
  } finally {
    await mock.close();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
