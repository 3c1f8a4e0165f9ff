import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { load } from '../../src/assemble/load.ts';
import { createMock } from '../../src/assemble/mock.ts';
import { createBodyFiles } from '../../src/rules/answer/rule-body.ts';
import { defaultDocument } from '../../src/settings/settings.ts';
import { diagnosticsOf } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';

function rulesWith(answer: string): string {
  return `rules:\n  - name: from-file\n    answer: { ${answer} }\n`;
}

const SIGNS = `
openapi: 3.1.0
info: { title: Signs, version: '1' }
paths:
  /sign:
    get:
      operationId: readSign
      responses:
        '200':
          description: What it says
          content:
            text/plain: { schema: { type: string, maxLength: 20 } }
            application/xml:
              schema:
                type: object
                required: [depth]
                xml: { name: sign }
                properties: { depth: { type: integer } }
`;

/** @returns what is wrong with fixtures, each as file, place, message and remedy */
async function faultsOf(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  document: string = defaultDocument,
) {
  const folder = await createFolder(t, files);
  return faultsIn(folder, document);
}

async function faultsIn(folder: string, document: string = defaultDocument) {
  const settings = { document: join(folder, 'api.yaml'), fixtures: [join(folder, 'rules')] };
  const faults = await diagnosticsOf(() =>
    load({
      ...settings,
      document: document === defaultDocument ? defaultDocument : settings.document,
      fixture: [],
    }),
  );
  return faults.map(({ file, position: { line, column }, message, remedy }) => ({
    place: `${file.replace(`${folder}/`, '')}:${line}:${column}`,
    message,
    remedy,
  }));
}

test('a body can be in a file beside the fixture file', async (t) => {
  const folder = await createFolder(t, {
    'rules/a.yaml': rulesWith('status: 400, bodyFile: __files/busy.json'),
    'rules/__files/busy.json': '\uFEFF{ "error": 503, "message": "Busy" }',
  });
  const mock = await createMock({ fixtures: [join(folder, 'rules')] });
  const response = await mock.fetch('/plants', createPlant());
  t.is(response.status, 400);
  t.is(response.headers.get('content-type'), 'application/json');
  t.deepEqual(await response.json(), { error: 503, message: 'Busy' });
});

test('a JSON file is validated against the contract, with its own lines', async (t) => {
  const faults = await faultsOf(t, {
    'rules/a.yaml': rulesWith('status: 400, bodyFile: __files/busy.json'),
    'rules/__files/busy.json': '{\n  "message": "Busy",\n  "error": "503"\n}\n',
  });
  t.deepEqual(faults, [
    {
      place: 'rules/__files/busy.json:3:12',
      message:
        'the body breaks the contract of createPlant, response 400: ' +
        'body/error must be an int32, got the string "503"',
      remedy: 'Correct the body; offContract: true allows one outside of the contract.',
    },
  ]);
});

test('a file that is not the declared JSON is reported with its own line', async (t) => {
  const [fault] = await faultsOf(t, {
    'rules/a.yaml': rulesWith('status: 400, bodyFile: __files/busy.json'),
    'rules/__files/busy.json': '{\n  "message": Busy\n}\n',
  });
  t.is(fault?.place, 'rules/__files/busy.json:2:14');
  t.regex(fault?.message ?? '', /expected a value/);
});

const REMEDY = 'It must be in the folder of the fixture file or below, and at most 16 MiB.';

const unreadable: Readonly<Record<string, string>> = {
  'a missing file': 'missing.json',
  'a file above the folder of the fixture file': '../api.json',
  'a file above the folder, through a subfolder': '__files/../../api.json',
  'a file with an absolute path': '/etc/hostname',
  'a folder': '__files',
  'the folder itself': '.',
  'a file that is too large': '__files/large.json',
  'a pipe': '__files/pipe',
};

for (const [what, name] of Object.entries(unreadable)) {
  test(`${what} is refused as a body, with position and remedy`, async (t) => {
    const folder = await createFolder(t, {
      'api.json': '{ "error": 1, "message": "out" }',
      'rules/a.yaml': rulesWith(`status: 400, bodyFile: ${name}`),
      'rules/__files/large.json': '',
    });
    await truncate(join(folder, 'rules/__files/large.json'), 16 * 1024 * 1024 + 1);
    execFileSync('mkfifo', [join(folder, 'rules/__files/pipe')]);
    t.deepEqual(await faultsIn(folder), [
      {
        place: 'rules/a.yaml:3:38',
        message: `the file ${JSON.stringify(name)} cannot be read`,
        remedy: REMEDY,
      },
    ]);
  });
}

