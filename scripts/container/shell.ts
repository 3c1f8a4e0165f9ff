import { delimiter } from 'node:path';
import { fault, type Instruction } from './dockerfile.ts';

/** PATH without the project's own packages: what a stage runs, the stage must have. */
export function cleanPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter);
}

/**
 * The environment for a command of a stage: this machine's, because it says how packages are
 * reached, without what a surrounding npm, Node or Coldframe would leave in it.
 */
export function cleanEnvironment(path: string): Record<string, string> {
  const foreign =
    /^(npm_(package|lifecycle)_|npm_config_(local_prefix|global_prefix|prefix)$|NODE_(ENV|OPTIONS|PATH)$|COLDFRAME_|INIT_CWD$)/;
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || foreign.test(name) ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(kept), PATH: path };
}

/**
 * Stages share this machine's file system, so only what stays in its own folder may run here.
 *
 * @throws {Failure} for a RUN that an engine could carry out and the rehearsal must not
 */
export function checkHarmless(instruction: Instruction): void {
  const { text } = instruction;
  const commands = text.split(/&&|\|\||[;|&\n]/).map((command) => command.trim().split(/\s+/)[0]);
  const foreign = commands.find((command) => command !== 'npm' && command !== 'node');
  if (foreign !== undefined) {
    throw fault(instruction, `of ${foreign} would act on this machine; teach the rehearsal first`);
  }
  if (/(^|[\s=:'"(>])(\/|~|\.\.)/.test(text) || /[`$]/.test(text)) {
    throw fault(instruction, 'may leave its folder on this machine; teach the rehearsal first');
  }
}
