import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { compileFixtureSchema } from '../../scripts/compile-fixture-schema.ts';
import { load } from '../../src/assemble/load.ts';
import { createMock } from '../../src/assemble/mock.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { faults } from '../../src/delivery/transmission.ts';
import type { Diagnostic } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { FilePlace, SourceDocument } from '../../src/document/source-document.ts';
import { delayKinds } from '../../src/rules/answer/delays.ts';
import { matcherKinds } from '../../src/rules/match/matchers.ts';
import { checkForm } from '../../src/rules/schema/check-form.ts';
import { defaultDocument, defaultFixtures } from '../../src/settings/settings.ts';
import { diagnosticsOf, inBrief } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';
import { type Judge, openForJudging } from '../support/judges.ts';
import { documentOf } from '../support/plants.ts';
import { fc, holds } from '../support/properties.ts';

const SCHEMA_DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** @returns what is wrong with fixture files for the plant store */
async function faultsOf(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  fixture: readonly string[] = [],
): Promise<readonly Diagnostic[]> {
  const folder = await createFolder(t, files);
  const faults = await diagnosticsOf(() =>
    load({ document: defaultDocument, fixtures: [folder], fixture }),
  );
  return faults.map((fault) => ({ ...fault, file: fault.file.replace(`${folder}/`, '') }));
}

const fixtureSchema = new URL('../../fixtures/fixtures.schema.json', import.meta.url);

async function openSchema(t: ExecutionContext): Promise<Judge> {
  const { value } = parseSource('schema.json', await readFile(fixtureSchema, 'utf8'));
  return openForJudging(t, value, SCHEMA_DIALECT)('');
}

/** A mistake that the form of the file shows: the published schema refuses it too. */
interface FormMistake {
  readonly text: string;
  /** Each as `line:column`, and what its message or its remedy must name. */
  readonly faults: readonly (readonly [place: string, words: RegExp])[];
}