test('a folder with a similar name is a different folder', async (t) => {
  const [fault] = await faultsOf(t, {
    'rules/a.yaml': rulesWith('status: 400, bodyFile: ../rules-2/busy.json'),
    'rules-2/busy.json': '{ "error": 1, "message": "out" }',
  });
  t.is(fault?.message, 'the file "../rules-2/busy.json" cannot be read');
});

test('a symbolic link is read, as in a mounted volume', async (t) => {
  const folder = await createFolder(t, {
    'rules/a.yaml': rulesWith('status: 400, bodyFile: __files/busy.json'),
    'data/busy.json': '{ "error": 503, "message": "Busy" }',
  });
  await mkdir(join(folder, 'rules/__files'));
  await symlink('../../data/busy.json', join(folder, 'rules/__files/busy.json'));
  t.deepEqual(await faultsIn(folder), []);
});

test('a file in __files is a body, not a fixture file', async (t) => {
  const folder = await createFolder(t, {
    'rules/a.yaml': rulesWith('fixedDelayMilliseconds: 0'),
    'rules/__files/no-rules.yaml': 'rules: 1\n',
    'rules/more/__files/deep/no-rules.json': '[]',
  });
  const { fixtures } = await load({
    document: defaultDocument,
    fixtures: [join(folder, 'rules')],
    fixture: [],
  });
  t.deepEqual(
    fixtures.rules.map(({ name }) => name),
    ['from-file'],
  );
});

test('text is sent byte by byte where the document declares text', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': SIGNS,
    'rules/a.yaml': rulesWith('status: 200, bodyFile: sign.txt'),
  });
  const bytes = Buffer.from('Keep off\r\n the grass');
  await writeFile(join(folder, 'rules/sign.txt'), bytes);
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'rules')],
  });
  const response = await mock.fetch('/sign');
  t.regex(response.headers.get('content-type') ?? '', /^text\/plain/);
  t.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  await writeFile(join(folder, 'rules/sign.txt'), 'Keep off the grass, and off the beds');
  await t.throwsAsync(mock.reload(), { message: /body must NOT have more than 20 characters/ });
});

test('a content-type selects one of several bodies', async (t) => {
  const xml = 'status: 200, bodyFile: sign.xml, headers: { Content-Type: application/xml }';
  const folder = await createFolder(t, {
    'api.yaml': SIGNS,
    'rules/a.yaml': rulesWith(xml),
    'rules/sign.xml': '<sign><depth>3</depth></sign>',
  });
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'rules')],
  });
  const response = await mock.fetch('/sign');
  t.is(response.headers.get('content-type'), 'application/xml');
  t.is(await response.text(), '<sign><depth>3</depth></sign>');
  for (const [wrong, message] of [
    ['<sign><depth>deep</depth></sign>', /body\/depth must be an integer/],
    ['<sign><depth>3</sign>', /the body is not application\/xml/],
  ] as const) {
    await writeFile(join(folder, 'rules/sign.xml'), wrong);
    const [fault] = await faultsIn(folder, 'api.yaml');
    t.is(fault?.place, 'rules/a.yaml:3:38');
    t.regex(fault?.message ?? '', message);
  }
});

test('a file can be a template', async (t) => {
  const folder = await createFolder(t, {
    'rules/a.yaml': rulesWith('status: 400, template: true, bodyFile: __files/a.json'),
    'rules/__files/a.json':
      '{ "error": "{{ request.body.id }}", "message": "No {{ request.body.name }}" }',
  });
  const mock = await createMock({ fixtures: [join(folder, 'rules')] });
  const response = await mock.fetch('/plants', createPlant({ id: 7, name: 'Fern' }));
  t.deepEqual(await response.json(), { error: 7, message: 'No Fern' });
  await writeFile(
    join(folder, 'rules/__files/a.json'),
    '{\n "error": 1, "message":\n "{{ a | b }}"\n}',
  );
  const [fault] = await faultsIn(folder);
  t.is(fault?.place, 'rules/__files/a.json:3:2');
  t.regex(fault?.message ?? '', /undefined filter: b/);
});

