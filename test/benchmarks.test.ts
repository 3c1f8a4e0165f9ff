import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { root } from './support/installed.ts';
import { startCommand } from './support/program.ts';

function runBenchmark(t: ExecutionContext, name: string, ...flags: readonly string[]) {
  const words = ['--import=tsx', join('bench', `${name}.ts`), ...flags];
  return startCommand(t, process.execPath, words, { folder: root }).ended;
}

for (const name of ['run', 'state', 'cost', 'memory', 'sizes', 'stores', 'peers/run']) {
  test(`bench/${name}.ts explains its flags, and measures nothing for --help`, async (t) => {
    const { code, stdout, stderr } = await runBenchmark(t, name, '--help');
    t.is(code, 0, stderr);
    t.regex(stdout, /^Usage: np[mx] .+ \[flags\]\n\n( {2}--[a-z]+ [A-Z]+ .+\n)+ {2}--help /);
  });
}

const refusals: ReadonlyMap<string, RegExp> = new Map([
  ['--round=3', /^Unknown option '--round'/],
  ['--rounds=x', /^--rounds takes a whole number from 1 to 1000, not 'x'\n/],
  ['--only=coldframe,prisma', /^--only takes coldframe, prism, .+, not 'prisma'\n/],
]);

for (const [flag, reason] of refusals) {
  test(`a benchmark ends with status 2 for ${flag}, and names the remedy`, async (t) => {
    const { code, stdout, stderr } = await runBenchmark(t, 'peers/run', flag);
    t.is(code, 2);
    t.is(stdout, '');
    t.regex(stderr, reason);
    t.true(stderr.endsWith('Run npx tsx bench/peers/run.ts --help for the flags.\n'));
  });
}
