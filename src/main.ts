#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import * as modules from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { findCacheFolder } from './commands/cache-folder.ts';
import { type Bundle, CompiledCode, findCodeFile } from './commands/compiled-code.ts';
import type { Console } from './commands/console.ts';

/** The bundled program; undefined if the sources run. */
declare const BUNDLE: Bundle | undefined;

/** The unread bytes beyond which parts of the log are dropped. */
const LARGEST_BACKLOG = 16 * 1024 * 1024;
const EXIT_MILLISECONDS = 500;

/** The channel on which Node.js announces each request. */
const REQUESTS = 'http.server.request.start';
/** The number of requests after which a process is under load. */
const LOAD = 2_000;

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

/** The files of the bundle, with the code of an earlier start where Node.js does not store it. */
interface Program {
  readonly run: typeof import('./commands/run.ts');
  readonly storeCode?: () => void;
}

function loadBundle(bundle: Bundle): Program {
  const { folder } = bundle;
  const require = modules.createRequire(import.meta.url);
  if ('enableCompileCache' in modules) return { run: require(`${folder}/run.cjs`) };
  const path = fileURLToPath(new URL(folder, import.meta.url));
  const code = new CompiledCode(path, findCodeFile(process, bundle));
  return { run: code.load('run.cjs') as Program['run'], storeCode: () => code.store() };
}

/** Creates the console of this process. A second signal exits without waiting for requests. */
function createConsole(storeCode: (() => void) | undefined): Console {
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
    cacheFolder: findCacheFolder(process),
    ...(storeCode !== undefined && { storeCode }),
    availableMemory: () => process.availableMemory(),
    openFiles: readOpenFiles(),
    importFile: (path) => import(pathToFileURL(path).href),
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

/**
 * Lets V8 optimize late at first: most of what the start and the first call of each operation need
 * is not needed again. Under load, it optimizes as early as it does by default.
 */
function optimizeUnderLoad(): void {
  setFlagsFromString('--interrupt-budget=600000');
  let requests = 0;
  const count = () => {
    requests += 1;
    if (requests < LOAD) return;
    unsubscribe(REQUESTS, count);
    setFlagsFromString('--interrupt-budget=67584');
  };
  subscribe(REQUESTS, count);
}

// Young garbage is collected in two milliseconds: to share that with other threads takes longer.
setFlagsFromString('--no-parallel-scavenge');
// Otherwise V8 collects old garbage when the heap is three times as large as what is in use.
setFlagsFromString('--heap-growing-percent=100');
// V8 runs an expression as bytecode once, and as machine code from then on. Optimizing the
// bytecode takes longer than both.
setFlagsFromString('--no-regexp-peephole-optimization');
// Later versions have no such flag.
if (Number.parseInt(process.versions.v8, 10) < 12) optimizeUnderLoad();

// From 22.8 on, Node.js stores compiled code, of modules that are loaded after this.
if ('enableCompileCache' in modules && typeof modules.enableCompileCache === 'function') {
  modules.enableCompileCache();
}
const { run, storeCode }: Program =
  typeof BUNDLE === 'object' ? loadBundle(BUNDLE) : { run: await import('./commands/run.ts') };
process.exitCode = await run.runProgram(process.argv.slice(2), createConsole(storeCode));
