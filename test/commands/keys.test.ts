import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Console } from '../../src/commands/console.ts';
import { obeyKeys } from '../../src/commands/welcome.ts';
import { createLog } from '../../src/events/log.ts';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { documentOf } from '../support/plants.ts';

test('keys show help, open the mock, reload it, clear its state and quit', async (t) => {
  const folder = await createFolder(t, { 'api.yaml': documentOf('one') });
  const document = join(folder, 'api.yaml');
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  const shown: string[] = [];
  const write = (text: string): void => {
    shown.push(text);
  };
  const log = createLog({ level: 'info', form: 'lines', hasColor: false, write, now: () => 0 });
  const waitFor = async (pattern: RegExp): Promise<void> => {
    for (let round = 0; round < 200 && !pattern.test(shown.join('')); round++) {
      await sleep(25);
      log.flush();
    }
    t.regex(shown.join(''), pattern);
  };
  let type: (line: string) => void = () => t.fail('nobody listens');
  const keyboard = {
    onLine: (listener: (line: string) => void) => {
      type = listener;
    },
    open: (url: string) => write(`opened ${url}`),
  };
  const console = { write } as Console;
  const quit = obeyKeys(keyboard, { mock, url: 'http://127.0.0.1:1', console, log });
  type('h');
  t.regex(shown.join(''), /q \+ Enter {2}quit/);
  type('o');
  t.is(shown.at(-1), 'opened http://127.0.0.1:1');
  await writeFile(document, documentOf('two'));
  type('R\r');
  await waitFor(/reloaded: operations 1/);
  t.deepEqual(await (await mock.fetch('/version')).json(), { version: 'two' });
  type('c');
  await waitFor(/the state is cleared/);
  type('no key');
  type('q');
  await t.notThrowsAsync(quit);
});
