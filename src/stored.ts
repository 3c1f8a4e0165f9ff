import { once } from './base/remember.ts';
import { type Bundle, CompiledCode, findCodeFile } from './commands/compiled-code.ts';

/** The built library. */
declare const BUNDLE: Bundle;

/** The time in which most tests use what they use of a mock; milliseconds. */
const FIRST_USES = 1_000;

/**
 * Returns the library with the code that V8 compiled for an earlier process: to compile it again takes
 * a third of the time until a test has its first response. Returns undefined where code is not to be
 * stored, where another runtime would take it, and where source maps are wanted, which Node.js does
 * not read of such code.
 */
function loadStored(): typeof import('./index.ts') | undefined {
  const { env, versions } = process;
  const isWanted = !['false', '0', 'no', 'off'].includes(env['COLDFRAME_CACHE'] ?? '');
  const isNode = versions['bun'] === undefined && versions['deno'] === undefined;
  const file = findCodeFile(process, BUNDLE);
  if (!isWanted || !isNode || process.sourceMapsEnabled || file === undefined) return undefined;
  const code = new CompiledCode(`${__dirname}/${BUNDLE.folder}`, file);
  const library = code.load('index.cjs') as typeof import('./index.ts');
  // Most processes of tests end before the time is over, or without closing their mock. Unlike a
  // timer, a signal is not one of those that a test replaces or counts.
  const store = once(() => code.store());
  AbortSignal.timeout(FIRST_USES).addEventListener('abort', store);
  process.once('exit', store);
  return library;
}

export const library = loadStored();
