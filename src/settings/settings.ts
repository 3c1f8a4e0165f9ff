import type { Undeclared } from '../contract/refusal-response.ts';
import type { LogLevel } from '../events/log.ts';

/** Every setting of a mock; options.ts says how a user gives each. */
export interface Settings {
  /** Paths or URLs of OpenAPI documents; `/base=path` serves one below a path of its own. */
  readonly document: string | readonly string[];
  /** Files of OpenAPI Overlays, applied in this order. */
  readonly overlays: readonly string[];
  /** Folders and URL prefixes that references may lead to besides the document's own folder. */
  readonly allowReferences: readonly string[];
  /** True refuses a document with any fault. */
  readonly strict: boolean;
  readonly port: number;
  readonly host: string;
  readonly mode: 'stateful' | 'example';
  readonly dynamic: boolean;
  readonly ignoreExamples: boolean;
  readonly seed: string;
  readonly undeclared: Undeclared;
  readonly errors: boolean;
  readonly uniqueIds: boolean;
  /** Where state is kept: `memory`, `file:` and a path, or the URL of a Redis or Valkey. */
  readonly store: string;
  /** Milliseconds after which a store that does not answer counts as away. */
  readonly storeTimeout: number;
  /** How many processes answer; more than one needs a store that they share. */
  readonly workers: number;
  /** How many resources of each collection are there from the start. */
  readonly populate: number;
  /** True begins with the document's examples as resources. */
  readonly seedExamples: boolean;
  /** What a collection answers that nobody has written to. */
  readonly emptyState: 'examples' | 'nothing';
  /** A file that says what operations mean, where the inference is wrong; empty for none. */
  readonly resources: string;
  /** Bytes of memory that the state of all sessions may take; 0 is an eighth of the heap. */
  readonly stateLimit: number;
  readonly tokens: readonly string[];
  /** Files and folders of failure fixtures. */
  readonly fixtures: readonly string[];
  /** Names of rules to switch on. */
  readonly fixture: readonly string[];
  /** Hosts that callbacks may go to. */
  readonly callbackHosts: readonly string[];
  readonly cors: boolean;
  /** False leaves of the control API its health alone. */
  readonly admin: boolean;
  /** Where the control API listens by itself; undefined is beside the document. */
  readonly adminPort: number | undefined;
  /** What the control API asks for; empty for nothing. */
  readonly adminToken: string;
  /** Names of hosts under which the control API answers, besides those of private networks. */
  readonly adminHosts: readonly string[];
  /** How many sessions there may be. */
  readonly sessionLimit: number;
  /** Seconds after which a session goes that nobody uses. */
  readonly sessionIdle: number;
  /** How many requests the journal of a session keeps. */
  readonly journalLimit: number;
  /** Bytes that the journals of all sessions may take. */
  readonly journalBytes: number;
  /** True shows credentials in the journal. */
  readonly journalSecrets: boolean;
  /** A moment at which the clocks of all sessions stand (RFC 3339); empty lets them run. */
  readonly frozenAt: string;
  /** What `Mock-Replay` said of an answer that is to come again; empty for none. */
  readonly replay: string;
  /** Bytes. */
  readonly bodyLimit: number;
  /** True takes request bodies in Brotli. */
  readonly brotli: boolean;
  /** A file that gets the port; empty for none. */
  readonly portFile: string;
  readonly watch: boolean;
  readonly verboseLevel: LogLevel;
  readonly multiprocess: boolean;
}
