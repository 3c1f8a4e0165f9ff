import type { LogLevel } from './log.ts';
import type { Undeclared } from './respond/refuse.ts';

/** Every setting of a mock; options.ts says how a user gives each. */
export interface Settings {
  /** Path of the OpenAPI document. */
  readonly document: string;
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
  readonly cors: boolean;
  /** Bytes. */
  readonly bodyLimit: number;
  readonly watch: boolean;
  readonly verboseLevel: LogLevel;
  readonly multiprocess: boolean;
}
