import { fileURLToPath } from 'node:url';
import type { Settings } from './settings.ts';

const packageFolder = new URL('..', import.meta.url);

/** The document that is served when none is named. */
export const defaultDocument = fileURLToPath(
  new URL('spec/plant-store.openapi.yaml', packageFolder),
);
/** Its failure fixtures. */
export const defaultFixtures = fileURLToPath(new URL('fixtures/plant-store', packageFolder));
/** Fixtures for every document. */
export const profileFixtures = fileURLToPath(new URL('fixtures/profiles', packageFolder));
/** What describes the control API. */
export const controlDocument = fileURLToPath(
  new URL('spec/control-api.openapi.yaml', packageFolder),
);
export const packageFile = fileURLToPath(new URL('package.json', packageFolder));

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