const formMistakes: Readonly<Record<string, FormMistake>> = {
  'an unknown key of a rule': {
    text: 'rules:\n  - name: a\n    answers:\n      status: 400\n    answer:\n      status: 400\n',
    faults: [['3:5', /"answers".*Known here: .*\banswer\b/s]],
  },
  'an unknown key of a match': {
    text: 'rules:\n  - name: a\n    match: { operation: createPlant }\n    answer: { status: 400 }\n',
    faults: [['3:14', /"operation".*operationId/s]],
  },
  'an unknown key of an answer': {
    text: 'rules:\n  - name: a\n    answer:\n      status: 400\n      delay: 5\n',
    faults: [['5:7', /"delay".*fixedDelayMilliseconds/s]],
  },
  'an unknown key of the file': {
    text: 'rules: []\nrule: []\n',
    faults: [['2:1', /"rule".*rules/s]],
  },
  'a value of the wrong type': {
    text: 'rules:\n  - name: a\n    times: often\n    answer: { status: "400" }\n',
    faults: [
      ['3:12', /times must be a whole number.*"often"/],
      ['4:23', /status must be a whole number from 200 to 599.*"400"/],
    ],
  },
  'a boolean as a string': {
    text: 'rules:\n  - name: a\n    enabled: "no"\n    answer: { status: 400 }\n',
    faults: [['3:14', /enabled must be true or false, got the string "no"/]],
  },
  'a header field that is no whole number': {
    text: 'rules:\n  - name: a\n    answer: { status: 400, headers: { x-count: 1.5 } }\n',
    faults: [['3:48', /x-count must be a string, a whole number or a list, got 1.5/]],
  },
  'a rule without a name': {
    text: 'rules:\n  - answer: { status: 400 }\n',
    faults: [['2:5', /must have the member "name"/]],
  },
  'a rule without an answer': {
    text: 'rules:\n  - name: a\n',
    faults: [['2:5', /must have the member "answer"/]],
  },
  'an empty answer': {
    text: 'rules:\n  - name: a\n    answer: { offContract: true }\n',
    faults: [['3:13', /a status, a fault or a delay.*fixedDelayMilliseconds/s]],
  },
  'a name that no header field can contain': {
    text: 'rules:\n  - name: "a, b"\n    answer: { status: 400 }\n',
    faults: [['2:11', /name must be a string that matches .*, got the string "a, b"/]],
  },
  'a probability over one': {
    text: 'rules:\n  - name: a\n    probability: 10\n    answer: { status: 400 }\n',
    faults: [['3:18', /probability must be a number from 0 to 1, got 10/]],
  },
  'a priority of 0': {
    text: 'rules:\n  - name: a\n    priority: 0\n    answer: { status: 400 }\n',
    faults: [['3:15', /priority must be a whole number of at least 1, got 0/]],
  },
  'an invalid status': {
    text: 'rules:\n  - name: a\n    answer: { status: 1000 }\n',
    faults: [['3:23', /status must be a whole number from 200 to 599, got 1000/]],
  },
  'an interim status': {
    text: 'rules:\n  - name: a\n    answer: { status: 103 }\n',
    faults: [['3:23', /status must be a whole number from 200 to 599, got 103/]],
  },
  'a failure with a success status': {
    text: 'rules:\n  - name: a\n    answer: { fail: 200 }\n',
    faults: [['3:21', /fail must be a whole number from 400 to 599, got 200/]],
  },
  'a status and a failure at once': {
    text: 'rules:\n  - name: a\n    answer: { status: 400, fail: 503 }\n',
    faults: [['3:34', /fail cannot be combined with status/]],
  },
  'a fault in other words': {
    text: 'rules:\n  - name: a\n    answer: { fault: connection_reset }\n',
    faults: [['3:22', /fault must be one of .*Did you mean CONNECTION_RESET_BY_PEER\?/s]],
  },
  'a failure and a broken connection at once': {
    text: 'rules:\n  - name: a\n    answer: { fail: 503, fault: HANG }\n',
    faults: [['3:33', /fault cannot be combined with fail/]],
  },
  'a body and its file at once': {
    text: 'rules:\n  - name: a\n    answer: { status: 400, body: 1, bodyFile: a.json }\n',
    faults: [['3:47', /bodyFile cannot be combined with body/]],
  },
  'an example and a file at once': {
    text: 'rules:\n  - name: a\n    answer: { status: 400, example: badToken, bodyFile: a.json }\n',
    faults: [['3:57', /bodyFile cannot be combined with example/]],
  },
  'an empty file name': {
    text: 'rules:\n  - name: a\n    answer: { status: 400, bodyFile: "" }\n',
    faults: [['3:38', /bodyFile must be a string that matches/]],
  },
  'a file without a status': {
    text: 'rules:\n  - name: a\n    answer: { fixedDelayMilliseconds: 1, bodyFile: a.json }\n',
    faults: [['3:52', /bodyFile needs status or fail beside it/]],
  },
  'fields without a status': {
    text: 'rules:\n  - name: a\n    answer: { fault: INVALID_JSON, headers: { a: b } }\n',
    faults: [['3:45', /headers needs status, fail or deliveries beside it/]],
  },
  'a template that is a string': {
    text: 'rules:\n  - name: a\n    answer: { status: 400, body: 1, template: "yes" }\n',
    faults: [['3:47', /template must be true or false, got the string "yes"/]],
  },
  'metadata that is not an object': {
    text: 'rules:\n  - name: a\n    metadata: new\n    answer: { status: 400 }\n',
    faults: [['3:15', /metadata must be an object, got the string "new"/]],
  },
  'a required scenario state without an answer': {
    text: 'rules:\n  - name: a\n    scenarioName: s\n    requiredScenarioState: Started\n',
    faults: [['2:5', /must have the member "answer"/]],
  },
  'an unknown fault': {
    text: 'rules:\n  - name: a\n    answer: { fault: EXPLODE }\n',
    faults: [['3:22', /CONNECTION_RESET_BY_PEER, .*WRONG_MEDIA_TYPE, got the string "EXPLODE"/]],
  },
  'a method without a path': {
    text: 'rules:\n  - name: a\n    match: { method: POST }\n    answer: { status: 400 }\n',
    faults: [['3:22', /method needs path, urlPath or url beside it/]],
  },
  'a body without a status': {
    text: 'rules:\n  - name: a\n    answer: { fixedDelayMilliseconds: 1, body: 1 }\n',
    faults: [['3:48', /body needs status, fail or deliveries beside it/]],
  },
  'an example and a body at once': {
    text: 'rules:\n  - name: a\n    answer:\n      status: 400\n      example: badToken\n      body: 1\n',
    faults: [['6:13', /body cannot be combined with example/]],
  },
  'a status and a fault at once': {
    text: 'rules:\n  - name: a\n    answer:\n      status: 400\n      fault: EMPTY_RESPONSE\n',
    faults: [['5:14', /fault cannot be combined with status/]],
  },
  'a file that is a list': {
    text: '- name: a\n',
    faults: [['1:1', /the file must be an object, got an array/]],
  },
  'an empty file': { text: '', faults: [['1:1', /the file must be an object, got null/]] },
};

