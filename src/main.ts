#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { SettingError } from './assemble/session-beginning.ts';
import { configure } from './commands/configure.ts';
import type { Console } from './commands/console.ts';
import { DiagnosticError } from './document/diagnostic.ts';
import { readCommandLine, UsageError } from './settings/options.ts';
import { StoreError } from './state/store-error.ts';

const COMMANDS = ['mock', 'check', 'explain', 'fixtures', 'health', 'state', 'types', 'webhook'];

/** @returns the exit code: 0, 1 when it failed, 2 for wrong use */
async function main(words: readonly string[], console: Console): Promise<number> {
  try {
    return await run(words, console);
  } catch (error) {
    if (error instanceof UsageError || error instanceof SettingError) {
      console.complain(`coldframe: ${error.message}\n`);
      return 2;
    }
    if (error instanceof StoreError) {
      console.complain(`coldframe: ${error.message}\n`);
      return 1;
    }
    if (!(error instanceof DiagnosticError)) return fail(error, console);
    console.complain(`${error.message}\n`);
    return 1;
  }
}

async function run(words: readonly string[], console: Console): Promise<number> {
  const line = readCommandLine(words);
  if (line.wantsHelp || line.wantsVersion) {
    const { describeUsage, readVersion } = await import('./commands/help.ts');
    console.write(line.wantsHelp ? describeUsage() : `${await readVersion()}\n`);
    return 0;
  }
  const [first = 'mock', ...rest] = line.words;
  if (first === 'proxy')
    throw new UsageError('there is no proxy, only a mock: docs/migrate/prism.md');
  const isCommand = COMMANDS.includes(first);
  const command = isCommand ? first : 'mock';
  const [own, more] = takeOwnWords(command, rest);
  const documents = isCommand ? rest : line.words;
  const settings = await configure(line, documents, console);
  switch (command) {
    case 'check':
      return (await import('./commands/check.ts')).runCheck(settings, console, line.format);
    case 'explain':
      return (await import('./commands/explain.ts')).runExplain(settings, console, line.format);
    case 'fixtures': {
      const { runFixtures, runFixturesSchema } = await import('./commands/fixtures.ts');
      return own === 'schema'
        ? runFixturesSchema(settings, console, line.out)
        : runFixtures(settings, console);
    }
    case 'health':
      return (await import('./commands/health.ts')).runHealth(settings, console);
    case 'state': {
      const { runState } = await import('./commands/state.ts');
      const names = { verb: own, file: more, hasDocument: documents.length > 0 };
      return runState({ ...line, ...names }, settings, console);
    }
    case 'webhook': {
      const { runWebhook } = await import('./commands/webhook.ts');
      return runWebhook(own, line.to, settings, console);
    }
    case 'types':
      return (await import('./commands/types.ts')).runTypes(settings, console, line.out);
    default:
      return settings.workers === 1
        ? (await import('./commands/mock.ts')).runMock(settings, console)
        : (await import('./commands/workers.ts')).runWorkers(settings, console);
  }
}

/** @param rest loses the words of a command that name no documents */
function takeOwnWords(command: string, rest: string[]): readonly string[] {
  switch (command) {
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
  EADDRINUSE: 'another program listens there; choose another port with --port, 0 for a free one',
  EACCES: 'this user may not; choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address; choose another with --host',
  ENOTFOUND: 'there is no such host; choose another with --host',
};

function fail(error: unknown, console: Console): number {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const remedy = remedies[code];
  if (remedy !== undefined) console.complain(`coldframe: ${message}: ${remedy}\n`);
  else console.complain(`coldframe: ${error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}

/** Bytes of log that may wait for a reader that stands still. */
const LARGEST_BACKLOG = 16 * 1024 * 1024;
const LEAVE_MILLISECONDS = 500;

/** Linux says it of each process; other systems are not asked. */
function readOpenFiles(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, most] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return most === undefined ? undefined : Number(most);
  } catch {
    return undefined;
  }
}

/** The second signal does not wait for requests under way. */
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
  // A reader that goes away must not take the mock with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    environment: process.env,
    folder: process.cwd(),
    nodeVersion: process.versions.node,
    isTerminal,
    hasColor:
      process.env['NO_COLOR'] === undefined && (isTerminal || process.env['FORCE_COLOR'] === '1'),
    openFiles: readOpenFiles(),
    write: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    writeLog: (text) =>
      process.stdout.writableLength < LARGEST_BACKLOG && process.stdout.write(text),
    ended,
    // Node brings rejections that nobody handles here too.
    onBug: (listener) => process.on('uncaughtException', listener),
    leave: () => setTimeout(() => process.exit(), LEAVE_MILLISECONDS).unref(),
  };
}

process.exitCode = await main(process.argv.slice(2), createConsole());
