// Runs the fault experiments, or those whose numbers are given, one after the other, each as a
// process of its own; exits with 1 when one of them failed. `--short` leaves out what takes long.
//
//   tsx scripts/experiments.ts [--short] [number…]

import { spawnSync } from 'node:child_process';
import { findExperiments } from './experiments/find-experiments.ts';

const words = process.argv.slice(2);
const numbers = words.filter((word) => /^\d+$/.test(word)).map(Number);
const flags = words.filter((word) => word === '--short');
const failed: number[] = [];
for (const { number, file } of findExperiments()) {
  if (numbers.length > 0 && !numbers.includes(number)) continue;
  const { status } = spawnSync(process.execPath, ['--import=tsx', file, ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) failed.push(number);
}
console.log(failed.length === 0 ? '\nall held' : `\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
