import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger, readCollection } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import { conduct, type Trial } from './support.ts';

const PLANTS = 4_000;
const FLIPPED_BYTES = 1_024;

await conduct('5: the file is damaged', async (trial) => {
  const folder = await trial.createFolder();
  const sound = join(folder, 'sound.db');
  const ledger = await fill(trial, sound);
  const { size } = await stat(sound);
  trial.measured('bytes of the file', size);
  const half = join(folder, 'half.db');
  await copyFile(sound, half);
  await truncate(half, Math.floor(size / 2));
  await tryFile(trial, half, 'cut to its half', ledger, true);
  const parts = trial.isShort ? 4 : 24;
  for (let part = 1; part < parts; part++) {
    const file = join(folder, `flipped-${part}.db`);
    await copyFile(sound, file);
    const at = Math.floor((size * part) / parts);
    await flip(file, at);
    await tryFile(
      trial,
      file,
      `${FLIPPED_BYTES} bytes flipped at ${at}`,
      ledger,
      part === parts / 2,
    );
  }
  await tryOther(trial, folder);
});

async function fill(trial: Trial, file: string): Promise<Ledger> {
  const { program, url } = await trial.startMock([gardens, '--store', `file:${file}`]);
  const ledger = new Ledger();
  const line = new Pipeline(url);
  const ids = Array.from({ length: PLANTS }, (_, index) => index + 1);
  const replies = await Promise.all(ids.map((id) => ledger.create(line, id)));
  if (!replies.every(isSuccess)) throw new Error('it does not take what it is to keep');
  line.close();
  const { code } = await program.end();
  trial.expect(code === 0, `it ends with 0: ${code}`);
  return ledger;
}

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const bytes = Buffer.alloc(FLIPPED_BYTES);
  const { bytesRead } = await handle.read(bytes, 0, FLIPPED_BYTES, at);
  for (let index = 0; index < bytesRead; index++) bytes[index] = (bytes[index] ?? 0) ^ 0xff;
  await handle.write(bytes, 0, bytesRead, at);
  await handle.close();
}

/**
 * Starts with a damaged file: it is refused and left as it is, or, where the damage hit what
 * nothing is kept in, all is there.
 */
async function tryFile(
  trial: Trial,
  file: string,
  what: string,
  ledger: Ledger,
  mustRefuse: boolean,
): Promise<void> {
  const before = await readFile(file);
  const words = ['mock', gardens, '--no-watch', '--port', '0', '--store', `file:${file}`];
  const program = trial.start(words);
  const url = await program.url().catch(() => undefined);
  if (url !== undefined) {
    trial.expect(!mustRefuse, `${what}: it is served`);
    ledger.judge(trial, await readCollection(url), `${what}: served`);
    await program.end();
    return;
  }
  const { code } = await program.ended;
  trial.measured(what, program.stderr.trim());
  const lines = program.stderr.split('\n').filter((line) => line !== '');
  const isClear = lines.length === 1 && program.stderr.includes(file);
  trial.expect(isClear && code === 1, `${what}: one line names the file, the exit code is 1`);
  trial.expect(before.equals(await readFile(file)), `${what}: the file is left as it was`);
}

/** A file of somebody else is not taken for an empty store. */
async function tryOther(trial: Trial, folder: string): Promise<void> {
  const file = join(folder, 'letter.txt');
  await copyFile(gardens, file);
  await tryFile(trial, file, 'a file of something else', new Ledger(), true);
}
