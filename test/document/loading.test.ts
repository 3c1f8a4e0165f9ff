import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock } from '../../src/assemble/mock.ts';
import type { MockOptions } from '../../src/assemble/mock-interface.ts';
import { diagnosticsOf } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';

type Files = Readonly<Record<string, string>>;

/** Serves documents of a folder in process. */
async function serve(
  t: ExecutionContext,
  files: Files,
  document: string | readonly string[],
  options: MockOptions = {},
): Promise<{ mock: Mock; folder: string }> {
  const folder = await createFolder(t, files);
  const inFolder = (name: string): string =>
    name.startsWith('/') ? name.replace('=', `=${folder}/`) : join(folder, name);
  const named = [document].flat().map(inFolder);
  const mock = await createMock({ ...options, document: named });
  return { mock, folder };
}

async function bodyOf(mock: Mock, target: string, init?: RequestInit): Promise<unknown> {
  const response = await mock.fetch(target, init);
  return { status: response.status, body: await response.json() };
}

/** A web server of text files, or of URLs to go to; it keeps the paths that were asked for. */
async function serveFiles(t: ExecutionContext, files: Readonly<Record<string, string | Buffer>>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const text = files[request.url ?? ''];
    const isRedirection = typeof text === 'string' && text.startsWith('http://');
    if (isRedirection) response.setHeader('location', text);
    response.statusCode = text === undefined ? 404 : isRedirection ? 302 : 200;
    response.end(text ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const OK = "responses: { '200': { description: ok } }";

/** A document whose `GET /seed` answers what another file's schema says. */
function referringTo(reference: string, version = '3.1.0'): string {
  return `openapi: ${version}
info: { title: T, version: "1" }
paths:
  /seed:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json: { schema: { $ref: '${reference}' } }
  /sound:
    get: { ${OK} }
`;
}

const SEED = 'type: object\nrequired: [name]\nproperties: { name: { const: bean } }\n';

test('several files form one document', async (t) => {
  const { mock } = await serve(
    t,
    {
      'api/openapi.yaml':
        'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n  /seed: { $ref: paths/seed.yaml }\n',
      'api/paths/seed.yaml':
        "get:\n  responses:\n    '200':\n      description: ok\n      content:\n        application/json:\n          schema: { $ref: ../schemas.yaml#/Seed }\n",
      'api/schemas.yaml': `Name: { const: bean }\nSeed:\n  type: object\n  required: [name]\n  properties: { name: { $ref: '#/Name' } }\n`,
    },
    'api/openapi.yaml',
  );
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'bean' } });
});

test('an error in another file has the name and line of that file', async (t) => {
  const folder = await createFolder(t, {
    'openapi.yaml': referringTo('./schemas.yaml#/Seed'),
    'schemas.yaml': 'Seed:\n  type: object\n  properties:\n    name: { $ref: "#/Nowhere" }\n',
  });
  const mock = await createMock({ document: join(folder, 'openapi.yaml') });
  const response = await mock.fetch('/seed');
  t.is(response.status, 501);
  t.regex(
    await response.text(),
    /schemas\.yaml:4:\d+ error: the reference \\"#\/Nowhere\\" leads to nothing/,
  );
});

test('the valid part of a document is served, and the rest reports its error', async (t) => {
  const { mock } = await serve(t, { 'a.yaml': referringTo('#/components/schemas/None') }, 'a.yaml');
  t.is((await mock.fetch('/sound')).status, 200);
  const response = await mock.fetch('/seed');
  t.is(response.status, 501);
  t.regex(await response.text(), /a\.yaml:10:\d+ .* leads to nothing/);
});

test('a strict mock refuses a document with any error', async (t) => {
  const folder = await createFolder(t, {
    'a.yaml': referringTo('#/components/schemas/None'),
  });
  const document = join(folder, 'a.yaml');
  const [fault] = await diagnosticsOf(() => createMock({ document, strict: true }));
  t.regex(fault?.message ?? '', /leads to nothing/);
});