/** @returns where a fault is, and all that is said of it */
function tell({ file, position, message, remedy = '' }: Diagnostic): readonly [string, string] {
  return [`${file}:${position.line}:${position.column}`, `${message}\n${remedy}`];
}

for (const [mistake, { text, faults }] of Object.entries(formMistakes)) {
  test(`${mistake} is reported with line and column`, async (t) => {
    const found = (await faultsOf(t, { 'a.yaml': text })).map(tell);
    for (const [place, words] of faults) {
      const told = found.find(([at]) => at === `a.yaml:${place}`)?.[1];
      t.regex(told ?? `nothing at ${place}: ${JSON.stringify(found)}`, words);
    }
  });

  test(`the published schema refuses ${mistake}`, async (t) => {
    const isValid = await openSchema(t);
    t.false(isValid(parseSource('a.yaml', text).value));
  });
}

/** A mistake that shows only when the file is held against the document. */
interface ContractMistake {
  readonly rule: string;
  readonly fault: string;
  readonly remedy: RegExp;
}

const contractMistakes: Readonly<Record<string, ContractMistake>> = {
  'an unknown operation': {
    rule: 'match: { operationId: createPlants }\n    answer: { status: 400 }',
    fault: '3:27 the document has no operation "createPlants"',
    remedy: /^Did you mean createPlant\? It has createPlant\.$/,
  },
  'an unknown path': {
    rule: 'match: { method: GET, path: /plants }\n    answer: { status: 400 }',
    fault: '3:33 the document has no GET /plants',
    remedy: /^Did you mean POST \/plants\? It has POST \/plants\.$/,
  },
  'a status that the operation does not declare': {
    rule: 'answer:\n      status: 202',
    fault: '4:15 createPlant does not declare the status 202',
    remedy: /200, 400.*offContract: true/,
  },
  'an unknown example': {
    rule: 'answer:\n      status: 400\n      example: tooMany',
    fault: '5:16 createPlant has no example "tooMany" for the response 400',
    remedy: /missingName, idNotAnInteger, badToken, tooManyRequests, unavailable/,
  },
  'an example of another response': {
    rule: 'answer: { status: 200, example: badToken }',
    fault: '3:37 createPlant has no example "badToken" for the response 200',
    remedy: /monstera, withoutTag, largestId/,
  },
  'a body that breaks the schema': {
    rule: 'answer:\n      status: 400\n      body: { error: many, message: no }',
    fault:
      '5:22 the body breaks the contract of createPlant, response 400: body/error must be an int32, got the string "many"',
    remedy: /Correct the body/,
  },
  'a body with a number one too large': {
    rule: 'answer: { status: 400, body: { error: 2147483648, message: no } }',
    fault:
      '3:43 the body breaks the contract of createPlant, response 400: body/error must be an int32, got 2147483648',
    remedy: /offContract/,
  },
  'a body with a missing member': {
    rule: 'answer: { status: 400, body: { error: 1 } }',
    fault:
      '3:28 the body breaks the contract of createPlant, response 400: body/message is required but missing',
    remedy: /offContract/,
  },
  'an example that no response with the status has': {
    rule: 'match: { operationId: createPlant }\n    answer: { status: 503, offContract: true, example: closed }',
    fault: '4:56 createPlant has no example "closed" for the response 503',
    remedy: /give a body/,
  },
  'an invalid field name': {
    rule: 'answer: { status: 400, headers: { "X Tag": a } }',
    fault: '3:48 "x tag" is not a field name',
    remedy: /^$/,
  },
  'a line break in a field': {
    rule: 'answer: { status: 400, headers: { X-Tag: "a\\r\\nSet-Cookie: b" } }',
    fault: String.raw`3:46 the field x-tag cannot have the value "a\r\nSet-Cookie: b"`,
    remedy: /only visible characters/,
  },
  'a field beyond Latin-1 with offContract': {
    rule: 'answer: { status: 418, offContract: true, headers: { X-Price: 5 € } }',
    fault: '3:67 the field x-price cannot have the value "5 €"',
    remedy: /Latin-1/,
  },
  'a Content-Length': {
    rule: 'answer: { status: 400, headers: { Content-Length: "3" } }',
    fault: '3:55 content-length cannot be set by a rule',
    remedy: /WRONG_CONTENT_LENGTH/,
  },
  'a Transfer-Encoding': {
    rule: 'answer: { status: 418, offContract: true, headers: { Transfer-Encoding: chunked } }',
    fault: '3:77 transfer-encoding cannot be set by a rule',
    remedy: /The mock sets it itself/,
  },
  'a body for a status without content': {
    rule: 'answer: { status: 204, offContract: true, body: 1 }',
    fault: '3:53 a response with the status 204 has no body',
    remedy: /Leave it out/,
  },
  'an example for a status without content': {
    rule: 'answer: { status: 304, offContract: true, example: badToken }',
    fault: '3:56 a response with the status 304 has no body',
    remedy: /Leave it out/,
  },
  'a media type that the response does not declare': {
    rule: 'answer: { status: 400, headers: { Content-Type: text/html } }',
    fault: '3:53 createPlant does not declare the media type text/html for the response 400',
    remedy: /It declares application\/json\. offContract: true/,
  },
};

