import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Settings } from './settings.ts';

/** By its own name, so that it is found from the sources and from the bundle alike. */
export const packageFile = createRequire(import.meta.url).resolve('coldframe/package.json');
const packageFolder = dirname(packageFile);

/** The document that is served when none is named. */
export const defaultDocument = join(packageFolder, 'spec/plant-store.openapi.yaml');
/** Its failure fixtures. */
export const defaultFixtures = join(packageFolder, 'fixtures/plant-store');
/** Fixtures for every document. */
export const profileFixtures = join(packageFolder, 'fixtures/profiles');
/** What describes the control API. */
export const controlDocument = join(packageFolder, 'spec/control-api.openapi.yaml');

/** What holds when nothing is said. */
export const defaultSettings: Settings = Object.freeze({
  document: defaultDocument,
  overlays: [],
  allowReferences: [],
  strict: false,
  port: 4010,
  host: '127.0.0.1',
  mode: 'stateful',
  dynamic: false,
  ignoreExamples: false,
  seed: 'coldframe',
  undeclared: 'contract',
  errors: false,
  uniqueIds: false,
  store: 'memory',
  storeTimeout: 1500,
  workers: 1,
  populate: 0,
  seedExamples: false,
  emptyState: 'examples',
  resources: '',
  stateLimit: 0,
  tokens: [],
  fixtures: [],
  fixture: [],
  callbackHosts: ['localhost', '127.0.0.1', '[::1]'],
  cors: true,
  admin: true,
  adminPort: undefined,
  adminToken: '',
  adminHosts: [],
  sessionLimit: 10_000,
  sessionIdle: 30 * 60,
  journalLimit: 1000,
  journalBytes: 64 * 1024 * 1024,
  journalSecrets: false,
  frozenAt: '',
  replay: '',
  bodyLimit: 10 * 1024 * 1024,
  brotli: false,
  portFile: '',
  watch: true,
  verboseLevel: 'info',
  multiprocess: false,
});
