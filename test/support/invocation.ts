import type { Console, Invocation } from '../../src/commands/console.ts';
import { readCommandLine } from '../../src/settings/command-line.ts';
import type { Settings } from '../../src/settings/settings.ts';

/** Returns what a command gets from a command line without flags, besides what is given. */
export function invocation(
  settings: Settings,
  console: Console,
  given: Partial<Invocation> = {},
): Invocation {
  return { ...readCommandLine([]), settings, console, operands: [], hasDocument: false, ...given };
}