for (const [mistake, { rule, fault, remedy }] of Object.entries(contractMistakes)) {
  test(`${mistake} is reported with line, column and remedy`, async (t) => {
    const faults = await faultsOf(t, { 'b.yaml': `rules:\n  - name: a\n    ${rule}\n` });
    t.deepEqual(inBrief(faults), [fault]);
    t.is(faults[0]?.file, 'b.yaml');
    t.regex(faults[0]?.remedy ?? '', remedy, 'the remedy');
  });
}

/** Parts of fixture files, right and wrong ones. */
const parts = {
  name: fc.constantFrom<JsonValue>('a', 'a.b_c-1', '', ' a', '-a', 1, null),
  enabled: fc.constantFrom<JsonValue>(true, false, 'true', 1),
  count: fc.constantFrom<JsonValue>(0, 1, 2, 0.5, -1, 1e3, '1', null),
  probability: fc.constantFrom<JsonValue>(0, 1, 0.5, 1.5, -0.1, '1'),
  status: fc.constantFrom<JsonValue>(200, 400, 99, 199, 399, 599, 600, 400.5, '400'),
  delay: fc.constantFrom<JsonValue>(0, 5, 3_600_000, 3_600_001, -1, 0.5, '5'),
  fault: fc.constantFrom<JsonValue>('EMPTY_RESPONSE', 'HANG', 'INVALID_JSON', 'X', 1),
  text: fc.constantFrom<JsonValue>('text', '', '/path', 1, null),
  texts: fc.constantFrom<JsonValue>({}, { a: 'b' }, { a: 1 }, [], 'a'),
  any: fc.constantFrom<JsonValue>(null, 1, 'a', [], {}, false),
};

/** The order of two numbers, which only the mock looks at, is always right here. */
const distributions = fc.oneof(
  parts.any,
  fc.record(
    {
      type: fc.constantFrom<JsonValue>('fixed', 'uniform', 'lognormal', 'percentiles', 'gauss', 1),
      milliseconds: parts.delay,
      lower: fc.constantFrom<JsonValue>(0, 5, -1, 0.5, '5'),
      upper: fc.constantFrom<JsonValue>(5, 3_600_000, 3_600_001, 5.5, null),
      median: parts.delay,
      sigma: fc.constantFrom<JsonValue>(0, 0.4, 10, 10.5, -1, '1'),
      maxValue: parts.delay,
      p50: fc.constantFrom<JsonValue>(1, 1.5, 0.5, '1'),
      p95: fc.constantFrom<JsonValue>(2, 2.5, -1, null),
      p99: fc.constantFrom<JsonValue>(3, 3_600_000, 3_600_001, '3'),
      other: parts.any,
    },
    { requiredKeys: [] },
  ),
  ...[
    { type: 'fixed', milliseconds: 5 },
    { type: 'uniform', lower: 5, upper: 5 },
    { type: 'lognormal', median: 90, sigma: 0.1 },
    { type: 'lognormal', median: 90, sigma: 0.1, maxValue: 100 },
    { type: 'percentiles', p50: 1, p95: 1.5, p99: 3 },
  ].map((one) => fc.constant<JsonValue>(one)),
);

