import { join } from 'node:path';
import test from 'ava';
import { root } from './support/installed.ts';
import { startCommand } from './support/program.ts';

const BENCHMARKS = ['run', 'state', 'cost', 'memory', 'sizes', 'stores', 'peers/run'];

for (const name of BENCHMARKS) {
  const run = (t: Parameters<typeof startCommand>[0], flag: string) =>
    startCommand(t, process.execPath, ['--import=tsx', join('bench', `${name}.ts`), flag], {
      folder: root,
    }).ended;

  test(`bench/${name}.ts explains its flags, and measures nothing for --help`, async (t) => {
    const { code, stdout, stderr } = await run(t, '--help');
    t.is(code, 0, stderr);
    t.regex(stdout, /^Usage: np[mx] .+ \[flags\]\n\n( {2}--[a-z]+ [A-Z]+ .+\n)+ {2}--help /);
  });

  test(`bench/${name}.ts ends with status 2 for a flag that it does not have`, async (t) => {
    const { code, stdout, stderr } = await run(t, '--round=3');
    t.is(code, 2);
    t.is(stdout, '');
    t.regex(stderr, /^Unknown option '--round'\.?.*\nRun np[mx] .+ --help for the flags\.\n$/);
  });
}

test('a benchmark refuses numbers and names that it cannot use', async (t) => {
  const run = (...flags: readonly string[]) =>
    startCommand(t, process.execPath, ['--import=tsx', 'bench/run.ts', ...flags], { folder: root })
      .ended;
  const [number, name] = await Promise.all([run('--rounds', 'x'), run('--part', 'start')]);
  t.is(number.code, 2);
  t.true(number.stderr.startsWith("--rounds takes a whole number from 1 to 1000, not 'x'\n"));
  t.is(name.code, 2);
  t.regex(name.stderr, /^--part takes throughput, latency, .+, not 'start'\n/);
});
