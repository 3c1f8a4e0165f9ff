import { randomInt } from 'node:crypto';
import { copyFile, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

const PLANTS = 500;
const PAGE = 4_096;
const LONGEST_MILLISECONDS = 600_000;

async function damageFiles(trial: Trial): Promise<void> {
  const folder = await trial.createFolder();
  const sound = await fill(trial, folder);
  const tries = trial.isShort ? 6 : 60;
  const seen = new Map<string, number>();
  for (let number = 0; number < tries; number++) {
    const file = join(folder, `${number}.db`);
    await copyFile(sound, file);
    // After a kill, the log has what was written last.
    if (number % 2 === 0) await copyFile(`${sound}-wal`, `${file}-wal`);
    const target = number % 4 === 0 ? `${file}-wal` : file;
    const isRunning = number % 3 === 0;
    const outcome = isRunning
      ? await tryRunning(trial, file, target)
      : await tryStart(trial, file, target);
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  }
  for (const [outcome, count] of seen) trial.measured(outcome, count);
}

/** Returns a file with a log beside it, as it is after `kill -9`. */
async function fill(trial: Trial, folder: string): Promise<string> {
  const file = join(folder, 'sound.db');
  const ledger = new Ledger();
  for (const first of [1, PLANTS + 1]) {
    const { program, url } = await trial.startMock([gardens, '--store', `file:${file}`]);
    const line = new Pipeline(url);
    const ids = Array.from({ length: PLANTS }, (_, index) => first + index);
    const replies = await Promise.all(ids.map((id) => ledger.create(line, id)));
    if (!replies.every(isSuccess)) throw new Error('it does not take what it is to keep');
    line.close();
    await program.end(first === 1 ? 'SIGTERM' : 'SIGKILL');
  }
  return file;
}

/** Changes a file in one of the ways of disks, editors and copies that were broken off. */
async function damage(file: string): Promise<string> {
  const handle = await open(file, 'r+');
  const { size } = await handle.stat();
  const at = randomInt(size);
  const kind = randomInt(5);
  try {
    if (kind === 0) {
      await handle.truncate(at);
      return `truncated to ${at}`;
    }
    const length = [0, 1, 64, 1_024, PAGE][kind] ?? 1;
    const bytes = Buffer.alloc(Math.min(length, size - at));
    if (kind === 2) bytes.fill(0xff);
    if (kind === 3) for (const index of bytes.keys()) bytes[index] = randomInt(256);
    if (kind === 1) {
      await handle.read(bytes, 0, 1, at);
      bytes[0] = (bytes[0] ?? 0) ^ (1 << randomInt(8));
    }
    await handle.write(bytes, 0, bytes.length, at);
    return `${['', 'a flipped bit', 'bytes 0xff', 'random bytes', 'zeros'][kind]} at ${at}`;
  } finally {
    await handle.close();
  }
}

async function tryStart(trial: Trial, file: string, target: string): Promise<string> {
  const what = `${await damage(target)} of ${target}`;
  const before = await readFile(file);
  const words = ['mock', gardens, '--no-watch', '--port', '0', '--store', `file:${file}`];
  const program = trial.start(words);
  const url = await program.url().catch(() => undefined);
  if (url !== undefined) {
    await use(url, 1);
    await demandEnd(trial, program, what);
    return 'started';
  }
  const { code } = await program.ended;
  const lines = program.stderr.split('\n').filter((line) => line !== '');
  if (lines.length !== 1 || !program.stderr.includes(file) || code !== 1) {
    trial.expect(false, `${what}: one line names the file, the exit code is 1: ${program.stderr}`);
  }
  if (!before.equals(await readFile(file))) trial.expect(false, `${what}: the file is as it was`);
  return 'refused to start';
}

async function tryRunning(trial: Trial, file: string, target: string): Promise<string> {
  const words = [gardens, '--store', `file:${file}`];
  const { program, url } = await trial.startMock(words);
  // A second process, whose changes make the first one read the file again.
  const other = await trial.startMock(words);
  await use(url, 1);
  const what = `in use, ${await damage(target)} of ${target}`;
  for (let round = 2; round < 12; round++) {
    await use(other.url, round * 100).catch(() => undefined);
    await use(url, round * 100 + 50).catch(() => undefined);
  }
  await demandEnd(trial, program, what);
  await demandEnd(trial, other.program, what);
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
  return 'ran on';
}

async function use(url: string, first: number): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  for (let id = first; id < first + 10; id++) {
    await fetch(`${url}/plants/${id}`).then((response) => response.text());
    const body = JSON.stringify({ id: id + 10_000, name: `plant ${id}` });
    const init = { method: 'POST', headers, body };
    await fetch(`${url}/plants`, init).then((response) => response.text());
  }
  await fetch(`${url}/__admin/state`).then((response) => response.text());
}

/** A program that is alive ends by itself when it is asked to. */
async function demandEnd(trial: Trial, program: Program, what: string): Promise<void> {
  const { code, signal } = await program.end();
  const reason = program.stderr.trim().split('\n', 2).join(' ');
  if (code !== 0) trial.expect(false, `${what}: it ends with 0, not ${code ?? signal}: ${reason}`);
}

await conduct(
  '29: files are damaged at random, at rest and in use',
  damageFiles,
  LONGEST_MILLISECONDS,
);