const paces = {
  dribble: fc.oneof(
    parts.any,
    fc.record(
      { numberOfChunks: parts.count, totalDuration: parts.delay, other: parts.any },
      { requiredKeys: [] },
    ),
    fc.constant<JsonValue>({ numberOfChunks: 5, totalDuration: 1_000 }),
  ),
  bandwidth: fc.oneof(
    parts.any,
    fc.record({ bytesPerSecond: parts.count, other: parts.any }, { requiredKeys: [] }),
  ),
};

const answers = fc.record(
  {
    status: parts.status,
    fail: parts.status,
    example: parts.text,
    body: parts.any,
    bodyFile: parts.text,
    template: parts.enabled,
    headers: parts.texts,
    fixedDelayMilliseconds: parts.delay,
    delayDistribution: distributions,
    chunkedDribbleDelay: paces.dribble,
    bandwidth: paces.bandwidth,
    fault: parts.fault,
    offContract: parts.enabled,
    other: parts.any,
  },
  { requiredKeys: [] },
);

/** Of matchers the form alone: what their operands mean, only the mock knows. */
const matchers = fc.oneof(
  parts.text,
  fc.record(
    {
      equalTo: parts.text,
      caseInsensitive: parts.enabled,
      contains: parts.text,
      greaterThanNumber: parts.probability,
      absent: parts.enabled,
      equalToJson: parts.any,
      ignoreArrayOrder: parts.enabled,
      not: fc.constantFrom<JsonValue>({ contains: 'a' }, {}, 'a', { other: 1 }),
      other: parts.any,
    },
    { requiredKeys: [] },
  ),
);

const expectations = fc.oneof(
  parts.any,
  fc.dictionary(fc.constantFrom('a', 'b-c'), fc.oneof(matchers, parts.any), { maxKeys: 2 }),
  fc.constantFrom<JsonValue>(
    { a: { hasExactly: [{ equalTo: 'x' }] } },
    { a: { includes: [] } },
    { a: { includes: [{ contains: 'x' }], contains: 'y' } },
  ),
);

const matches = fc.record(
  {
    operationId: fc.oneof(parts.text, fc.constantFrom<JsonValue>(['a'], [], ['a', 1])),
    method: parts.text,
    path: parts.text,
    urlPath: matchers,
    url: matchers,
    pathParameters: expectations,
    headers: expectations,
    query: expectations,
    cookies: expectations,
    credential: matchers,
    session: matchers,
    body: parts.any,
    bodySchema: fc.constantFrom<JsonValue>({}, true, { type: 'object' }, 1, 'x', null),
    bodyPatterns: fc.oneof(parts.any, fc.array(matchers, { maxLength: 2 })),
    other: parts.any,
  },
  { requiredKeys: [] },
);

const turns = {
  after: parts.count,
  succeedFirst: parts.count,
  every: parts.count,
  times: parts.count,
  failRequestCount: parts.count,
  probability: parts.probability,
  outageAfterMillis: parts.count,
  outageDurationMillis: parts.count,
  degradationRampMillis: parts.count,
  per: fc.constantFrom<JsonValue>(
    'client',
    'resource',
    'all',
    { header: 'a' },
    { header: ' ' },
    {},
  ),
  rateLimit: fc.oneof(
    parts.any,
    fc.record(
      { limit: parts.count, windowMillis: parts.count, burst: parts.count, other: parts.any },
      { requiredKeys: [] },
    ),
    fc.constant<JsonValue>({ limit: 1, windowMillis: 1 }),
  ),
  scenarioName: parts.text,
  requiredScenarioState: parts.text,
  newScenarioState: parts.text,
};

const rules = fc.record(
  {
    name: parts.name,
    description: parts.text,
    enabled: parts.enabled,
    priority: parts.count,
    metadata: parts.any,
    match: fc.oneof(matches, parts.any),
    ...turns,
    answer: fc.oneof({ weight: 5, arbitrary: answers }, { weight: 1, arbitrary: parts.any }),
    other: parts.any,
  },
  { requiredKeys: [] },
);

/** A rule that is right, with a few of its members exchanged, added or left out. */
const nearlyRightRules = fc
  .tuple(
    rules,
    answers,
    fc.subarray([...Object.keys(turns), 'match', 'metadata', 'answer'], { maxLength: 3 }),
    fc.subarray(['status', 'fail', 'example', 'body', 'bodyFile', 'template', 'headers', 'fault'], {
      maxLength: 2,
    }),
    fc.boolean(),
  )
  .map(([rule, answer, exchanged, said, hasAnswer]) => {
    const pick = (object: object, names: readonly string[]) =>
      Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
    const own = { answer: { status: 400, ...pick(answer, said) } };
    return { name: 'a', ...(hasAnswer && own), ...pick(rule, exchanged) };
  });

