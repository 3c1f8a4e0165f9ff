import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { load } from '../../src/assemble/load.ts';
import { createMock } from '../../src/assemble/mock.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { Decimal, type JsonObject } from '../../src/base/json/value.ts';
import { createTemplateEngine, type TemplateScope } from '../../src/rules/answer/template.ts';
import { defaultDocument } from '../../src/settings/settings.ts';
import { diagnosticsOf } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';
import { createPlant } from '../support/plants.ts';

function scopeOf(body: JsonObject = {}): TemplateScope {
  return { request: { method: 'POST', body }, session: 'a1', call: 7, now: '2026-01-31T12:00:00Z' };
}

function render(text: string, body?: JsonObject) {
  return createTemplateEngine()(text).render(scopeOf(body));
}

test('a single expression has its exact value and type', (t) => {
  const body = {
    id: 9223372036854775807n,
    price: new Decimal('0.10000000000000000001'),
    tags: ['shade', 1.5, null],
    of: { a: true, __proto__: null },
  };
  t.is(render('{{ request.body.id }}', body), 9223372036854775807n);
  t.is(render(' {{- request.body.id -}} ', body), 9223372036854775807n);
  t.is(stringifyJson(render('{{ request.body.price }}', body)), '0.10000000000000000001');
  t.deepEqual(render('{{ request.body.tags }}', body), ['shade', 1.5, null]);
  t.is(stringifyJson(render('{{ request.body.of }}', body)), '{"a":true}');
  t.is(render('{{ call }}'), 7);
  t.is(render('{{ request.body.nothing }}'), null);
  t.is(render('no. {{ request.body.id }}', body), 'no. 9223372036854775807');
  t.is(render('{{ request.body.id }} {{ call }}', body), '9223372036854775807 7');
});

test('JSON in a template keeps exact numbers', (t) => {
  const body = { id: 9223372036854775807n, list: [1] };
  t.is(render('is {{ request.body | json }}', body), 'is {"id":9223372036854775807,"list":[1]}');
  t.is(render('{{ request.body.list | jsonify: 1 }}', body), '[\n 1\n]');
  t.is(render('{{ request.body | inspect: 2 }}', body), '{"id":9223372036854775807,"list":[1]}');
});

test('a value that JSON cannot represent is a string or nothing', (t) => {
  t.is(render('{{ 1 | divided_by: 0 }}'), 'Infinity');
  t.is(render('{{ empty }}'), '');
  t.is(render('{{ nil }}'), null);
  t.deepEqual(render('{{ request.body.list | map: "x" }}', { list: [{ x: 1 }, {}] }), [1, null]);
  t.deepEqual(render('{{ (1..3) }}'), [1, 2, 3]);
});

test('dates are in the session’s time, in UTC and English', (t) => {
  t.is(render("{{ 'now' | date: '%Y-%m-%dT%H:%M %B' }}"), '2026-01-31T12:00 January');
  t.is(render("{{ 'today' | date_to_xmlschema }}"), '2026-01-31T12:00:00+00:00');
  t.is(render("{{ 'now' | date_to_rfc822 }}"), 'Sat, 31 Jan 2026 12:00:00 +0000');
  t.is(render("{{ 'now' | date_to_string }}"), '31 Jan 2026');
  t.is(render("{{ 'now' | date_to_long_string }}"), '31 January 2026');
  t.is(render("{{ '1999-12-31' | date: '%Y %b' }}"), '1999 Dec');
});

test('a template sees only own members', (t) => {
  const seen = '[{{ request.constructor.name }}{{ request.body.toString.name }}{{ globalThis }}]';
  t.is(render(seen), '[]');
  t.is(render('{{ request.body.__proto__ }}', { a: 1 }), null);
});

test('a template of more than a million characters is refused', (t) => {
  const engine = createTemplateEngine();
  t.throws(() => engine(`{{ call }}${'x'.repeat(1_000_000)}`), {
    message: /limit exceeded/,
  });
  t.notThrows(() => engine(`{{ call }}${'x'.repeat(999_000)}`));
});