test('with offContract, a file is sent with the type of its name or content-type', async (t) => {
  const rule = (name: string, answer: string) =>
    `  - { name: ${name}, answer: { status: 418, offContract: true, ${answer} } }\n`;
  const folder = await createFolder(t, {
    'rules/a.yaml':
      'rules:\n' +
      rule('json', 'bodyFile: a.json') +
      rule('bytes', 'bodyFile: a.bin') +
      rule('page', 'bodyFile: a.html, headers: { Content-Type: text/html }') +
      rule('made-json', 'bodyFile: made.json, template: true') +
      rule('made-page', 'bodyFile: made.html, template: true'),
    'rules/a.bin': 'bytes',
    'rules/a.html': '<p>{{ request.method }}',
    'rules/made.html': '<p>{{ request.method }}',
    'rules/__files/none.json': '',
  });
  // Not in a folder that is looked through for rules.
  await writeFile(join(folder, 'rules/a.json'), '[1.0');
  await writeFile(join(folder, 'rules/made.json'), '{ "by": "{{ request.method }}" }');
  const mock = await createMock({ fixtures: [join(folder, 'rules/a.yaml')] });
  const answerOf = async (fixture: string) => {
    const response = await mock.fetch('/plants', {
      method: 'POST',
      headers: {
        authorization: 'Bearer a',
        'content-type': 'application/json',
        'mock-fixture': fixture,
      },
      body: '{"id":1,"name":"a"}',
    });
    return [response.headers.get('content-type'), await response.text()];
  };
  t.deepEqual(await answerOf('json'), ['application/json', '[1.0']);
  t.deepEqual(await answerOf('bytes'), ['application/octet-stream', 'bytes']);
  t.deepEqual(await answerOf('page'), ['text/html', '<p>{{ request.method }}']);
  t.deepEqual(await answerOf('made-json'), ['application/json', '{"by":"POST"}']);
  t.deepEqual(await answerOf('made-page'), ['text/plain; charset=utf-8', '<p>POST']);
});

test('a binary file is reported where text is required', async (t) => {
  const folder = await createFolder(t, {
    'rules/a.yaml': rulesWith('status: 400, bodyFile: __files/a.json'),
    'rules/__files/a.json': '',
  });
  await writeFile(join(folder, 'rules/__files/a.json'), Buffer.from([0x22, 0xff, 0x22]));
  t.like((await faultsIn(folder))[0], {
    place: 'rules/a.yaml:3:38',
    message: 'the file "__files/a.json" is not UTF-8',
  });
});

test('a file where no body is declared is reported', async (t) => {
  const api = SIGNS.replace(
    '/sign:',
    '/other:\n    delete: { operationId: fell, responses: { "202": { description: Soon gone } } }\n  /sign:',
  );
  const folder = await createFolder(t, {
    'api.yaml': api,
    'rules/a.yaml':
      'rules:\n  - { name: a, match: { operationId: fell }, answer: { status: 202, bodyFile: a.txt } }\n',
    'rules/a.txt': 'a',
  });
  t.like((await faultsIn(folder, 'api.yaml'))[0], {
    place: 'rules/a.yaml:2:79',
    message: 'fell declares no body for the response 202',
  });
});

test('a client of the control API cannot read files', async (t) => {
  const folder = await createFolder(t, {
    'rules/a.yaml': 'rules: []\n',
    'rules/secret.json': '{ "error": 1, "message": "secret" }',
  });
  const mock = await createMock({ fixtures: [join(folder, 'rules/a.yaml')] });
  for (const file of ['secret.json', 'rules/secret.json', join(folder, 'rules/secret.json')]) {
    const response = await mock.fetch('/__admin/fixtures', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a', answer: { status: 400, bodyFile: file } }),
    });
    t.is(response.status, 422);
    t.notRegex(await response.text(), /secret"/);
  }
});

test('the stamps of requested files are known, even of missing ones', async (t) => {
  const folder = await createFolder(t, { 'a.yaml': '', 'a.json': '{}' });
  const fixture = join(folder, 'a.yaml');
  const bodies = createBodyFiles(new Map([[fixture, dirname(fixture)]]));
  t.is(bodies.read(fixture, 'a.json')?.length, 2);
  t.is(bodies.read(fixture, 'b.json'), undefined);
  t.is(bodies.read(fixture, '../c.json'), undefined);
  t.is(bodies.read(join(folder, 'other.yaml'), 'a.json'), undefined, 'not a file that was read');
  const stamps = await bodies.stamp();
  t.deepEqual([...stamps.keys()], [join(folder, 'a.json'), join(folder, 'b.json')]);
  t.is(stamps.get(join(folder, 'b.json')), 'missing');
});

test('a file of sixteen mebibytes is read', async (t) => {
  const folder = await createFolder(t, { 'a.yaml': '', 'large.bin': '' });
  const size = 16 * 1024 * 1024;
  await truncate(join(folder, 'large.bin'), size);
  const fixture = join(folder, 'a.yaml');
  t.is(
    createBodyFiles(new Map([[fixture, dirname(fixture)]])).read(fixture, 'large.bin')?.length,
    size,
  );
});