function isRead(value: JsonValue): boolean {
  const document = new SourceDocument(parseSource('a.json', JSON.stringify(value)));
  return checkForm(new FilePlace(document), 'file').length === 0;
}

test('the published schema and the mock accept the same files', async (t) => {
  const isValid = await openSchema(t);
  let accepted = 0;
  const property = fc.property(fc.oneof(rules, nearlyRightRules), (rule) => {
    const value = JSON.parse(JSON.stringify({ rules: [rule] })) as JsonValue;
    const isAccepted = isRead(value);
    accepted += isAccepted ? 1 : 0;
    assert.equal(isAccepted, isValid(value));
  });
  holds(t, property, 3_000);
  t.true(accepted > 100 && accepted < 2_900, `${accepted} were accepted`);
});

/** @returns the names in an `enum` or an `anyOf` of members of the published schema */
async function namesAt(pointer: string): Promise<unknown[]> {
  const text = await readFile(fixtureSchema, 'utf8');
  const list = new SourceDocument(parseSource('schema.json', text)).at(pointer);
  assert.ok(Array.isArray(list));
  return list.map((one) => (isJsonObject(one) ? [one['required']].flat()[0] : one)).sort();
}

test('the published schema names every matcher, delay and fault', async (t) => {
  const matcherNames = Object.keys(matcherKinds).sort();
  t.deepEqual(await namesAt('/$defs/matchers/anyOf'), matcherNames);
  const delayTypes = Object.keys(delayKinds).sort();
  t.deepEqual(await namesAt('/$defs/delayDistribution/properties/type/enum'), delayTypes);
  t.deepEqual(await namesAt('/$defs/answer/properties/fault/enum'), [...faults].sort());
});

test('the compiled schema matches the published one', async (t) => {
  const compiled = await readFile(fixtureSchema.pathname.replace(/json$/, 'cjs'), 'utf8');
  const isCurrent = compiled === (await compileFixtureSchema());
  t.true(isCurrent, 'run: npx tsx scripts/compile-fixture-schema.ts');
});

test('a number that no double can represent is refused where it is not a value', async (t) => {
  const text = (priority: string, value: string) =>
    `rules:\n  - name: a\n    priority: ${priority}\n    match: { query: { a: { equalToNumber: ${value} } } }\n    answer: { status: 400 }\n`;
  t.deepEqual(await faultsOf(t, { 'a.yaml': text('1', '9007199254740993') }), []);
  t.deepEqual(inBrief(await faultsOf(t, { 'a.yaml': text('9007199254740993', '1') })), [
    '3:15 priority must be a number with at most 15 digits, got 9007199254740993',
  ]);
});

test('a body schema that cannot be compiled is reported with its position', async (t) => {
  const rule = 'match:\n      bodySchema:\n        type: nothing\n    answer: { status: 400 }';
  const [fault = ''] = inBrief(
    await faultsOf(t, { 'b.yaml': `rules:\n  - name: a\n    ${rule}\n` }),
  );
  t.regex(fault, /^[45]:\d+ this schema cannot be compiled/);
});

test('a repeated rule name is reported at its second position', async (t) => {
  const rules = 'rules:\n  - name: same\n    answer: { status: 400 }\n';
  const faults = await faultsOf(t, { 'a.yaml': rules, 'b.yaml': rules });
  t.deepEqual(inBrief(faults), ['2:11 there is a rule "same" already']);
  t.like(faults[0], {
    file: 'b.yaml',
    remedy: 'A rule is enabled by its name, so each needs its own.',
  });
});

test('an unknown --fixture is refused with the known names', async (t) => {
  const files = {
    'a.yaml': 'rules:\n  - name: first\n    answer: { fixedDelayMilliseconds: 1 }\n',
  };
  const faults = await faultsOf(t, files, ['second', 'first']);
  t.is(faults.length, 1);
  t.like(faults[0], { file: '--fixture', message: 'there is no fixture "second"' });
  t.regex(faults[0]?.remedy ?? '', /^There is first; of the profiles there is .*flaky, .*offline/);
  const [none] = await faultsOf(t, {}, ['second']);
  t.regex(none?.remedy ?? '', /^There is none in files; of the profiles there is .*flaky/);
});

