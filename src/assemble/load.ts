import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from '../base/remember.ts';
import { Contract, findErrors } from '../contract/contract.ts';
import { collectFaults, type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { KeptDocuments } from '../document/kept-documents.ts';
import {
  BODY_FOLDER,
  type FixtureFiles,
  findFixtureFiles,
  readTextFile,
  type Stamps,
  stampAll,
} from '../document/read.ts';
import { type NamedDocument, readDocument } from '../document/read-document.ts';
import { parseSource } from '../document/source.ts';
import {
  createContractGenerators,
  type Generator,
  type Generators,
} from '../generate/generator.ts';
import type { Resources } from '../resources/meaning.ts';
import { createResources } from '../resources/resources.ts';
import { createInitialState } from '../resources/seed/populate.ts';
import { readSeeds } from '../resources/seed/seeds.ts';
import { World } from '../resources/seed/world.ts';
import { BODY_FILE, createBodyFiles } from '../rules/answer/rule-body.ts';
import { createTemplateEngine } from '../rules/answer/template.ts';
import { compileFixtures, FixtureSet } from '../rules/fixture-set.ts';
import type { FixtureFile } from '../rules/read-file.ts';
import {
  type DocumentName,
  defaultDocument,
  defaultFixtures,
  profileFixtures,
  type Settings,
} from '../settings/settings.ts';
import type { StoreBeginning } from '../state/store.ts';
import { isPlantStoreAsBuilt, knownValueOf } from './plant-store.ts';

/** Documents with their fixtures, checked against each other. */
export interface Loaded {
  readonly contract: Contract;
  readonly generators: Generators;
  readonly fixtures: FixtureSet;
  readonly resources: Resources;
  /** The resources of a new session. */
  readonly beginning: StoreBeginning;
  /** The resources of collections before their first write. */
  readonly world: World;
  /** Every file and folder that it was read from, as it was before it was read. */
  readonly stamps: Stamps;
}

type LoadSettings = Pick<Settings, 'document' | 'fixtures' | 'fixture'> &
  Partial<Pick<Settings, 'wiremock'>> &
  Partial<Pick<Settings, 'overlay' | 'allowReference' | 'strict'>> &
  Partial<Pick<Settings, 'populate' | 'seedExamples' | 'ignoreExamples' | 'seed' | 'locale'>> &
  Partial<Pick<Settings, 'undeclaredFailures' | 'frozenAt' | 'resources'>>;

type Overriding = Pick<LoadSettings, 'resources'>;

/** The date of generated resources, unless the clock is frozen: the same on every day. */
const MADE_UP_ON = '2026-01-01T00:00:00Z';

/**
 * Reads the documents and the fixtures.
 *
 * @throws {DiagnosticError} with everything that is wrong; of a document that is sound in part,
 *   only where the settings are strict
 */
export async function load(settings: LoadSettings, kept?: KeptDocuments): Promise<Loaded> {
  const { contract, stamps } = await loadContract(settings, kept);
  if (settings.strict === true) {
    const errors = [...findErrors(contract)];
    if (errors.length > 0) throw new DiagnosticError(errors);
  }
  const faults: Diagnostic[] = [];
  const { fixtures, ...read } = await loadFixtures(contract, settings, faults);
  const { resources, ...overrides } = await loadResources(contract, settings);
  const seeds = collectFaults(faults, () =>
    fixtures.seeds.length === 0 ? [] : readSeeds(fixtures.seeds, resources, contract),
  );
  if (seeds === undefined || faults.length > 0) throw new DiagnosticError(faults);
  const { populate = 0, seedExamples = false, seed = '', locale = '', frozenAt = '' } = settings;
  const now = Date.parse(frozenAt === '' ? MADE_UP_ON : frozenAt);
  const generators = createContractGenerators(contract, locale);
  const making = { populate, seedExamples, seed, generators, now };
  const beginning = createInitialState(contract, resources, seeds, making);
  const { ignoreExamples = false } = settings;
  const world = new World(contract, resources, seeds, { seed, generators, now, ignoreExamples });
  const all = new Map([...stamps, ...read.stamps, ...overrides.stamps]);
  return { contract, generators, fixtures, resources, beginning, world, stamps: all };
}

/**
 * Infers what the operations of the documents mean, with the overrides of a file.
 *
 * @throws {DiagnosticError} with every error in that file
 */
export async function loadResources(contract: Contract, { resources: path = '' }: Overriding) {
  if (path === '') return { resources: createResources(contract), stamps: new Map() };
  const { file, text, stamp } = await readTextFile(path, 'file of resources');
  const resources = createResources(contract, parseSource(file, text));
  return { resources, stamps: new Map([[file, stamp]]) };
}

/**
 * Holds the resources of fixture files against the documents.
 *
 * @throws {DiagnosticError} with everything that is wrong with them
 */
export async function loadSeeds(contract: Contract, { seeds }: FixtureSet, settings: Overriding) {
  const { resources } = await loadResources(contract, settings);
  return readSeeds(seeds, resources, contract);
}

/**
 * Reads the fixtures, and checks them against the documents.
 *
 * @param faults where everything that is wrong with them is recorded
 * @throws {DiagnosticError} with it, if it is not recorded
 */
export async function loadFixtures(
  contract: Contract,
  settings: LoadSettings,
  faults?: Diagnostic[],
) {
  const paths = fixturePaths(settings);
  // Listed again once the folders have their stamps, which show later changes.
  const folders = await stampAll([...paths, ...foldersOf(await findFixtureFiles(paths))]);
  const { files: names } = await findFixtureFiles(paths);
  const found = faults ?? [];
  const own = await Promise.all(names.map((path) => readTextFile(path, 'fixture file')));
  const stubs = await loadStubs(contract, settings, found);
  const files = [...own, ...stubs.files];
  const bodies = createBodyFiles(
    new Map([...own.map(({ file }) => [file, dirname(file)] as const), ...stubs.bodyFolders]),
  );
  const material = {
    contract,
    undeclaredFailures: settings.undeclaredFailures ?? 'send',
    engine: createTemplateEngine(),
    readBodyFile: bodies.read,
    readProfiles,
  };
  const fixtures =
    isPlantStoreAlone(settings) && isPlantStoreAsBuilt()
      ? new FixtureSet([], material, [], own)
      : compileFixtures(files, material, settings.fixture, found);
  found.splice(0, found.length, ...stubs.restate(found));
  if (faults === undefined && found.length > 0) throw new DiagnosticError(found);
  const read = files.map(({ file, stamp }) => [file, stamp] as const);
  const stamps = new Map([...folders, ...stubs.folders, ...read, ...(await bodies.stamp())]);
  return { fixtures, stamps };
}

/** Reads the stub mappings of WireMock; its code is loaded only then. */
async function loadStubs(
  contract: Contract,
  { wiremock: folder = '' }: LoadSettings,
  faults: Diagnostic[],
) {
  const restate = (all: readonly Diagnostic[]) => all;
  if (folder === '') return { files: [], bodyFolders: [], folders: new Map(), restate };
  const {
    foldersOf: foldersOfWireMock,
    readStubFiles,
    restateFaults,
  } = await import('../control/wiremock/read-folder.ts');
  const { mappings, bodies } = foldersOfWireMock(folder);
  const { folders: searched } = await findFixtureFiles([mappings]);
  const folders = await stampAll([mappings, bodies, ...searched]);
  const files = await readStubFiles(folder, contract, faults);
  return {
    files,
    // Rules that clients add may name these files, too.
    bodyFolders: [BODY_FILE, ...files.map(({ file }) => file)].map(
      (file) => [file, bodies] as const,
    ),
    folders,
    restate: (all: readonly Diagnostic[]) => restateFaults(all, files),
  };
}

/** Returns the folders in which a fixture file or body may appear, even if they do not exist. */
function foldersOf({ files, folders }: FixtureFiles): readonly string[] {
  return [
    ...folders,
    ...files.flatMap((file) => [dirname(file), join(dirname(file), BODY_FOLDER)]),
  ];
}

/** The fixtures that ship for every document. */
function readProfiles(): readonly FixtureFile[] {
  return readdirSync(profileFixtures)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const file = join(profileFixtures, name);
      return { file, text: readFileSync(file, 'utf8') };
    });
}

