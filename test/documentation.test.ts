import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parse } from 'yaml';
import { createMock } from '../src/assemble/mock.ts';
import { fileName, readAnchors, readBlocks, readLinks, readSteps } from './support/page.ts';
import { problemRequests } from './support/problem-requests.ts';
import { PageRun } from './support/run-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Commands that the pages show and no test of this file runs, with the reason. */
const notRun: Readonly<Record<string, string>> = {
  'npm ci': 'installs packages; .ci/run does it',
  'npm test': 'runs every test, this one among them',
  'npm install --save-dev ../coldframe': 'installs packages; test/examples.test.ts does the same',
  'coldframe https://example.com/openapi.json': 'needs a network',
  'docker compose up': 'needs a container engine; scripts/rehearse-container.ts runs its steps',
  'docker compose --profile test up': 'needs a container engine',
  'docker compose -f examples/compose/compose.replicas.yaml up': 'needs a container engine',
  'docker run --rm -p 4010:4010 -v "$PWD:/data:ro" -w /data coldframe api.yaml':
    'needs a container engine',
  'kubectl create configmap coldframe-fixtures --from-file=failures/': 'needs a cluster',
  'kubectl apply -f examples/kubernetes/coldframe.yaml':
    'needs a cluster; test/kubernetes.test.ts holds it against the schemas',
  'coldframe webhook newPlant --to http://127.0.0.1:8080/hooks api.yaml':
    'needs a receiver; test/callbacks sends webhooks',
  'curl -N http://127.0.0.1:4010/__admin/events': 'never ends; test/control reads the stream',
  'redis-server --appendonly yes': 'test/redis starts its own',
  'coldframe api.yaml --store redis://localhost:6379':
    'needs a Redis on its usual port; test/redis runs it',
  'coldframe api.yaml --store redis://localhost:6379 --port 4011':
    'needs a Redis on its usual port; test/redis runs it',
  'coldframe api.yaml --store redis://localhost:6379 --workers 4':
    'needs a Redis on its usual port; test/redis runs it',
};

const inFolder = (await readdir(join(root, 'docs'), { recursive: true }))
  .filter((path) => path.endsWith('.md'))
  .map((path) => `docs/${path}`);
const atRoot = (await readdir(root)).filter((path) => path.endsWith('.md'));
const elsewhere = ['bench/README.md', 'test/cases/README.md'];
const pages = new Map(
  await Promise.all(
    [...atRoot, ...inFolder, ...elsewhere]
      .sort()
      .map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const),
  ),
);

/** The pages whose commands are run. What only maintainers run is in the others. */
const manual = [...pages].filter(([path]) =>
  /^(?:README\.md|docs\/(?:README\.md|guide\/|migrate\/|reference\/))/.test(path),
);

const schemaFile = new URL('../fixtures/fixtures.schema.json', import.meta.url);
const isFixtureFile = new Ajv2020({ allErrors: true, strict: false }).compile(
  JSON.parse(await readFile(schemaFile, 'utf8')),
);

test('the README has at most 1,000 words', (t) => {
  const words = (pages.get('README.md') ?? '').split(/\s+/).filter((word) => word !== '');
  t.true(words.length <= 1000, `it has ${words.length}`);
});

test('every relative link leads to a file, and every anchor to a heading', async (t) => {
  for (const [path, text] of pages) {
    for (const link of readLinks(text).filter((target) => !/^[a-z]+:/.test(target))) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      const found = await stat(join(root, target)).catch(() => undefined);
      t.truthy(found, `${path}: ${link}`);
      if (anchor !== undefined) {
        t.true(readAnchors(pages.get(target) ?? '').has(anchor), `${path}: ${link}`);
      }
    }
  }
});

test('every file of the repository that a page names is there', async (t) => {
  const inCode = /`((?:bench|docs|examples|fixtures|scripts|spec|src|test)\/[\w./-]*)`/g;
  for (const [page, text] of pages) {
    for (const [, path = ''] of text.matchAll(inCode)) {
      t.truthy(await stat(join(root, path)).catch(() => undefined), `${page}: ${path}`);
    }
  }
});

