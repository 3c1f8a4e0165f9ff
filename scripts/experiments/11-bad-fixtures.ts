import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gardens } from './gardens.ts';
import type { LogLine, Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

const GOOD = fixture(['answer: { status: 418, offContract: true }']);
const NOT_RELOADED = 'not reloaded; the mock keeps serving the previous version';

/** A file of 50 MiB takes 7 s on a quiet machine. */
const LONGEST_READING_MILLISECONDS = 90_000;

interface BadFile {
  readonly name: string;
  readonly text: string;
  /** Where the fault is. */
  readonly line: number;
}

const badFiles: readonly BadFile[] = [
  { name: 'no YAML', text: 'rules:\n  - name: [a\n', line: 3 },
  { name: 'an unknown key', text: 'rules:\n  - nme: teapot\n', line: 2 },
  { name: 'a value of another type', text: fixture(['times: often']), line: 4 },
  {
    name: 'a body in a file that is not there',
    text: fixture(['answer: { status: 418, bodyFile: gone.json, offContract: true }']),
    line: 4,
  },
];

await conduct('11: fixture files with faults', async (trial) => {
  const folder = await trial.createFolder({ 'rules.yaml': GOOD });
  const file = join(folder, 'rules.yaml');
  const program = trial.start(['mock', gardens, '--port', '0', '--fixtures', file]);
  const url = await program.url();
  trial.expect((await statusAt(url)) === 418, 'the rule of the good file acts');
  const size = trial.isShort ? 10 : 50;
  for (const bad of [...badFiles, largeFile(size)]) {
    await save(trial, program, url, file, bad);
    await refuse(trial, file, bad);
  }
  await writeFile(file, GOOD.replaceAll('418', '599'));
  for (let waited = 0; waited < 300 && (await statusAt(url)) !== 599; waited++) await sleep(20);
  trial.expect((await statusAt(url)) === 599, 'a good file is taken after all of them');
});

/** Saved while it runs: it is told, and changes nothing. */
async function save(
  trial: Trial,
  program: Program,
  url: string,
  file: string,
  { name, text, line }: BadFile,
): Promise<void> {
  const before = refusals(program).length;
  await writeFile(file, text);
  let slowest = 0;
  const end = performance.now() + LONGEST_READING_MILLISECONDS;
  while (refusals(program).length === before && performance.now() < end) {
    const started = performance.now();
    await statusAt(url);
    slowest = Math.max(slowest, performance.now() - started);
    await sleep(20);
  }
  const told = JSON.stringify(refusals(program)[before] ?? {});
  trial.measured(`${name}: the log`, told.slice(0, 300));
  trial.measured(`${name}: slowest answer meanwhile`, `${Math.round(slowest)} ms`);
  const place = new RegExp(`${basename(file)}.*"line":${line}\\b`);
  trial.expect(place.test(told), `${name}: the log names file and line ${line}`);
  trial.expect((await statusAt(url)) === 418, `${name}: the rules from before act on`);
}

/** Looked at by itself: it is told, and the exit code says so. */
async function refuse(trial: Trial, file: string, { name, line }: BadFile): Promise<void> {
  const program = trial.start(['check', gardens, '--fixtures', file]);
  const { code } = await program.ended;
  const told = `${program.stdout}${program.stderr}`;
  const place = new RegExp(`${basename(file)}:${line}\\b`);
  trial.expect(code === 1, `${name}: check exits with 1: ${code}`);
  trial.expect(place.test(told), `${name}: and names file and line: ${told.trim().slice(0, 200)}`);
}

function refusals(program: Program): readonly LogLine[] {
  return program.log.filter(({ event }) => event === NOT_RELOADED);
}

async function statusAt(url: string): Promise<number> {
  const response = await fetch(`${url}/plants`);
  await response.arrayBuffer();
  return response.status;
}

/** @returns a file with one rule */
function fixture(members: readonly string[]): string {
  const lines = members.map((member) => `    ${member}`);
  return ['rules:', '  - name: teapot', '    enabled: true', ...lines, ''].join('\n');
}

/** Rules of a kibibyte, and a fault in the last one. */
function largeFile(mebibytes: number): BadFile {
  const rules = Array.from({ length: mebibytes * 1_024 }, (_, index) =>
    [
      `  - name: rule-${index}`,
      '    enabled: false',
      `    description: ${'a'.repeat(900)}`,
      '    answer: { status: 418, offContract: true }',
    ].join('\n'),
  );
  const lines = ['rules:', ...rules, '  - nme: teapot', ''];
  return { name: `a file of ${mebibytes} MiB`, text: lines.join('\n'), line: rules.length * 4 + 2 };
}