test('an enabled profile comes after the rules of files', async (t) => {
  const folder = await createFolder(t, {
    'a.yaml':
      'rules:\n  - name: first\n    enabled: false\n    answer: { fixedDelayMilliseconds: 1 }\n',
  });
  const { fixtures } = await load({
    document: defaultDocument,
    fixtures: [folder],
    fixture: ['offline', 'first'],
  });
  t.deepEqual(
    fixtures.rules.map(({ name, isEnabled }) => [name, isEnabled]),
    [
      ['first', true],
      ['offline', true],
    ],
  );
  t.false(fixtures.profiles.some(({ name }) => name === 'offline'));
});

test('an invalid example is reported where a rule names it', async (t) => {
  const broken = documentOf('one').replace(
    'example: { version:',
    'schema: { type: object, required: [date] }\n              examples: { old: { value: { a: 1 } } }\n              x-was: { version:',
  );
  const folder = await createFolder(t, {
    'api.yaml': broken,
    'a.yaml': 'rules:\n  - name: a\n    answer: { status: 200, example: old }\n',
  });
  const document = join(folder, 'api.yaml');
  const [fault] = await diagnosticsOf(() =>
    load({ document, fixtures: [join(folder, 'a.yaml')], fixture: [] }),
  );
  t.is(
    fault?.message,
    'the example "old" breaks its own schema: body/date is required but missing',
  );
  t.is(fault?.remedy, 'Correct the example in the document.');
});

test('a syntax error has line and column', async (t) => {
  const [yaml] = await faultsOf(t, { 'a.yaml': 'rules:\n  - name: [a\n    answer: {}\n' });
  t.is(yaml?.file, 'a.yaml');
  t.true((yaml?.position.line ?? 0) >= 2);
  t.deepEqual(inBrief(await faultsOf(t, { 'a.json': '{"rules":\n  [}' })), [
    '2:4 expected a value, got "}" at line 2, column 4',
  ]);
});

test('all errors of all files are reported at once', async (t) => {
  const faults = await faultsOf(t, {
    'a.yaml':
      'rules:\n  - name: a\n    answer: { status: 202 }\n  - name: b\n    answer: { status: 302 }\n',
    'b/c.yaml': 'rules: 1\n',
    'd.yaml': 'rules: [\n',
  });
  const places = faults.map(({ file, position }) => `${file}:${position.line}`);
  t.deepEqual(places.slice(0, 3), ['a.yaml:3', 'a.yaml:5', 'b/c.yaml:1']);
  t.true(places.some((place) => place.startsWith('d.yaml:')));
});

test('all errors of one rule, of the rules and resources beside it and of the enabled names are reported at once', async (t) => {
  const folder = await createFolder(t, {
    'a.yaml': `rules:
  - name: formless
    answer: { stauts: 400 }
  - name: wrong
    match: { operationId: createPlant }
    per: resource
    answer:
      status: 400
      headers: { Content-Length: "1" }
      body: { error: 400 }
resources:
  trees: []
`,
  });
  const settings = { document: defaultDocument, fixtures: [join(folder, 'a.yaml')] };
  const faults = await diagnosticsOf(() => load({ ...settings, fixture: ['wrong', 'flakey'] }));
  t.deepEqual(inBrief(faults), [
    '3:13 answer must have a status, a fault or a delay',
    '3:15 "stauts" is not known here',
    '6:10 createPlant has no path parameters that tell resources apart',
    '9:34 content-length cannot be set by a rule',
    '10:7 the body breaks the contract of createPlant, response 400: body/message is required but missing',
    '1:1 there is no fixture "flakey"',
    '12:3 the document has no resource "trees"',
  ]);
  t.regex(faults[1]?.remedy ?? '', /^Did you mean status\? Known here: status, /);
  t.regex(faults[5]?.remedy ?? '', /^Did you mean flaky\? /);
});

test('a file with more errors than can be shown ends the check', async (t) => {
  const rules = Array.from({ length: 1500 }, (_, index) => ({ name: `r-${index}`, answer: 7 }));
  const faults = await faultsOf(t, { 'a.json': JSON.stringify({ rules }) });
  t.is(faults.at(-1)?.message, 'there are more errors than can be shown');
});

