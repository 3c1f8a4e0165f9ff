import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Of the times of a process in /proc. */
const TICKS_A_SECOND = 100;

/** Returns the beginning of a command line that runs the rest on one CPU; Linux only. */
export function pinTo(cpu: number): readonly string[] {
  return ['taskset', '--cpu-list', String(cpu)];
}

/** Returns true where a server may have CPU 0 and the load generator CPU 1. */
export function canPin(): boolean {
  return (
    availableParallelism() >= 2 &&
    [0, 1].every((cpu) => {
      const [taskset = '', ...rest] = pinTo(cpu);
      return spawnSync(taskset, [...rest, process.execPath, '--version']).status === 0;
    })
  );
}

/** @returns the processor time that a process has taken, with its children's; Linux only */
export function processorSeconds(pid: number): number {
  return (
    ownProcessorSeconds(pid) +
    childrenOf(pid).reduce((sum, child) => sum + processorSeconds(child), 0)
  );
}

/** @returns the memory that a process has resident, with its children's; MiB, Linux only */
export function residentMebibytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  return own + childrenOf(pid).reduce((sum, child) => sum + residentMebibytes(child), 0);
}

/** @returns the processor time of a process without its children's; seconds, Linux only */
export function ownProcessorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in the second field may hold anything but one more closing parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) / TICKS_A_SECOND;
}

/** @returns the processes that a process has started, with theirs; none outside Linux */
export function descendantsOf(pid: number): readonly number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function childrenOf(pid: number): readonly number[] {
  const text = textOrNone(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function textOrNone(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
