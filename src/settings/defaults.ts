import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Settings } from './settings.ts';

/** Resolved by the package's own name, which works from the sources and from the bundle. */
export const packageFile = createRequire(import.meta.url).resolve('coldframe/package.json');
const packageFolder = dirname(packageFile);

/** Returns the version of the package. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

/** The document that is served by default: the plant store. */
export const defaultDocument = join(packageFolder, 'spec/plant-store.openapi.yaml');
/** The fixture files of the plant store. */
export const defaultFixtures = join(packageFolder, 'fixtures/plant-store');
/** The profiles, which work with every document. */
export const profileFixtures = join(packageFolder, 'fixtures/profiles');
/** The OpenAPI document of the control API. */
export const controlDocument = join(packageFolder, 'spec/control-api.openapi.yaml');

/** The default of every setting. */
export const defaultSettings: Settings = Object.freeze({
  document: defaultDocument,
  overlay: [],
  allowReference: [],
  strict: false,
  port: 4010,
  host: 'localhost',
  mode: 'stateful',
  dynamic: false,
  ignoreExamples: false,
  seed: 'coldframe',
  locale: '',
  undeclared: 'contract',
  accept: 'related',
  undeclaredFailures: 'send',
  errors: false,
  uniqueIds: false,
  store: 'memory',
  storeTimeout: 1500,
  workers: 1,
  populate: 0,
  seedExamples: false,
  emptyState: 'world',
  resources: '',
  stateLimit: 0,
  token: [],
  strictCredentials: false,
  validate: 'full',
  fixtures: [],
  wiremock: '',
  fixture: [],
  callbackHost: ['localhost', '127.0.0.1', '[::1]'],
  cors: true,
  admin: true,
  adminPort: undefined,
  adminToken: '',
  adminHost: [],
  sessionLimit: 10_000,
  sessionIdle: 30 * 60,
  journalLimit: 1000,
  journalBytes: 64 * 1024 * 1024,
  journalSecrets: false,
  coverage: true,
  coverageFile: '',
  frozenAt: '',
  replay: '',
  bodyLimit: 10 * 1024 * 1024,
  brotli: false,
  portFile: '',
  watch: true,
  summary: false,
  verboseLevel: 'info',
  log: 'auto',
  multiprocess: false,
});