test('a file outside the folder of the document is read only if allowed', async (t) => {
  const files = { 'api/openapi.yaml': referringTo('../seed.yaml'), 'seed.yaml': SEED };
  const { mock, folder } = await serve(t, files, 'api/openapi.yaml');
  const response = await mock.fetch('/seed');
  t.is(response.status, 501);
  const text = await response.text();
  t.regex(text, /it is outside of the folder of the document/);
  t.regex(text, /--allow-reference/);
  const allowed = await createMock({
    document: join(folder, 'api/openapi.yaml'),
    allowReference: [folder],
  });
  t.deepEqual(await bodyOf(allowed, '/seed'), { status: 200, body: { name: 'bean' } });
});

test('a document may refer to every file of its repository', async (t) => {
  const files = {
    'shop/.git/HEAD': 'ref: refs/heads/main\n',
    'shop/api/openapi.yaml': referringTo('../shared/seed.yaml'),
    'shop/api/other.yaml': referringTo('../../seed.yaml'),
    'shop/shared/seed.yaml': SEED,
    'seed.yaml': SEED,
  };
  const { mock, folder } = await serve(t, files, 'shop/api/openapi.yaml');
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'bean' } });
  const other = await createMock({ document: join(folder, 'shop/api/other.yaml') });
  t.is((await other.fetch('/seed')).status, 501);
});

test('references are followed where OpenAPI has none, in whichever file they are', async (t) => {
  const bed = '{type: object, required: [colour], properties: {$ref: properties.yaml}}';
  const files = {
    'api.yaml': `openapi: 3.0.3
info: { title: Beds, version: "1" }
paths:
  /beds:
    get: { $ref: sub/list.yaml }
    post: { $ref: '#/x-make' }
  /pots:
    parameters: { $ref: '#/x-shared' }
    get:
      parameters: [{ $ref: '#/x-paging' }]
      ${OK}
components: { $ref: sub/components.yaml }
x-shared: [{ name: X-Pot, in: header, required: true, schema: { type: integer } }]
x-paging: [{ $ref: '#/x-page' }, { $ref: '#/x-paging' }]
x-page: { name: page, in: query, required: true, schema: { type: integer } }
x-make:
  requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Bed' } } } }
  ${OK}
`,
    'sub/list.yaml': `{${OK}, parameters: [{in: query, name: of, schema: {$ref: 'schemas.yaml#/Bed/properties/colour'}}]}`,
    'sub/components.yaml': '{schemas: {$ref: schemas.yaml}}',
    'sub/schemas.yaml': `{Bed: ${bed}, Colour: {enum: {$ref: '#/x-colours'}}, x-colours: [red, blue]}`,
    'sub/properties.yaml': "{colour: {$ref: 'schemas.yaml#/Colour'}}",
  };
  const { mock } = await serve(t, files, 'api.yaml');
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    return (await mock.fetch('/beds', { method: 'POST', body, headers })).status;
  };
  t.is((await mock.fetch('/beds?of=red')).status, 200);
  t.is((await mock.fetch('/beds?of=grey')).status, 422);
  t.is(await post('{"colour": "blue"}'), 200);
  t.is(await post('{"colour": "grey"}'), 422);
  t.is((await mock.fetch('/pots?page=1', { headers: { 'x-pot': '1' } })).status, 200);
  t.is((await mock.fetch('/pots?page=one', { headers: { 'x-pot': '1' } })).status, 422);
  t.is((await mock.fetch('/pots?page=1', { headers: { 'x-pot': 'one' } })).status, 422);
});

test('references that are no list of parameters, and circles of them, end no mock', async (t) => {
  const text = `openapi: 3.1.0
info: { title: Beds, version: "1" }
paths:
  /beds: { get: { parameters: { $ref: '#/x-a/b' }, ${OK} } }
  /pots: { get: { $ref: '#/paths/~1pots/get' } }
  /seeds: { get: { parameters: { $ref: '#/info' }, ${OK} } }
  /plants: { get: { ${OK} } }
x-a: { $ref: '#/x-a/b' }
`;
  const { mock } = await serve(t, { 'api.yaml': text }, 'api.yaml');
  const statuses = ['/beds', '/pots', '/seeds', '/plants'].map(
    async (path) => (await mock.fetch(path)).status,
  );
  t.deepEqual(await Promise.all(statuses), [501, 404, 501, 200]);
});

