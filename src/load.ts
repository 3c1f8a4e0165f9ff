import { type Contract, compileContract } from './contract/contract.ts';
import { defaultDocument, defaultFixtures } from './defaults.ts';
import { parseDocument } from './document/document.ts';
import { findFixtureFiles, readTextFile } from './document/read.ts';
import { type Stamps, stampAll } from './document/stamp.ts';
import { compileFixtures, type FixtureSet } from './fixtures/fixture-set.ts';
import type { Settings } from './settings.ts';

/** A document and its fixtures, read and held against each other. */
export interface Loaded {
  readonly contract: Contract;
  readonly fixtures: FixtureSet;
  /** Every file and folder that it was read from, as it was before it was read. */
  readonly stamps: Stamps;
}

type LoadSettings = Pick<Settings, 'document' | 'fixtures' | 'fixture'>;

/**
 * Reads the document and the fixtures.
 *
 * @throws {DiagnosticError} with everything that is wrong
 */
export async function load(settings: LoadSettings): Promise<Loaded> {
  const document = await readTextFile(settings.document, 'document');
  const contract = compileContract(parseDocument(document.file, document.text));
  const paths = fixturePaths(settings);
  const folders = await stampAll(paths);
  const lists = await Promise.all(paths.map(findFixtureFiles));
  const files = await Promise.all(lists.flat().map((path) => readTextFile(path, 'fixture file')));
  const fixtures = compileFixtures(files, contract, settings.fixture);
  const read = [document, ...files].map(({ file, stamp }) => [file, stamp] as const);
  return { contract, fixtures, stamps: new Map([...folders, ...read]) };
}

/** The plant store brings its own fixtures; any other document has those that are named. */
function fixturePaths({ document, fixtures }: LoadSettings): readonly string[] {
  return fixtures.length === 0 && document === defaultDocument ? [defaultFixtures] : fixtures;
}
