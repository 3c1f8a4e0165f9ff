import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingError } from '../assemble/sessions.ts';
import { findNearestName } from '../base/nearest-name.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { readCommandLine } from '../settings/command-line.ts';
import { UsageError } from '../settings/options.ts';
import { readVersion } from '../settings/settings.ts';
import { StoreError } from '../state/store.ts';
import { configure } from './configure.ts';
import type { Console, Invocation } from './console.ts';

/** Each command by its name; its code is loaded when it runs. */
const commands = {
  mock: async ({ settings, console }: Invocation) =>
    settings.workers === 1
      ? (await import('./mock.ts')).runMock(settings, console)
      : (await import('./workers.ts')).runWorkers(settings, console),
  check: async (given: Invocation) => (await import('./check.ts')).runCheck(given),
  drill: async (given: Invocation) => (await import('./drill.ts')).runDrillCommand(given),
  coverage: async (given: Invocation) => (await import('./coverage.ts')).runCoverage(given),
  explain: async (given: Invocation) => (await import('./explain.ts')).runExplain(given),
  fixtures: async (given: Invocation) => (await import('./fixtures.ts')).runFixtures(given),
  mcp: async (given: Invocation) => (await import('./mcp.ts')).runMcp(given),
  health: async (given: Invocation) => (await import('./health.ts')).runHealth(given),
  state: async (given: Invocation) => (await import('./state.ts')).runState(given),
  types: async (given: Invocation) => (await import('./types.ts')).runTypes(given),
  verdict: async (given: Invocation) => (await import('./verdict.ts')).runVerdict(given),
  webhook: async (given: Invocation) => (await import('./webhook.ts')).runWebhook(given),
};

/** Runs a command and returns the exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function runProgram(words: readonly string[], console: Console): Promise<number> {
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
    const { describeUsage } = await import('./help.ts');
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
