import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPlant } from './plants.ts';
import { conduct } from './support.ts';

await conduct('21: port 0 takes a free port, and programs are told which', async (trial) => {
  const folder = await trial.createFolder();
  const file = join(folder, 'port');
  const words = ['mock', '--no-watch', '--port', '0', '--port-file', file];
  const programs = [trial.start(words), trial.start(words.slice(0, 4))];
  const [first, second] = await Promise.all(programs.map((program) => program.url()));
  const lines = programs.map(({ stdout }) => stdout.split('\n')[0] ?? '');
  trial.measured('the first line on standard output', lines[0] ?? '');
  trial.expect(
    lines.every((line) => typeof JSON.parse(line).url === 'string'),
    'it is JSON, and its member url says where',
  );
  trial.expect(first !== second, 'two programs have two ports');
  trial.expect((await createPlant(first ?? '', 1)) === 200, 'it answers there');
  trial.expect(
    existsSync(file) && readFileSync(file, 'utf8') === `${new URL(first ?? '').port}\n`,
    'the port file holds the port',
  );
  const nowhere = trial.start([...words.slice(0, 5), join(folder, 'missing', 'port')]);
  const { code } = await nowhere.ended;
  trial.measured('a port file that cannot be written', nowhere.stderr.trim());
  const isTold = nowhere.stderr.split('\n').length === 2 && nowhere.stderr.includes('missing');
  trial.expect(isTold && code === 1, `that is told in one line, with exit code 1: ${code}`);
});
