#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { SettingError } from './assemble/sessions.ts';
import { findNearestName } from './base/nearest-name.ts';
import { configure } from './commands/configure.ts';
import type { Console, Invocation } from './commands/console.ts';
import { DiagnosticError } from './document/diagnostic.ts';
import { readCommandLine } from './settings/command-line.ts';
import { UsageError } from './settings/options.ts';
import { readVersion } from './settings/settings.ts';
import { StoreError } from './state/store.ts';

/** Each command by its name; its code is loaded when it runs. */
const commands = {
  mock: async ({ settings, console }: Invocation) =>
    settings.workers === 1
      ? (await import('./commands/mock.ts')).runMock(settings, console)
      : (await import('./commands/workers.ts')).runWorkers(settings, console),
  check: async (given: Invocation) => (await import('./commands/check.ts')).runCheck(given),
  drill: async (given: Invocation) => (await import('./commands/drill.ts')).runDrillCommand(given),
  coverage: async (given: Invocation) =>
    (await import('./commands/coverage.ts')).runCoverage(given),
  explain: async (given: Invocation) => (await import('./commands/explain.ts')).runExplain(given),
  fixtures: async (given: Invocation) =>
    (await import('./commands/fixtures.ts')).runFixtures(given),
  mcp: async (given: Invocation) => (await import('./commands/mcp.ts')).runMcp(given),
  health: async (given: Invocation) => (await import('./commands/health.ts')).runHealth(given),
  state: async (given: Invocation) => (await import('./commands/state.ts')).runState(given),
  types: async (given: Invocation) => (await import('./commands/types.ts')).runTypes(given),
  verdict: async (given: Invocation) => (await import('./commands/verdict.ts')).runVerdict(given),
  webhook: async (given: Invocation) => (await import('./commands/webhook.ts')).runWebhook(given),
};

/** Runs a command and returns the exit code: 0, 1 for a failure, 2 for wrong usage. */
async function main(words: readonly string[], console: Console): Promise<number> {
  try {
    return await run(words, console);
  } catch (error) {
    if (error instanceof UsageError || error instanceof SettingError) {
      console.writeError(`coldframe: ${error.message}\n`);
      return 2;
    }
    if (error instanceof StoreError) {
      console.writeError(`coldframe: ${error.message}\n`);
      return 1;
    }
    if (!(error instanceof DiagnosticError)) return fail(error, console);
    console.writeError(`${error.message}\n`);
    return 1;
  }
}

async function run(words: readonly string[], console: Console): Promise<number> {
  const line = readCommandLine(words);
  const [first = 'mock', ...rest] = line.words;
  if (line.wantsHelp || first === 'help') {
    const { describeUsage } = await import('./commands/help.ts');
    console.write(describeUsage(first === 'help' ? rest[0] : line.words[0]));
    return 0;
  }
  if (line.wantsVersion) {
    console.write(`${readVersion()}\n`);
    return 0;
  }
  refuseUnknown(first, console);
  const run = Object.hasOwn(commands, first) ? commands[first as keyof typeof commands] : undefined;
  const operands = run === undefined ? [] : takeOperands(first, rest, line.program);
  const documents = run === undefined ? line.words : rest;
  const settings = await configure(line, documents, console);
  const hasDocument = documents.length > 0;
  return (run ?? commands.mock)({ ...line, settings, console, operands, hasDocument });
}

/** @throws {UsageError} for a word that is neither a command nor a document */
function refuseUnknown(word: string, { folder }: Console): void {
  if (word === 'proxy') {
    throw new UsageError('Coldframe has no proxy, only a mock; see docs/migrate/prism.md');
  }
  if (Object.hasOwn(commands, word) || !/^[\w-]+$/.test(word)) return;
  if (existsSync(resolve(folder, word))) return;
  const meant = findNearestName(word, [...Object.keys(commands), 'help']);
  const remedy =
    meant === undefined ? 'coldframe help lists commands' : `did you mean coldframe ${meant}?`;
  throw new UsageError(`there is no command and no document "${word}"; ${remedy}`);
}