test('contractOnly of an operation that declares no error is reported with position and remedy', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': documentOf('one'),
    'a.yaml':
      'rules:\n  - name: a\n    match: { operationId: readVersion }\n    answer: { fail: 503, contractOnly: true }\n',
  });
  const faults = await diagnosticsOf(() =>
    load({ document: join(folder, 'api.yaml'), fixtures: [join(folder, 'a.yaml')], fixture: [] }),
  );
  t.deepEqual(inBrief(faults), ['4:21 readVersion does not declare the status 503']);
  t.is(faults[0]?.remedy, 'It declares 200. offContract: true allows a response outside of them.');
});

test('a status that an operation does not declare is reported', async (t) => {
  const more = ['  /nothing:', '    get: { operationId: readNothing, responses: {} }'];
  const folder = await createFolder(t, {
    'api.yaml': documentOf('one', ...more),
    'a.yaml':
      'rules:\n  - name: a\n    match: { operationId: readNothing }\n    answer: { status: 200 }\n',
  });
  const document = join(folder, 'api.yaml');
  const [fault] = await diagnosticsOf(() =>
    load({ document, fixtures: [join(folder, 'a.yaml')], fixture: [] }),
  );
  t.is(fault?.message, 'readNothing does not declare the status 200');
  t.regex(fault?.remedy ?? '', /^It declares none\. /);
});

test('an invalid header field is reported with its position', async (t) => {
  const headers = '          headers: { X-Depth: { schema: { type: integer } } }';
  const folder = await createFolder(t, {
    'api.yaml': documentOf('one').replace(/( +description: The version)/, `$1\n${headers}`),
    'a.yaml': 'rules:\n  - name: a\n    answer: { status: 200, headers: { x-depth: deep } }\n',
  });
  const document = join(folder, 'api.yaml');
  const faults = await diagnosticsOf(() =>
    load({ document, fixtures: [join(folder, 'a.yaml')], fixture: [] }),
  );
  t.deepEqual(inBrief(faults), ['3:48 header/x-depth must be an integer, got the string "deep"']);
});

test('a failure of all operations is sent even if some declare no error', async (t) => {
  const folder = await createFolder(t, {
    'api.yaml': documentOf('one'),
    'a.yaml': 'rules:\n  - name: a\n    answer: { fail: 503 }\n',
  });
  const mock = await createMock({
    document: join(folder, 'api.yaml'),
    fixtures: [join(folder, 'a.yaml')],
  });
  t.is((await mock.fetch('/version')).status, 503);
});

test('undeclaredFailures: refuse refuses a failure that an operation does not declare', async (t) => {
  const rule =
    'rules:\n  - name: a\n    match: { operationId: createPlant }\n    answer: { fail: 503 }\n';
  const folder = await createFolder(t, { 'a.yaml': rule });
  const settings = { document: defaultDocument, fixtures: [join(folder, 'a.yaml')], fixture: [] };
  const faults = await diagnosticsOf(() => load({ ...settings, undeclaredFailures: 'refuse' }));
  t.deepEqual(inBrief(faults), ['4:21 createPlant does not declare the status 503']);
  await t.notThrowsAsync(() => load({ ...settings, undeclaredFailures: 'declared' }));
});

test('offContract: true accepts what breaks the contract', async (t) => {
  const faults = await faultsOf(t, {
    'a.yaml': 'rules:\n  - name: a\n    answer: { status: 503, body: [1], offContract: true }\n',
  });
  t.deepEqual(faults, []);
});

test('the mock and the published schema accept the shipped fixture files', async (t) => {
  const isValid = await openSchema(t);
  const files = await readdir(defaultFixtures);
  t.true(files.length >= 5);
  for (const file of files) {
    const text = await readFile(join(defaultFixtures, file), 'utf8');
    const value: JsonValue = parseSource(file, text).value;
    t.true(isValid(value), file);
  }
  const { fixtures } = await load({ document: defaultDocument, fixtures: [], fixture: [] });
  t.true(fixtures.rules.length >= 8);
  t.true(
    fixtures.rules.every(({ isEnabled }) => !isEnabled),
    'all of them are disabled at the start',
  );
});

test('every shipped rule can be enabled by its name', async (t) => {
  const { fixtures } = await load({ document: defaultDocument, fixtures: [], fixture: [] });
  const names = fixtures.rules.map(({ name }) => name);
  const switched = await load({ document: defaultDocument, fixtures: [], fixture: names });
  t.true(switched.fixtures.rules.every(({ isEnabled }) => isEnabled));
});