test('assignments in one text are not visible in another', (t) => {
  const engine = createTemplateEngine();
  const scope = scopeOf();
  t.is(engine('{% assign x = 1 %}{{ x }}').render(scope), '1');
  t.is(engine('[{{ x }}]').render(scope), '[]');
  t.is(engine('{% increment n %}').render(scope), '0');
  t.is(engine('{% increment n %}').render(scope), '0');
});

test('the filters of a response take about a hundred thousand items together', (t) => {
  const list = (length: number) => Array.from({ length }, (_, index) => ({ at: -index }));
  const sorted = '{% assign all = request.body.list | sort: "at" %}{{ all[0].at }}';
  t.is(render(sorted, { list: list(10_000) }), '-9999');
  for (const text of [sorted, '{{ request.body.list | where: "at", 1 }}']) {
    t.throws(() => render(text, { list: list(110_000) }), {
      message: /memory alloc limit exceeded/,
    });
  }
});

/** Templates that would work for ever, or make more than fits. */
const endless: Readonly<Record<string, string>> = {
  'a loop with a billion rounds': '{% for i in (1..1000000000) %}x{% endfor %}',
  'an empty loop with millions of rounds': '{% for i in (1..9000000) %}{% endfor %}',
  'three nested loops':
    '{% for i in (1..3000) %}{% for j in (1..3000) %}{% for k in (1..3000) %}x{% endfor %}{% endfor %}{% endfor %}',
  'a string that doubles':
    '{% assign s = "ab" %}{% for i in (1..99) %}{% assign s = s | append: s %}{% endfor %}',
  'a long string, repeated a thousand times':
    '{% for i in (1..1000) %}{{ request.body.name }}{% endfor %}',
  'a list that doubles':
    '{% assign a = request.body.name | split: "" %}{% for i in (1..99) %}{% assign a = a | concat: a %}{% endfor %}',
  'a replacement that grows': '{{ request.body.name | replace: "a", request.body.name }}',
  'a large range': '{{ (1..1000000000) }}',
};

for (const [what, text] of Object.entries(endless)) {
  test.serial(`${what} affects only its own request and ends quickly`, async (t) => {
    const folder = await createFolder(t, {
      'a.yaml': `rules:\n  - name: greedy\n    times: 1\n    answer: { status: 400, template: true, body: { error: 1, message: ${JSON.stringify(text)} } }\n`,
    });
    const mock = await createMock({ fixtures: [folder] });
    const before = process.cpuUsage();
    const response = await mock.fetch('/plants', createPlant({ id: 1, name: 'a'.repeat(100_000) }));
    const told = await response.text();
    // How long it takes is the machine's business; what it costs is not.
    const { user, system } = process.cpuUsage(before);
    t.true(user + system < 3_000_000, `${user + system} microseconds`);
    t.is(response.status, 500);
    t.regex(told, /the template of the fixture greedy: .*(?:limit exceeded|more than \d+ char)/);
    t.is((await mock.fetch('/plants', createPlant())).status, 200);
  });
}

test('the limits apply to all texts of a response together', async (t) => {
  const slow = '{% for i in (1..25000) %}{% endfor %}';
  // Six million characters of the ten that may be made.
  const large =
    '{% for i in (1..30) %}{% assign s = request.body.name | append: request.body.name %}{% endfor %}';
  const answer = { status: 418, offContract: true, template: true };
  const folder = await createFolder(t, {
    'a.json': JSON.stringify({
      rules: [
        { name: 'one', times: 1, answer: { ...answer, body: [large] } },
        { name: 'two', times: 1, answer: { ...answer, body: [large, large] } },
        { name: 'many', times: 1, answer: { ...answer, body: Array(500).fill(slow) } },
      ],
    }),
  });
  const mock = await createMock({ fixtures: [folder] });
  const ask = async (): Promise<string> => {
    const plant = createPlant({ id: 1, name: 'a'.repeat(100_000) });
    const response = await mock.fetch('/plants', plant);
    return `${response.status} ${(await response.text()).slice(0, 200)}`;
  };
  t.regex(await ask(), /^418 /);
  t.regex(await ask(), /^500 .*the fixture two: memory alloc limit exceeded/);
  t.regex(await ask(), /^500 .*the fixture many: template render limit exceeded/);
});

