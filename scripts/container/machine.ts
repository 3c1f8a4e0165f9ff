import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The abilities of this machine that the rehearsal uses. */
export interface Machine {
  readonly isRoot: boolean;
  /** Processes can get a PID namespace, in which the first is PID 1. */
  readonly hasNamespaces: boolean;
  /** In there, file systems can be made read-only. */
  readonly hasReadOnlyRoot: boolean;
}

/** A folder that is gone when the process exits, however it comes to that. */
export function createScratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'coldframe-container-'));
  process.once('exit', () => {
    // Parts of it may have been made read-only.
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  // Another user is to run what lies in there.
  chmodSync(folder, 0o755);
  return folder;
}

/** Tries things out, as what is permitted differs from one machine to the next. */
export function examineMachine(scratch: string): Machine {
  const isRoot = process.getuid?.() === 0;
  const succeeds = ([file = '', ...words]: readonly string[]): boolean =>
    spawnSync(file, words, { stdio: 'ignore' }).status === 0;
  const hasNamespaces = isRoot && succeeds(inNamespace(false, ['true']));
  const probe = join(scratch, 'probe');
  const hasReadOnlyRoot =
    hasNamespaces &&
    succeeds(inNamespace(true, ['true'])) &&
    !succeeds(inNamespace(true, ['touch', probe]));
  return { isRoot, hasNamespaces, hasReadOnlyRoot };
}

/** Of all mounts but those that a read-only container has writable, too. */
const READ_ONLY_SCRIPT = `
while read -r _ target _; do
  case $target in
    /proc | /proc/* | /sys | /sys/* | /dev | /dev/*) ;;
    *) mount -o remount,bind,ro "$target" 2>/dev/null ;;
  esac
done </proc/self/mounts
exec "$@"`;

/** @returns the command that runs another as PID 1, ended with its parent */
export function inNamespace(isReadOnly: boolean, command: readonly string[]): readonly string[] {
  return [
    ...['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--'],
    ...(isReadOnly ? ['sh', '-c', READ_ONLY_SCRIPT, 'sh'] : []),
    ...command,
  ];
}

/** @returns the command that runs another as a user without privileges; needs root */
export function asUser(id: number, command: readonly string[]): readonly string[] {
  const ids = [`--reuid=${id}`, `--regid=${id}`, '--clear-groups'];
  return ['setpriv', ...ids, '--no-new-privs', '--inh-caps=-all', '--', ...command];
}
