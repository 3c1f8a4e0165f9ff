// With serve.ts the one place that touches the mock: its generator proposes values for requests,
// and the judge decides whether they are sent.

import { pathToFileURL } from 'node:url';
import { loadContract } from '../../src/assemble/load.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { createRandom } from '../../src/base/random.ts';
import { createContractGenerators } from '../../src/generate/generator.ts';
import type { Description, Place } from './description.ts';
import type { Json } from './json.ts';
import type { SampleSource } from './samples.ts';

const NOW = Date.UTC(2024, 1, 29);

/** @returns the mock's own generator as a source of samples; one without samples where it fails */
export async function createProductSource(description: Description): Promise<SampleSource> {
  try {
    const { contract } = await loadContract({ document: description.entry });
    const generator = createContractGenerators(contract).request;
    const [entry] = contract.document.entries;
    const toPointer = ({ file, pointer }: Place): string | undefined => {
      if (file.includes('!')) return undefined;
      if (file === description.entry) return (entry?.written ?? '') + pointer;
      const reference = `${pathToFileURL(file).href}#${encodeURI(pointer)}`;
      return contract.document.pointerOf(reference, entry?.written ?? '');
    };
    return (place, extent, attempt) => {
      const pointer = toPointer(place);
      if (pointer === undefined) return undefined;
      const random = createRandom(`sweep ${attempt}`);
      const value =
        extent === 'minimal'
          ? generator.generateMinimal(pointer)
          : generator.generate(pointer, { random, now: NOW });
      return value === undefined ? undefined : (JSON.parse(stringifyJson(value)) as Json);
    };
  } catch {
    return () => undefined;
  }
}