/** @returns each fault of a rule with this answer as place, pointer and message */
async function faultsOf(t: ExecutionContext, answer: string) {
  const folder = await createFolder(t, {
    'a.yaml': `rules:\n  - name: a\n    answer:\n      status: 400\n      template: true\n${answer}`,
  });
  const faults = await diagnosticsOf(() =>
    load({ document: defaultDocument, fixtures: [join(folder, 'a.yaml')], fixture: [] }),
  );
  return faults.map(({ position, pointer, message, remedy }) => {
    return { line: position.line, column: position.column, pointer, message, remedy };
  });
}

test('a syntax error in a template is reported at the start, with its position', async (t) => {
  const body = (message: string) =>
    `      body:\n        error: 1\n        message: ${JSON.stringify(message)}\n`;
  const place = { line: 8, column: 18, pointer: '/rules/0/answer/body/message' };
  const remedy = 'It is written in Liquid.';
  for (const [text, reason] of [
    ['{{ request.method', 'output "{{ request.method" not closed, line:1, col:1'],
    ['{% if call %}', 'tag {% if call %} not closed, line:1, col:1'],
    ['{% nonsense %}', 'tag "nonsense" not found, line:1, col:1'],
    ['a{{ call | shout }}', 'undefined filter: shout, line:1, col:2'],
    ['{% include "a" %}', 'tag "include" not found, line:1, col:1'],
    ['{% render "a" %}', 'tag "render" not found, line:1, col:1'],
    ['{% layout "a" %}', 'tag "layout" not found, line:1, col:1'],
    ['{{ request.query | sample }}', 'undefined filter: sample, line:1, col:1'],
  ] as const) {
    t.deepEqual(await faultsOf(t, body(text)), [
      { ...place, message: `the template cannot be read: ${reason}`, remedy },
    ]);
  }
});

test('a syntax error in a header field or an item is reported with its position', async (t) => {
  t.like(await faultsOf(t, '      headers: { X-Made: "{{" }\n'), [
    { line: 6, column: 26, pointer: '/rules/0/answer/headers/X-Made' },
  ]);
  t.like(await faultsOf(t, '      body: { error: 1, message: a, "x/y": [b, "{{"] }\n'), [
    { line: 6, column: 48, pointer: '/rules/0/answer/body/x~1y/1' },
  ]);
});

test('a generated header field that breaks the contract is not sent', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': `
openapi: 3.1.0
info: { title: Signs, version: '1' }
paths:
  /sign:
    get:
      operationId: readSign
      responses:
        '200':
          description: What it says
          headers: { X-Depth: { schema: { type: integer } } }
          content: { text/plain: { schema: { type: string, maxLength: 5 } } }
`,
    'a.yaml':
      'rules:\n  - name: made\n    answer: { status: 200, template: true, headers: { X-Depth: "{{ request.query.depth }}" }, body: "{{ request.query.says }}!" }\n',
  });
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'a.yaml')],
  });
  const good = await mock.fetch('/sign?depth=3&says=dig');
  t.deepEqual([good.headers.get('x-depth'), await good.text()], ['3', 'dig!']);
  const field = await mock.fetch('/sign?depth=deep&says=dig');
  t.is(field.status, 500);
  t.regex(await field.text(), /the fixture made: header\/x-depth must be an integer/);
  const text = await mock.fetch('/sign?depth=3&says=do%20not%20dig');
  t.is(text.status, 500);
  t.regex(await text.text(), /the fixture made: body must NOT have more than 5 characters/);
});
