import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../base/json/value.ts';
import { PLANT_STORE, packageFolder } from '../base/package-folder.ts';
import type { Undeclared } from '../contract/error-response.ts';
import type { LogLevel } from '../events/log.ts';
import type { ValidationLevel } from '../request/validate.ts';
import type { UndeclaredFailures } from '../rules/answer/given-answer.ts';

/**
 * The path or URL of an OpenAPI document, or the document itself. `/base=path` serves a document
 * below a path.
 */
export type DocumentName = string | JsonObject;

/** Every setting of a mock; `options.ts` defines its flag, variable and description. */
export interface Settings {
  readonly document: DocumentName | readonly DocumentName[];
  /** Files of OpenAPI Overlays, applied in this order. */
  readonly overlay: readonly string[];
  /** Folders and URL prefixes that references can lead to, besides the document's folder. */
  readonly allowReference: readonly string[];
  /** True refuses a document with any error. */
  readonly strict: boolean;
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** `stateful` stores what requests create; `example` responds with examples only. */
  readonly mode: 'stateful' | 'example';
  /** True generates responses from schemas. */
  readonly dynamic: boolean;
  readonly ignoreExamples: boolean;
  /** The random seed. */
  readonly seed: string;
  /** The language tag of generated people and places; empty for that of the document. */
  readonly locale: string;
  /** The status of a refusal: `contract` for a declared one, `http` for that of the cause. */
  readonly undeclared: Undeclared;
  /** `strict` refuses where Accept admits no declared media type; `related` sends the nearest. */
  readonly accept: 'related' | 'strict';
  /** How the mock treats a failure that a rule asks for and the operation does not declare. */
  readonly undeclaredFailures: UndeclaredFailures;
  /** True refuses with problem+json. */
  readonly errors: boolean;
  /** True refuses to create a resource that exists. */
  readonly uniqueIds: boolean;
  /** Where state is kept: `memory`, `file:` and a path, or the URL of a Redis or Valkey. */
  readonly store: string;
  /** Milliseconds to wait for the store. */
  readonly storeTimeout: number;
  /** The number of processes; more than 1 needs a shared store, 0 is one per processor. */
  readonly workers: number;
  /** The number of resources to generate in each collection at the start. */
  readonly populate: number;
  /** True starts with the examples of the document as resources. */
  readonly seedExamples: boolean;
  /** The content of a collection before the first write. */
  readonly emptyState: 'world' | 'examples' | 'nothing';
  /** A file that declares what operations do; empty for none. */
  readonly resources: string;
  /** The maximum of bytes for the state of all sessions; 0 is an eighth of the heap. */
  readonly stateLimit: number;
  /** The only accepted bearer tokens and API keys; empty accepts any. */
  readonly token: readonly string[];
  /** True refuses a token that the grammar of its scheme does not allow. */
  readonly strictCredentials: boolean;
  /** How strictly requests are held to the document. */
  readonly validate: ValidationLevel;
  /** Fixture files and folders. */
  readonly fixtures: readonly string[];
  /** A folder of WireMock with `mappings` and `__files`; empty for none. */
  readonly wiremock: string;
  /** Names of rules and profiles to enable. */
  readonly fixture: readonly string[];
  /** Hosts that callbacks can go to; `*` is any. */
  readonly callbackHost: readonly string[];
  /** True lets web pages read responses. */
  readonly cors: boolean;
  /** False serves only the health endpoints of the control API. */
  readonly admin: boolean;
  /** A port for the control API alone; undefined serves it beside the document. */
  readonly adminPort: number | undefined;
  /** The bearer token that the control API requires; empty for none. */
  readonly adminToken: string;
  /** Host names that the control API trusts, besides those of private networks. */
  readonly adminHost: readonly string[];
  /** The maximum of sessions. */
  readonly sessionLimit: number;
  /** Seconds after which an unused session is dropped. */
  readonly sessionIdle: number;
  /** The maximum of exchanges in the journal of a session; 0 disables the journal. */
  readonly journalLimit: number;
  /** The maximum of bytes for the journals of all sessions. */
  readonly journalBytes: number;
  /** True shows credentials in the journal. */
  readonly journalSecrets: boolean;
  /** False does not count what requests use of the document. */
  readonly coverage: boolean;
  /** A file to write the coverage to when the mock closes; empty for none. */
  readonly coverageFile: string;
  /** The time at which all clocks stop (RFC 3339); empty lets them run. */
  readonly frozenAt: string;
  /** The value of `Mock-Replay` whose random decisions to repeat; empty for none. */
  readonly replay: string;
  /** The maximum of bytes of a request body. */
  readonly bodyLimit: number;
  /** True accepts request bodies in Brotli. */
  readonly brotli: boolean;
  /** A file to write the port to; empty for none. */
  readonly portFile: string;
  /** True reloads when a file changes. */
  readonly watch: boolean;
  /** True keeps the findings of the document's check, so that the next start need not make it. */
  readonly cache: boolean;
  /** True writes a summary of the run when the mock ends. */
  readonly summary: boolean;
  readonly verboseLevel: LogLevel;
  /** The form of the log: `auto` is `pretty` on a terminal and otherwise `json`. */
  readonly log: 'auto' | 'pretty' | 'json' | 'silent';
  /** Accepted for compatibility with Prism, without effect. */
  readonly multiprocess: boolean;
}

export const packageFile = join(packageFolder, 'package.json');

export function readVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

export const defaultDocument = join(packageFolder, PLANT_STORE);
export const defaultFixtures = join(packageFolder, 'fixtures/plant-store');
/** The profiles, which work with every document. */
export const profileFixtures = join(packageFolder, 'fixtures/profiles');
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
  cache: true,
  summary: false,
  verboseLevel: 'info',
  log: 'auto',
  multiprocess: false,
});
