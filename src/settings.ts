import type { Undeclared } from './contract/refusal-response.ts';
import type { LogLevel } from './log.ts';

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
  readonly tokens: readonly string[];
  /** Files and folders of failure fixtures. */
  readonly fixtures: readonly string[];
  /** Names of rules to switch on. */
  readonly fixture: readonly string[];
  /** Hosts that callbacks may go to. */
  readonly callbackHosts: readonly string[];
  readonly cors: boolean;
  /** Bytes. */
  readonly bodyLimit: number;
  /** True takes request bodies in Brotli. */
  readonly brotli: boolean;
  readonly watch: boolean;
  readonly verboseLevel: LogLevel;
  readonly multiprocess: boolean;
}
