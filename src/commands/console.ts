import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../base/problem.ts';
import { type Connection, connect } from '../client/connect.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { CommandLine, ReportFormat } from '../settings/command-line.ts';
import { UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';

/** The parts of the process that commands use: `main.ts` gives the real ones, tests their own. */
export interface Console {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Such as `20.19.0`. */
  readonly nodeVersion: string;
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** The user's folder for what can be made again; undefined where the system names none. */
  readonly cacheFolder: string | undefined;
  /** Stores V8's compiled code of the program for the next start; left out where Node.js does. */
  storeCode?(): void;
  /** Returns how many bytes this process may still take. */
  availableMemory(): number;
  /** The limit of open files and sockets; undefined where the system does not report it. */
  readonly openFiles: number | undefined;
  /** Imports a JavaScript file of the user. */
  importFile(path: string): Promise<{ readonly default?: unknown }>;
  write(text: string): void;
  writeError(text: string): void;
  /** Writes to the log; drops the text when too much of the log is unread. */
  writeLog(text: string): void;
  /** Left out without a terminal. */
  readonly keyboard?: Keyboard;
  /** Resolves at the first signal to stop. */
  readonly ended: Promise<void>;
  /** Calls the listener for every uncaught error; without one, such an error ends the process. */
  onUncaught(listener: (error: unknown) => void): void;
  /** Sends a signal to a process and to those that it has started; ignores one that has ended. */
  endGroup(leader: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Ends the process within a second, whatever is pending. */
  exitSoon(): void;
}

export interface Keyboard {
  /** Calls the listener for each line that the user types. */
  onLine(listener: (line: string) => void): void;
  open(url: string): void;
}

/** A command as it was given: its words, flags and settings. */
export interface Invocation extends Omit<CommandLine, 'settings'> {
  readonly settings: Settings;
  readonly console: Console;
  /** The words between the command and its documents. */
  readonly operands: readonly string[];
  readonly hasDocument: boolean;
}

/** Writes the output of a command to its `--out` or to standard output. Returns 1 if it cannot. */
export async function writeOut(text: string, { out, console }: Invocation): Promise<number> {
  if (out === undefined) {
    console.write(text);
    return 0;
  }
  try {
    const file = resolve(console.folder, out);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return 0;
  } catch (error) {
    console.writeError(`coldframe: ${reasonOf(error)}; choose another file with --out\n`);
    return 1;
  }
}

/**
 * Returns what a command has for its `--format`.
 *
 * @throws {UsageError} for a format that the command does not have
 */
export function chooseForm<Form>(
  command: string,
  format: ReportFormat,
  forms: { readonly [Name in ReportFormat]?: Form },
): Form {
  const form = forms[format];
  if (form !== undefined) return form;
  const names = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(Object.keys(forms));
  throw new UsageError(`${command} supports --format ${names}, got "${format}"`);
}

/** Runs a command. An error is a line of its output and the code 1; wrong usage is thrown. */
export async function report(console: Console, run: () => Promise<number>): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof UsageError || error instanceof DiagnosticError) throw error;
    console.writeError(`coldframe: ${reasonOf(error)}\n`);
    return 1;
  }
}

/** Returns the URL of a mock that runs on this machine with these settings. */
export function localUrl({ host }: Pick<Settings, 'host'>, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Returns the connection to the mock of `--url`, by default the one that runs on this machine with
 * these settings.
 */
export function reachRunning({ settings, url }: Pick<Invocation, 'settings' | 'url'>): Connection {
  const origin = url ?? localUrl(settings, settings.adminPort ?? settings.port);
  if (!/^https?:\/\/./i.test(origin) || !URL.canParse(origin)) {
    throw new UsageError(`--url must be a URL such as http://localhost:4010, got "${origin}"`);
  }
  const { adminToken: token } = settings;
  return connect(origin, token === '' ? {} : { token });
}
