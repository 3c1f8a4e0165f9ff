import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { findDocuments } from '../../scripts/sweep/find-documents.ts';
import { describeStart } from '../../src/commands/welcome.ts';
import { createMock, type MockOptions } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { findProgram, testWith } from '../support/needs.ts';
import { startCommand } from '../support/program.ts';

/** Pastes the command that the welcome of a mock shows. @returns what it prints */
async function pasteFirst(t: ExecutionContext, options: MockOptions): Promise<string | undefined> {
  const mock = await createMock(options);
  const server = await mock.listen({ port: 0 });
  const { token = [] } = options;
  const welcome = describeStart(mock, server, {
    document: 'it',
    hasColor: false,
    tokens: [token].flat(),
  });
  const line = /^ *(curl .*)$/m.exec(welcome)?.[1];
  const pasted = line && (await startCommand(t, 'sh', ['-c', line]).ended).stdout;
  await mock.close();
  return pasted;
}

const curl = findProgram('curl');
const shared = fileURLToPath(new URL('../../../shared/documents', import.meta.url));

testWith(curl && shared)('the command to paste is accepted, whatever the document', async (t) => {
  for (const document of findDocuments(shared)) {
    // One refers to a file outside of its folder, and some have nothing but webhooks.
    const hasPaths = /^\s*["']?paths\b/m.test(readFileSync(document, 'utf8'));
    if (!hasPaths || document.includes('petstore-separate')) continue;
    t.regex((await pasteFirst(t, { document })) ?? 'no command', /^HTTP\/1\.1 2\d\d /, document);
  }
});

const parameters = [
  { name: 'shop', in: 'query', required: true, schema: { type: 'string' }, example: 'a b&c' },
  { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'integer' } },
  {
    name: 'tags',
    in: 'path',
    required: true,
    schema: { type: 'array', items: { type: 'string' } },
    example: ['x', 'y'],
  },
];

function documentOf(paths: object) {
  const securitySchemes = { key: { type: 'apiKey', in: 'cookie', name: 'sid' } };
  const info = { title: 'Shop', version: '1' };
  return {
    openapi: '3.1.0',
    info,
    security: [{ key: [] }],
    paths,
    components: { securitySchemes },
  };
}

const responses = { 200: { description: 'ok' } };

testWith(curl)('the command to paste fills path, query, fields and credentials', async (t) => {
  const paths = { '/shops/{tags}': { get: { parameters, responses } } };
  const folder = await createFolder(t, { 'api.json': JSON.stringify(documentOf(paths)) });
  const document = `/v1=${join(folder, 'api.json')}`;
  const pasted = await pasteFirst(t, { document, token: ["s3cret's"] });
  t.regex(pasted ?? '', /^HTTP\/1\.1 200 /);
});

testWith(curl)('a read without required parameters is the command to paste', async (t) => {
  const item = { get: { operationId: 'one', parameters: [parameters[0]], responses } };
  const post = { responses };
  const get = {
    responses: { 200: { description: 'ok', content: { 'text/plain': { example: 'all' } } } },
  };
  const folder = await createFolder(t, {
    'api.json': JSON.stringify(documentOf({ '/a': { post }, '/b': item, '/c': { get } })),
  });
  t.regex((await pasteFirst(t, { document: join(folder, 'api.json') })) ?? '', /all$/);
});

test('a document whose requests cannot be made has no command to paste', async (t) => {
  const schema = { type: 'string', minLength: 2, maxLength: 1 };
  const q = { name: 'q', in: 'query', required: true, schema };
  const folder = await createFolder(t, {
    'api.json': JSON.stringify(documentOf({ '/a': { get: { parameters: [q], responses } } })),
  });
  t.is(await pasteFirst(t, { document: join(folder, 'api.json') }), undefined);
});