test('a symbolic link out of the folder is not followed', async (t) => {
  const folder = await createFolder(t, {
    'api/openapi.yaml': referringTo('seed.yaml'),
    'secret/seed.yaml': SEED,
  });
  await symlink(join(folder, 'secret/seed.yaml'), join(folder, 'api/seed.yaml'));
  const mock = await createMock({ document: join(folder, 'api/openapi.yaml') });
  t.is((await mock.fetch('/seed')).status, 501);
});

test('a file cannot make the mock fetch a URL, unless allowed', async (t) => {
  const { url, asked } = await serveFiles(t, { '/seed.yaml': SEED });
  const folder = await createFolder(t, { 'a.yaml': referringTo(`${url}/seed.yaml`) });
  const document = join(folder, 'a.yaml');
  t.is((await (await createMock({ document })).fetch('/seed')).status, 501);
  t.deepEqual(asked, []);
  const mock = await createMock({ document, allowReference: [url] });
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'bean' } });
});

test('a reference is not redirected to a URL that it may not name', async (t) => {
  const other = await serveFiles(t, { '/seed.yaml': SEED });
  const { url } = await serveFiles(t, {
    '/openapi.yaml': referringTo('v1/seed.yaml'),
    '/v1/seed.yaml': `${other.url}/seed.yaml`,
  });
  const refusing = await createMock({ document: `${url}/openapi.yaml` });
  const response = await refusing.fetch('/seed');
  t.is(response.status, 501);
  t.regex(
    await response.text(),
    /redirected to http:.*seed\.yaml: it is a URL that was not allowed/,
  );
  t.deepEqual(other.asked, []);
  const allowReference = [other.url];
  const mock = await createMock({ document: `${url}/openapi.yaml`, allowReference });
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'bean' } });
});

test('a URL that redirects for ever is given up', async (t) => {
  const files: Record<string, string> = {};
  const { url, asked } = await serveFiles(t, files);
  files['/a.yaml'] = `${url}/a.yaml`;
  const [fault] = await diagnosticsOf(() => createMock({ document: `${url}/a.yaml` }));
  t.regex(fault?.message ?? '', /redirected more than 20 times/);
  t.is(asked.length, 21);
});

test('a pipe in place of a referenced file is not read', async (t) => {
  const folder = await createFolder(t, { 'a.yaml': referringTo('seed.yaml') });
  execFileSync('mkfifo', [join(folder, 'seed.yaml')]);
  const mock = await createMock({ document: join(folder, 'a.yaml') });
  const response = await mock.fetch('/seed');
  t.is(response.status, 501);
  t.regex(await response.text(), /it is a pipe, a socket or a device/);
});

test('a document is read from a URL, with its references below the same path', async (t) => {
  const other = await serveFiles(t, { '/seed.yaml': SEED });
  const { url, asked } = await serveFiles(t, {
    '/v1/openapi.yaml': referringTo('schemas/seed.yaml'),
    '/v1/schemas/seed.yaml': SEED,
    '/v1/foreign.yaml': referringTo(`${other.url}/seed.yaml`),
    '/v1/above.yaml': referringTo('../v2/seed.yaml'),
    '/v2/seed.yaml': SEED,
  });
  const mock = await createMock({ document: `${url}/v1/openapi.yaml` });
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'bean' } });
  for (const name of ['foreign', 'above']) {
    const refusing = await createMock({ document: `${url}/v1/${name}.yaml` });
    t.is((await refusing.fetch('/seed')).status, 501, name);
  }
  t.deepEqual(other.asked, []);
  t.false(asked.includes('/v2/seed.yaml'));
});

test('a document by URL that is not UTF-8 is reported as a file is', async (t) => {
  const { url } = await serveFiles(t, { '/latin.json': Buffer.from('{"é": 1}', 'latin1') });
  const [fault] = await diagnosticsOf(() => createMock({ document: `${url}/latin.json` }));
  t.is(fault?.message, 'the document cannot be read: it is not UTF-8');
  t.is(fault?.remedy, 'Save it as UTF-8.');
});

