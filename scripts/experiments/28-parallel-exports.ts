import { join } from 'node:path';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import { conduct } from './support.ts';

const PLANTS = 3_000;

await conduct('28: many exports of one file at once', async (trial) => {
  const store = ['--store', `file:${join(await trial.createFolder(), 'plants.db')}`];
  const { url } = await trial.startMock([gardens, ...store]);
  const line = new Pipeline(url);
  const ledger = new Ledger();
  const ids = Array.from({ length: PLANTS }, (_, index) => index + 1);
  const replies = await Promise.all(ids.map((id) => ledger.create(line, id)));
  if (!replies.every(isSuccess)) throw new Error('it does not take what it is to keep');
  let isOver = false;
  const writing = (async () => {
    for (let id = PLANTS + 1; !isOver; id++) await ledger.create(line, id);
  })();
  const exports = Array.from({ length: trial.isShort ? 6 : 24 }, async (_, index) => {
    const words = index % 3 === 0 ? ['--url', url] : [gardens, ...store];
    const program = trial.start(['state', 'export', ...words]);
    const { code } = await program.ended;
    return { code, plants: program.stdout.match(/"name": "plant /g)?.length ?? 0 };
  });
  const results = await Promise.all(exports);
  isOver = true;
  await writing;
  line.close();
  const short = results.filter(({ code, plants }) => code === 0 && plants < PLANTS);
  const failed = results.filter(({ code }) => code !== 0);
  trial.expect(short.length === 0, `none of ${results.length} exports is short: ${short.length}`);
  trial.expect(failed.length === 0, `none fails: ${failed.length}`);
});
