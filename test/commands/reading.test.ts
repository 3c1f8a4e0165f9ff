import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { showReading } from '../../src/commands/reading.ts';
import { createFolder } from '../support/folder.ts';
import { start } from '../support/program.ts';

const SMALL = `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths: { /plants: { get: { responses: { '204': { description: none } } } } }
`;

/** A YAML document of 12 MB, which takes a second to read. */
const LARGE = `${SMALL}components:\n  schemas:\n${Array.from(
  { length: 40_000 },
  (_, index) =>
    `    Plant${index}: { type: object, description: ${'A plant. '.repeat(24).trim()}, required: [id], properties: { id: { type: integer } } }\n`,
).join('')}`;

function createDocuments(t: ExecutionContext): Promise<string> {
  return createFolder(t, { 'small.yaml': SMALL, 'large.yaml': LARGE });
}

test('the log says that a large document is being read before the mock listens', async (t) => {
  const folder = await createDocuments(t);
  const running = start(t, ['large.yaml', '--port', '0', '--no-cache'], { folder });
  t.like(await running.logged('reading'), { document: 'large.yaml', bytes: LARGE.length });
  await running.logged('listening');
  t.deepEqual(
    running.lines.slice(0, 2).map(({ event }) => event),
    ['reading', 'listening'],
  );
  await running.end();
});

test('a signal that comes while a document is read ends the mock before it listens', async (t) => {
  const folder = await createDocuments(t);
  const running = start(t, ['large.yaml', '--port', '0', '--no-cache'], { folder });
  await running.logged('reading');
  const { code } = await running.end('SIGINT');
  t.is(code, 0);
  t.deepEqual(
    running.lines.map(({ event }) => event),
    ['reading'],
  );
});

test('a terminal shows which large documents are read, until they are', async (t) => {
  const folder = await createDocuments(t);
  const [small, large] = ['small.yaml', 'large.yaml'].map((name) => join(folder, name));
  const written = (...document: (string | undefined)[]) => {
    const texts: string[] = [];
    const log = { info: () => t.fail(), flush: () => t.fail() };
    const names = document.filter((one) => one !== undefined);
    showReading({ document: names }, log, (text) => texts.push(text))();
    return texts;
  };
  const size = `${(LARGE.length / 1e6).toFixed(LARGE.length < 1e7 ? 1 : 0)} MB`;
  t.deepEqual(written(small, `/more=${large}`), [`  reading large.yaml (${size}) …`, '\r\u001b[K']);
  t.deepEqual(written(small), []);
  // What cannot be read is reported where it is read.
  t.deepEqual(written('missing.yaml', 'x'.repeat(10_000), String(pathToFileURL('/a'))), []);
});