test('an unreadable URL is reported with reason and remedy', async (t) => {
  const { url } = await serveFiles(t, {});
  const [fault] = await diagnosticsOf(() => createMock({ document: `${url}/none.yaml` }));
  t.regex(fault?.message ?? '', /cannot be fetched: the response is 404/);
  t.truthy(fault?.remedy);
});

test('schemas with circular references are served', async (t) => {
  const { mock } = await serve(
    t,
    {
      'a.yaml': `${referringTo('#/components/schemas/A')}components:
  schemas:
    A: { type: object, properties: { b: { $ref: '#/components/schemas/B' } } }
    B: { type: object, properties: { a: { $ref: '#/components/schemas/A' } } }
`,
    },
    'a.yaml',
  );
  t.is((await mock.fetch('/seed')).status, 200);
});

test('a property can have the name of a keyword, or `__proto__`', async (t) => {
  const { mock } = await serve(
    t,
    {
      'a.json': JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        paths: {
          '/things': {
            post: {
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      properties: { $ref: { type: 'integer' }, example: { type: 'integer' } },
                    },
                  },
                },
              },
              responses: { 200: { description: 'ok' } },
            },
          },
        },
      }).replace('"example"', '"__proto__":{"type":"integer"},"example"'),
    },
    'a.json',
  );
  const post = (body: string) =>
    mock.fetch('/things', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  t.is((await post('{"$ref": 1, "example": 2, "__proto__": 3}')).status, 200);
  for (const name of ['$ref', 'example']) {
    t.is((await post(`{"${name}": "x"}`)).status, 422, name);
  }
});

const SHOP = `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: https://example.com/shop }]
paths:
  /items: { get: { operationId: listItems, ${OK} } }
`;
const BANK = SHOP.replaceAll('shop', 'bank').replace('listItems', 'listAccounts');

test('several documents are served, each below its server path', async (t) => {
  const { mock } = await serve(t, { 'shop.yaml': SHOP, 'bank.yaml': BANK }, [
    'shop.yaml',
    'bank.yaml',
  ]);
  t.is((await mock.fetch('/shop/items')).status, 200);
  t.is((await mock.fetch('/bank/items')).status, 200);
  t.is((await mock.fetch('/items')).status, 404);
});

test('several documents are served below paths from the command line', async (t) => {
  const { mock } = await serve(t, { 'shop.yaml': SHOP, 'bank.yaml': SHOP }, [
    '/a=shop.yaml',
    '/b=bank.yaml',
  ]);
  t.is((await mock.fetch('/a/items')).status, 200);
  t.is((await mock.fetch('/b/items')).status, 200);
  t.is((await mock.fetch('/shop/items')).status, 404);
});

test('two documents with one path are refused by name', async (t) => {
  const folder = await createFolder(t, { 'one.yaml': SHOP, 'two.yaml': SHOP });
  const document = ['one.yaml', 'two.yaml'].map((name) => join(folder, name));
  const [fault] = await diagnosticsOf(() => createMock({ document }));
  t.regex(fault?.file ?? '', /two\.yaml$/);
  t.regex(fault?.message ?? '', /GET \/shop\/items is claimed by .*one\.yaml as well/);
  t.regex(fault?.remedy ?? '', /\/one=one\.yaml/);
});

test('a single document is served with and without its server path', async (t) => {
  const { mock } = await serve(t, { 'shop.yaml': SHOP }, 'shop.yaml');
  t.is((await mock.fetch('/shop/items')).status, 200);
  t.is((await mock.fetch('/items')).status, 200);
  t.is((await mock.fetch('/shopitems')).status, 404);
});

test('each value of a server variable is served', async (t) => {
  const document = SHOP.replace(
    'url: https://example.com/shop',
    "url: 'https://{host}/{version}', variables: { host: { default: h }, version: { default: v1, enum: [v1, v2] } }",
  );
  const { mock } = await serve(t, { 'a.yaml': document }, 'a.yaml');
  t.is((await mock.fetch('/v1/items')).status, 200);
  t.is((await mock.fetch('/v2/items')).status, 200);
  t.is((await mock.fetch('/v3/items')).status, 404);
});