/** Removes from `rest`, and returns, the words of a command that are not documents. */
function takeOperands(
  command: string,
  rest: string[],
  program: readonly string[],
): readonly string[] {
  switch (command) {
    case 'drill':
      return rest.splice(rest.length - program.length);
    case 'coverage':
      return rest.splice(0);
    case 'webhook':
      return rest.splice(0, 1);
    case 'state':
      return rest.splice(0, rest[0] === 'import' ? 2 : 1);
    case 'fixtures':
      return rest[0] === 'schema' ? rest.splice(0, 1) : [];
    default:
      return [];
  }
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use; choose another one with --port, or 0 for a free one',
  EACCES: 'permission denied; choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'this machine does not have that address; choose another one with --host',
  ENOTFOUND: 'unknown host; choose another one with --host',
};

function fail(error: unknown, console: Console): number {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const remedy = remedies[code];
  if (remedy !== undefined) console.writeError(`coldframe: ${message}: ${remedy}\n`);
  else console.writeError(`coldframe: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}

/** The unread bytes beyond which parts of the log are dropped. */
const LARGEST_BACKLOG = 16 * 1024 * 1024;
const EXIT_MILLISECONDS = 500;

/** Reads the limit of open files of this process, which only Linux offers as a file. */
function readOpenFiles(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, most] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    // Without /proc, or without permission to read it, the limit is unknown.
    return undefined;
  }
}

/** https://force-color.org: any value asks for colors; Node's own variable has 0 for none. */
function isColorForced(): boolean {
  return !['', '0', 'false'].includes(process.env['FORCE_COLOR'] ?? '');
}

/** Reads what is typed. The system stops a process in the background that reads, so it does not. */
function readLines(listener: (line: string) => void): void {
  const { stdin } = process;
  stdin.setEncoding('utf8');
  stdin.on('data', (text: string) => {
    for (const line of text.split('\n').slice(0, -1)) listener(line);
  });
  const update = (): void => {
    if (isInBackground()) stdin.pause();
    else stdin.resume();
  };
  update();
  process.on('SIGCONT', update);
}

/** Compares the group of the process with that of its terminal, which only Linux offers as a file. */
function isInBackground(): boolean {
  try {
    const [, rest = ''] = /\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [, , group, , , foreground] = rest.split(' ');
    return group !== foreground;
  } catch {
    return false;
  }
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

function openInBrowser(url: string): void {
  const [program = 'xdg-open', ...words] = OPENERS[process.platform] ?? [];
  const opener = spawn(program, [...words, url], { detached: true, stdio: 'ignore' });
  // A machine without a browser still has the URL on the screen.
  opener.on('error', () => {});
  opener.unref();
}

function signalGroup(leader: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (leader === undefined) return;
  try {
    // A negative number means the group (kill(2)), which Windows does not have.
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    // All of them have ended.
  }
}

/** Creates the console of this process. A second signal exits without waiting for requests. */
function createConsole(): Console {
  const isTerminal = process.stdout.isTTY === true;
  const ended = new Promise<void>((resolve) => {
    let isEnding = false;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (isEnding) process.exit(128 + constants.signals[signal]);
        isEnding = true;
        resolve();
      });
    }
  });
  // The mock outlives the reader of its output: ignore EPIPE.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    environment: process.env,
    folder: process.cwd(),
    nodeVersion: process.versions.node,
    isTerminal,
    hasColor: process.env['NO_COLOR'] === undefined && (isTerminal || isColorForced()),
    openFiles: readOpenFiles(),
    write: (text) => process.stdout.write(text),
    writeError: (text) => process.stderr.write(text),
    writeLog: (text) =>
      process.stdout.writableLength < LARGEST_BACKLOG && process.stdout.write(text),
    ...(isTerminal &&
      process.stdin.isTTY && { keyboard: { onLine: readLines, open: openInBrowser } }),
    ended,
    // This event also reports unhandled rejections.
    onUncaught: (listener) => process.on('uncaughtException', listener),
    endGroup: signalGroup,
    exitSoon: () => setTimeout(() => process.exit(), EXIT_MILLISECONDS).unref(),
  };
}

// Otherwise V8 collects old garbage when the heap is three times as large as what is in use.
setFlagsFromString('--heap-growing-percent=100');
// Otherwise V8 optimizes at once what the first calls of a large document need. Later versions have
// no such flag.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=150000');

process.exitCode = await main(process.argv.slice(2), createConsole());
