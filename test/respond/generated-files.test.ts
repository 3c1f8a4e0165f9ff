import { join } from 'node:path';
import test from 'ava';
import { createMock } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';

/** Media types, each with the bytes that its files begin with. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff',
  'image/gif': 'GIF89a',
  'image/webp': 'RIFF',
  'application/pdf': '%PDF-1.',
  'application/zip': 'PK\x03\x04',
  'application/gzip': '\x1f\x8b\x08',
  'audio/mpeg': '\xff\xfb',
  'audio/wav': 'RIFF',
};

const binary = { type: 'string', format: 'binary' };

const respondingWith = (mediaType: string, schema: object) => ({
  get: { responses: { '200': { description: 'File', content: { [mediaType]: { schema } } } } },
});

test('a generated response of a media type of files is a file of that type', async (t) => {
  const paths = Object.keys(beginnings).map((type) => [`/${type}`, respondingWith(type, binary)]);
  const document = {
    ...{ openapi: '3.0.3', info: { title: 'Files', version: '1' } },
    paths: {
      ...Object.fromEntries(paths),
      '/short': respondingWith('image/png', { ...binary, maxLength: 5 }),
    },
  };
  const folder = await createFolder(t, { 'files.json': JSON.stringify(document) });
  const mock = await createMock({ document: join(folder, 'files.json') });
  t.teardown(() => mock.close());
  for (const [type, beginning] of Object.entries(beginnings)) {
    const response = await mock.fetch(`http://mock/${type}`);
    t.is(response.headers.get('content-type'), type);
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
    t.is(body.slice(0, beginning.length), beginning, type);
  }
  const short = await mock.fetch('http://mock/short');
  t.true((await short.arrayBuffer()).byteLength <= 5);
});