test('an overlay adds an example and removes an operation', async (t) => {
  const overlay = `overlay: 1.0.0
info: { title: Examples, version: 1.0.0 }
actions:
  - target: $.paths['/items'].get.responses['200']
    update: { content: { application/json: { example: [{ id: 9223372036854775807 }] } } }
  - target: $.paths['/gone']
    remove: true
`;
  const folder = await createFolder(t, {
    'a.yaml': `${SHOP}  /gone: { get: { ${OK} } }\n`,
    'o.yaml': overlay,
  });
  const mock = await createMock({
    document: join(folder, 'a.yaml'),
    overlay: [join(folder, 'o.yaml')],
  });
  t.is(await (await mock.fetch('/items')).text(), '[{"id":9223372036854775807}]');
  t.is((await mock.fetch('/gone')).status, 404);
});

test('an overlay may refer to files, and to schemas by their $id, where the document does not', async (t) => {
  const overlay = `overlay: 1.0.0
info: { title: References, version: 1.0.0 }
actions:
  - target: $.paths['/items'].get.responses['200'].content
    update: { application/json: { schema: { $ref: seed.yaml } } }
  - target: $.paths
    update:
      /named:
        get:
          responses:
            '200': { description: ok, content: { application/json: { schema: { $ref: named } } } }
      /schema:
        get:
          responses:
            '200': { description: ok, content: { application/json: { schema: { $id: named, const: 1 } } } }
`;
  const folder = await createFolder(t, {
    'a.yaml': `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /items: { get: { responses: { '200': { description: ok, content: {} } } } }
`,
    'o.yaml': overlay,
    'seed.yaml': SEED,
  });
  const mock = await createMock({
    document: join(folder, 'a.yaml'),
    overlay: [join(folder, 'o.yaml')],
  });
  t.deepEqual(await bodyOf(mock, '/items'), { status: 200, body: { name: 'bean' } });
  t.deepEqual(await bodyOf(mock, '/named'), { status: 200, body: 1 });
});

test('an overlay with a target that matches nothing is refused with its line', async (t) => {
  const folder = await createFolder(t, {
    'a.yaml': SHOP,
    'o.yaml': 'overlay: 1.0.0\nactions:\n  - target: $.paths.none\n    remove: true\n',
    'p.yaml': 'overlay: 1.0.0\nactions:\n  - target: "$.[["\n    remove: true\n',
  });
  const faultOf = async (name: string) => {
    const overlay = [join(folder, name)];
    return (
      await diagnosticsOf(() => createMock({ document: join(folder, 'a.yaml'), overlay }))
    )[0];
  };
  t.like(await faultOf('o.yaml'), { position: { line: 3, column: 13 } });
  t.regex((await faultOf('o.yaml'))?.message ?? '', /names nothing/);
  t.regex((await faultOf('p.yaml'))?.message ?? '', /is not a JSONPath/);
});

const SWAGGER = `swagger: "2.0"
info: { title: T, version: "1" }
basePath: /v1
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  basic: { type: basic }
definitions:
  Seed:
    type: object
    required: [id]
    properties:
      id: { type: integer, format: int64, minimum: 1, exclusiveMinimum: true }
paths:
  /seeds:
    post:
      parameters:
        - { name: seed, in: body, required: true, schema: { $ref: '#/definitions/Seed' } }
      responses:
        200:
          description: ok
          schema: { $ref: '#/definitions/Seed' }
          examples: { application/json: { id: 7 } }
    get:
      security: [{ basic: [] }]
      parameters:
        - { name: ids, in: query, type: array, items: { type: integer }, collectionFormat: pipes }
      responses: { 200: { description: ok } }
  /forms:
    post:
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - { name: size, in: formData, type: integer, required: true }
      responses: { 200: { description: ok } }
  /broken:
    get:
      responses: { 200: { description: ok, schema: { $ref: '#/definitions/None' } } }
`;