/**
 * Reads the documents alone.
 *
 * @throws {DiagnosticError} when one cannot be read at all, or nothing of it can be served
 */
export async function loadContract(
  { document: named, ...options }: Pick<LoadSettings, 'document' | 'overlay' | 'allowReference'>,
  kept?: KeptDocuments,
) {
  const { document, stamps } = await readDocument([named].flat().map(readName), {
    ...options,
    knownValueOf,
    kept,
  });
  const generator = once((): Generator => createContractGenerators(contract).response);
  const contract: Contract = new Contract(document, (pointer) => {
    const values = [generator().generateFull(pointer), generator().generateMinimal(pointer)];
    return values.filter((value) => value !== undefined);
  });
  refuseUseless(contract);
  return { contract, stamps };
}

/** `/shop=shop.yaml` names a document and the path below which it is served. */
export function readName(name: DocumentName): NamedDocument {
  if (typeof name !== 'string') return { location: name };
  const [, basePath, location] = /^(\/[^=]*)=(.+)$/.exec(name) ?? [];
  if (basePath === undefined || location === undefined) return { location: name };
  return { location, basePath: basePath.replace(/\/+$/, '') };
}

/** A document of which not one operation can be served is refused, as there is nothing to serve. */
function refuseUseless({ document, operations, faults }: Contract): void {
  for (const { place } of document.entries) {
    const members = ['paths', 'webhooks', 'components'];
    if (members.some((name) => document.at(`${place}/${name}`) !== undefined)) continue;
    throw document.fail(
      place,
      'the document has neither paths nor webhooks nor components',
      'Add "paths"; a document that is still being written is read again when it is saved.',
    );
  }
  const isSound = operations.some(({ fault }) => fault === undefined);
  if (isSound || (operations.length === 0 && faults.length === 0)) return;
  const diagnostics = operations.flatMap(({ fault }) => fault?.diagnostics ?? []);
  throw new DiagnosticError([...faults, ...diagnostics]);
}

/** The plant store brings its own fixtures; any other document has those that are named. */
function fixturePaths({ document, fixtures }: LoadSettings): readonly string[] {
  const isDefault = String(document) === defaultDocument;
  return fixtures.length === 0 && isDefault ? [defaultFixtures] : fixtures;
}

/** Returns true for the plant store with its own rules, and nothing else that rules depend on. */
function isPlantStoreAlone(settings: LoadSettings): boolean {
  const { document, fixtures, fixture, overlay = [], wiremock = '' } = settings;
  const more = [...fixtures, ...fixture, ...overlay, ...wiremock];
  return String(document) === defaultDocument && more.length === 0;
}
