import { becomes, openLines } from './lines.ts';
import { createPlant } from './plants.ts';
import { conduct } from './support.ts';

await conduct('14: more connections than files may be open', async (trial) => {
  const through = ['bash', '-c', 'ulimit -n 64; exec "$@"', '-'];
  const { program, url } = await trial.startMock([], { through });
  await createPlant(url, 0);
  const before = program.openFiles();
  const lines = await openLines(url, 200);
  const told = () => program.log.filter((line) => line['event'] === 'connections-refused');
  await becomes(() => told().length > 0, 5_000);
  const held = lines.sockets.length - lines.ended();
  trial.measured('files open before', before);
  trial.measured('connections held of 200', held);
  trial.expect(held < 200, 'not all are held');
  trial.expect(program.isRunning, 'the program runs on');
  trial.measured('lines of the log that tell of it', told().length);
  trial.expect(told().length > 0, 'it is logged');
  trial.expect(told().length < 10, 'in few lines, not in one for each');
  lines.close();
  await becomes(() => program.openFiles() <= before + 1, 10_000);
  const began = performance.now();
  const status = await createPlant(url, 1).catch(() => 0);
  trial.measured('answered after they were closed', `${(performance.now() - began).toFixed(0)} ms`);
  trial.expect(status === 200, 'requests are answered again once they are closed');
  trial.expect(program.openFiles() <= before + 2, 'no file is left open');
});