test('Swagger 2.0 is served like OpenAPI 3', async (t) => {
  const { mock } = await serve(t, { 'a.yaml': SWAGGER }, 'a.yaml', { mode: 'example' });
  const post = (target: string, type: string, body: string) =>
    mock.fetch(target, { method: 'POST', headers: { 'content-type': type }, body });
  const created = await post('/v1/seeds', 'application/json', '{"id": 2}');
  t.is(await created.text(), '{"id":7}');
  t.is((await post('/v1/seeds', 'application/json', '{"id": 1}')).status, 422);
  t.is((await post('/v1/seeds', 'text/plain', '{"id": 2}')).status, 415);
  t.is((await mock.fetch('/seeds')).status, 401);
  const headers = { authorization: `Basic ${btoa('a:b')}` };
  t.is((await mock.fetch('/seeds?ids=1|2', { headers })).status, 200);
  t.is((await mock.fetch('/seeds?ids=1|b', { headers })).status, 422);
  const form = 'application/x-www-form-urlencoded';
  t.is((await post('/forms', form, 'size=3')).status, 200);
  t.is((await post('/forms', form, 'size=x')).status, 422);
  t.is((await post('/forms', form, '')).status, 422);
});

test('an error in Swagger 2.0 has its own position', async (t) => {
  const { mock } = await serve(t, { 'a.yaml': SWAGGER }, 'a.yaml');
  const response = await mock.fetch('/broken');
  t.is(response.status, 501);
  t.regex(await response.text(), /a\.yaml:37:\d+ .*\/paths\/~1broken\/get\/responses\/200\/schema/);
});

test('OpenAPI 3.0 has `nullable`, also beside $ref, whose other siblings it ignores', async (t) => {
  const document = `openapi: 3.0.3
info: { title: T, version: "1" }
paths:
  /things:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                a: { type: string, nullable: true }
                b: { $ref: '#/components/schemas/Text', nullable: true, maxLength: 1 }
      responses: { '200': { description: ok } }
components: { schemas: { Text: { type: string } } }
`;
  const { mock } = await serve(t, { 'a.yaml': document }, 'a.yaml');
  const post = async (body: string) =>
    (
      await mock.fetch('/things', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    ).status;
  t.is(await post('{"a": null, "b": "long"}'), 200);
  t.is(await post('{"b": null}'), 200);
  t.is(await post('{"b": 1}'), 422);
});

test('schemas are found by their $id', async (t) => {
  const { mock } = await serve(
    t,
    {
      'a.yaml': `${referringTo('https://example.com/schemas/seed')}components:
  schemas:
    Seed:
      $id: https://example.com/schemas/seed
      type: object
      required: [name, kind]
      properties: { name: { $ref: '#text' }, kind: { $ref: 'kind' } }
      $defs: { text: { $anchor: text, const: bean } }
    Kind: { $id: https://example.com/schemas/kind, const: legume }
    Example: { example: { $id: 'https://example.com/schemas/seed', $anchor: text } }
`,
    },
    'a.yaml',
  );
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'bean', kind: 'legume' } });
});

test('a change of a referenced file is noticed', async (t) => {
  const { mock, folder } = await serve(
    t,
    { 'a.yaml': referringTo('parts/seed.yaml'), 'parts/seed.yaml': SEED },
    'a.yaml',
  );
  t.true([...mock.stamps.keys()].some((path) => path.endsWith('parts/seed.yaml')));
  await mkdir(join(folder, 'parts'), { recursive: true });
  await writeFile(join(folder, 'parts/seed.yaml'), SEED.replace('bean', 'pea'));
  await mock.reload();
  t.deepEqual(await bodyOf(mock, '/seed'), { status: 200, body: { name: 'pea' } });
});

for (const name of ['x-coldframe', 'x\\u002dcoldframe', 'x\\u002Dcoldframe', '\\u0078-coldframe']) {
  test(`what a document overrides is read where it writes ${name}`, async (t) => {
    const get = `{"${name}":{"nonsense":1},"responses":{"200":{"description":"ok"}}}`;
    const text = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"get":${get}}}}`;
    const folder = await createFolder(t, { 'api.json': text });
    const error = await t.throwsAsync(createMock({ document: join(folder, 'api.json') }));
    t.regex(String(error?.message), /"nonsense" is not known here/);
  });
}
