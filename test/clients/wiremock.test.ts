import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { findProgram, testWith } from '../support/needs.ts';

const own = fileURLToPath(new URL('wiremock', import.meta.url));
const jars = fileURLToPath(new URL('../../node_modules/wiremock/build', import.meta.url));

/** Java compiles a program of one file before it runs it. */
testWith(findProgram('javac'), test)("WireMock's own Java client works unchanged", async (t) => {
  t.timeout(200_000);
  const folder = await createFolder(t, {
    '__files/yew.json': '{"id": 7, "name": "Yew", "note": "from a file"}',
    'mappings/seventy.json':
      '{"request": {"method": "GET", "url": "/plants/70"}, "response": {"bodyFileName": "yew.json"}}',
  });
  const mock = await createMock({ document: `${own}/garden.openapi.yaml`, wiremock: folder });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  const [jar = ''] = (await readdir(jars)).filter((name) => name.endsWith('.jar'));
  const words = ['-XX:TieredStopAtLevel=1', '-cp', `${jars}/${jar}`, `${own}/Checks.java`, url];
  const { stdout } = await promisify(execFile)('java', words);
  const lines = stdout.trim().split('\n');
  t.deepEqual(
    lines.filter((line) => !line.startsWith('ok ')),
    [],
  );
  t.is(lines.length, 25);
});
