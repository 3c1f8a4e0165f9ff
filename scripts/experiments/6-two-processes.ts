import { join } from 'node:path';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger, readCollection } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

const WRITERS = 4;

await conduct('6: two processes on one file', async (trial) => {
  const folder = await trial.createFolder();
  const file = join(folder, 'plants.db');
  const words = ['mock', gardens, '--no-watch', '--port', '0', '--store', `file:${file}`];
  const first = trial.start(words);
  const url = await first.url();
  const second = trial.start(words);
  const otherUrl = await second.url().catch(() => undefined);
  const urls = otherUrl === undefined ? [url] : [url, otherUrl];
  if (otherUrl === undefined) await refused(trial, second, file);
  else trial.measured('the second', 'serves as well');
  const ledger = new Ledger();
  const notes = await writeAll(trial, urls, ledger, trial.isShort ? 200 : 2_000);
  for (const [index, one] of urls.entries()) {
    ledger.judge(trial, await readCollection(one), `process ${index + 1}`);
  }
  trial.expect(
    new Set(notes).size === notes.length,
    `${notes.length} given numbers are all others`,
  );
  await Promise.all([first.end('SIGKILL'), second.end('SIGKILL')]);
  const { url: later } = await trial.startMock([gardens, '--store', `file:${file}`]);
  ledger.judge(trial, await readCollection(later), 'both killed, one started');
});

async function refused(trial: Trial, second: Program, file: string): Promise<void> {
  const { code } = await second.ended;
  trial.measured('the second', second.stderr.trim());
  const lines = second.stderr.split('\n').filter((line) => line !== '');
  trial.expect(
    lines.length === 1 && second.stderr.includes(file) && code === 1,
    'the second is refused in one line that names the file, with 1',
  );
}

/** Several writers at each, at once. @returns the numbers that notes were given */
async function writeAll(
  trial: Trial,
  urls: readonly string[],
  ledger: Ledger,
  creates: number,
): Promise<readonly number[]> {
  const notes: number[] = [];
  const others = new Map<number, number>();
  const write = async (url: string, first: number): Promise<void> => {
    const line = new Pipeline(url);
    for (let id = first; id < first + creates; id++) {
      const created = await ledger.create(line, id);
      if (!isSuccess(created))
        others.set(created?.status ?? 0, (others.get(created?.status ?? 0) ?? 0) + 1);
      const note = await line.send('/notes', { method: 'POST', body: '{"text":"watered"}' });
      const number = /"id":(\d+)/.exec(note?.body ?? '')?.[1];
      if (number !== undefined) notes.push(Number(number));
    }
    line.close();
  };
  const writers = Array.from({ length: urls.length * WRITERS }, (_, index) =>
    write(urls[index % urls.length] ?? '', index * creates + 1),
  );
  await Promise.all(writers);
  for (const [status, count] of others) trial.measured(`answered ${status}`, count);
  trial.expect(others.size === 0, 'neither keeps the other from writing');
  return notes;
}
