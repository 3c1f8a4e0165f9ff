import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { once } from './base/remember.ts';
import { type Bundle, CompiledCode, findCodeFile } from './commands/compiled-code.ts';

/** The built library. */
declare const BUNDLE: Bundle;

/** The time in which most tests use what they use of a mock; milliseconds. */
const FIRST_USES = 1_000;

/**
 * Loads the library with the code that V8 compiled for an earlier process: to compile it again takes
 * a third of the time until a test has its first response. Node.js imports this file in place of
 * `index.ts`; a bundler, which cannot follow it, takes `index.ts`.
 */
function loadLibrary(): typeof import('./index.ts') {
  const { env, execArgv } = process;
  const isStored = !['false', '0', 'no', 'off'].includes(env['COLDFRAME_CACHE'] ?? '');
  const flags = crc32([env['NODE_OPTIONS'], ...execArgv].join(' ')).toString(16);
  const file = isStored ? findCodeFile(process, BUNDLE, `-library-${flags}`) : undefined;
  const folder = fileURLToPath(new URL(BUNDLE.folder, import.meta.url));
  const code = new CompiledCode(folder, file);
  const library = code.load('index.cjs') as typeof import('./index.ts');
  // Most processes of tests end before the time is over, or without closing their mock.
  const store = once(() => code.store());
  setTimeout(store, FIRST_USES).unref();
  process.once('exit', store);
  return library;
}

export const {
  ControlError,
  connect,
  createMock,
  Decimal,
  DiagnosticError,
  formatDiagnostic,
  Problem,
  problems,
  systemClock,
  UsageError,
  VerificationError,
} = loadLibrary();