test('every page that a message of the program names is there', async (t) => {
  const sources = await readdir(join(root, 'src'), { recursive: true });
  for (const path of sources.filter((source) => source.endsWith('.ts'))) {
    const text = await readFile(join(root, 'src', path), 'utf8');
    for (const [page] of text.matchAll(/\bdocs\/[\w/-]+\.md\b/g)) {
      t.true(pages.has(page), `src/${path}: ${page}`);
    }
  }
});

test('docs/README.md links to every page of the documentation', (t) => {
  const links = new Set(readLinks(pages.get('docs/README.md') ?? ''));
  for (const path of inFolder.filter((page) => !/README|decisions\/\d{4}-/.test(page))) {
    t.true(links.has(path.replace('docs/', '')), path);
  }
});

test('every command that no test runs is on a page', (t) => {
  const shown = new Set(
    manual.flatMap(([, text]) =>
      readSteps(text).flatMap((step) =>
        step.kind === 'shell' ? step.commands.map((command) => command.trim()) : [],
      ),
    ),
  );
  for (const command of Object.keys(notRun)) t.true(shown.has(command), command);
});

test('the Compose snippets of the pages agree with compose.yaml', async (t) => {
  const { plants } = parse(await readFile(join(root, 'compose.yaml'), 'utf8')).services;
  for (const page of ['README.md', 'docs/guide/compose-and-replicas.md']) {
    const snippet = readBlocks(pages.get(page) ?? '').find(({ lines }) => lines[0] === 'services:');
    const shown = parse(snippet?.lines.join('\n') ?? '').services.plants;
    t.like(plants, shown, page);
  }
});

/** Returns a fixture file with the rules of a block, or undefined for a block that is none. */
function toFixtureFile(text: string): unknown {
  const value: unknown = parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('rules' in value) return value;
  if (!('match' in value)) return undefined;
  return { rules: [{ name: 'example', answer: { fixedDelayMilliseconds: 1 }, ...value }] };
}

test('every rule in the documentation is valid by the schema of fixture files', (t) => {
  let count = 0;
  for (const [path, text] of manual) {
    for (const block of readBlocks(text).filter(({ language }) => language === 'yaml')) {
      const fixtureFile = toFixtureFile(block.lines.join('\n'));
      if (fixtureFile === undefined || fileName(block)?.startsWith('typo')) continue;
      count += 1;
      t.true(
        isFixtureFile(fixtureFile),
        `${path}:${block.line} ${JSON.stringify(isFixtureFile.errors)}`,
      );
    }
  }
  t.true(count >= 15, `${count} blocks`);
});

test('docs/reference/problems.md shows the responses of the plant store', async (t) => {
  const mock = await createMock({ accept: 'strict' });
  const sections = (pages.get('docs/reference/problems.md') ?? '').split(/^## /m);
  for (const [name, { method = 'POST', path = '/plants', fields, body }] of Object.entries(
    problemRequests,
  )) {
    const text = sections.find((section) => section.startsWith(`${name}\n`)) ?? '';
    const shown = readBlocks(text)[0]?.lines.join('\n') ?? '';
    const given = { authorization: 'Bearer token', 'content-type': 'application/json', ...fields };
    const response = await mock.fetch(path, {
      method,
      headers: Object.entries(given).filter(([, value]) => value !== ''),
      ...(method !== 'GET' && { body: body ?? '{"id": 1, "name": "Fern"}' }),
    });
    t.deepEqual(await response.json(), JSON.parse(shown), name);
  }
});

/** So many pages at once: each has a mock and a shell. */
const lanes = Array.from({ length: 3 }, () => Promise.resolve());
let next = 0;

function inTurn(task: () => Promise<void>): Promise<void> {
  const lane = next++ % lanes.length;
  const turn = (lanes[lane] ?? Promise.resolve()).then(task);
  lanes[lane] = turn.catch(() => undefined);
  return turn;
}

for (const [path, text] of manual.filter(([, page]) => /^```sh/m.test(page))) {
  test(`the commands of ${path} have the shown results`, async (t) => {
    t.timeout(300_000);
    await inTurn(() => PageRun.run(t, text, new Set(Object.keys(notRun))));
  });
}
