import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseXml, XmlElement, type XmlNode } from '@rgrove/parse-xml';
import test from 'ava';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { findFindingsIdly, inspectContract } from '../../src/check/check.ts';
import type { Finding } from '../../src/check/finding.ts';
import { type RuleName, rules } from '../../src/check/rules.ts';
import { findStructureFaults } from '../../src/check/structure.ts';
import { heldFormats, knownKeywords } from '../../src/check/unsupported.ts';
import { runCheck } from '../../src/commands/check.ts';
import type { Console } from '../../src/commands/console.ts';
import { Contract } from '../../src/contract/contract.ts';
import { passedOverKeywords, subschemaKeywords } from '../../src/schema/schema-keywords.ts';
import type { ReportFormat } from '../../src/settings/command-line.ts';
import { defaultDocument, defaultSettings, type Settings } from '../../src/settings/settings.ts';
import { parseDocument } from '../support/documents.ts';
import { diagnosticsOf } from '../support/failures.ts';
import { createFolder } from '../support/folder.ts';
import { invocation } from '../support/invocation.ts';
import { fc } from '../support/properties.ts';

function findingsOf(contract: Contract) {
  return [...inspectContract(contract)].flatMap(({ findings }) => findings);
}

const HEAD = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n';
const names = Object.keys(rules) as RuleName[];

/** The sections of docs/reference/check.md that are about a rule, by its name. */
async function readSections(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL('../../docs/reference/check.md', import.meta.url), 'utf8');
  const [, about = ''] = text.split('\n## Rules\n');
  const parts = about.split(/^### +/m).slice(1);
  return new Map(parts.map((part) => [part.split('\n')[0]?.trim() ?? '', part] as const));
}

test('every rule has a section in docs/reference/check.md, and every section a rule', async (t) => {
  t.deepEqual([...(await readSections()).keys()], names);
});

test('every section of docs/reference/check.md starts with the severity of its rule', async (t) => {
  const sections = await readSections();
  for (const name of names) {
    t.regex(sections.get(name) ?? '', new RegExp(`\\n\\n${rules[name].severity}\\. `, 'i'), name);
  }
});

/** A document with these paths. */
function documentWith(paths: string, head = HEAD) {
  return parseDocument('api.yaml', `${head}${paths}`);
}

/** @returns what a check finds, as `line rule message` */
function findIn(paths: string, head?: string): string[] {
  return findingsOf(new Contract(documentWith(paths, head))).map(inBrief);
}

function inBrief({ position, rule, message }: Finding): string {
  return `${position.line} ${rule} ${message}`;
}

/** An operation that has nothing against it, with more members. */
function operation(more = ''): string {
  return `      responses: { '200': { description: ok }, default: { description: error } }\n${more}`;
}

/** A path whose answer has this schema. */
function answerOf(schema: string, more = ''): string {
  return `paths:
  /plants:
    get:
      responses:
        default: { description: error }
        '200':
          description: ok
          content:
            application/json:
              schema: ${schema}
${more}`;
}

const found: readonly (readonly [title: string, paths: string, findings: readonly string[]])[] = [
  ['nothing in a good document', answerOf('{ type: string }'), []],
  [
    'a security scheme that is not defined',
    `paths:\n  /plants:\n    get:\n      security: [{ key: [] }]\n${operation()}`,
    ['6 document the security scheme "key" is not defined'],
  ],
  [
    'an unresolved reference in a schema',
    answerOf("{ $ref: '#/components/schemas/Plant' }"),
    ['12 reference the reference "#/components/schemas/Plant" leads to nothing'],
  ],
  [
    'an invalid pattern, once and at its position',
    `${answerOf("{ $ref: '#/components/schemas/Plant' }")}  /trees:
    get:
      responses:
        default: { description: error }
        '200':
          description: ok
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Plant' } }
components:
  schemas:
    Plant:
      properties:
        name:
          type: string
          pattern: (?<=fern
`,
    ['28 schema the pattern "(?<=fern" is no regular expression: unterminated group'],
  ],
  [
    'an unknown type',
    answerOf('{ properties: { a: { type: any } } }'),
    ['12 schema this schema cannot be compiled: type must be JSONType or JSONType[]: any'],
  ],
  [
    'a schema that contradicts itself',
    answerOf('{ type: integer, minimum: 3, maximum: 2 }'),
    ['12 unsatisfiable-schema no value conforms to this schema: '],
  ],
  [
    'a contradiction in a required member, but not in an optional one',
    answerOf(
      '{ type: object, required: [a], properties: { a: { $ref: "#/components/schemas/A" }, b: { enum: [] } } }',
      'components: { schemas: { A: { allOf: [{ type: string }, { type: integer }] } } }\n',
    ),
    [
      '13 unsatisfiable-schema no value conforms to this schema: ',
      '12 malformed-keyword no value conforms to an empty "enum"',
    ],
  ],
  [
    'an invalid example of a response, each reason once',
    answerOf(
      '{ type: string }',
      '              examples: { a: { value: 1 }, b: { value: 1 }, c: { value: x } }\n',
    ),
    [
      '13 invalid-example the example "a" breaks its schema: value must be a string, got 1 ' +
        '(and so do 1 more examples)',
    ],
  ],
  [
    'an invalid example of a parameter',
    `paths:
  /plants:
    get:
      parameters: [{ name: n, in: query, example: x, schema: { type: integer, default: y } }]
${operation()}`,
    [
      '6 invalid-example the example breaks its schema: value must be an integer, got the string "x"',
      '6 invalid-example the default breaks its schema: value must be an integer, got the string "y"',
    ],
  ],
  [
    'an invalid example of a header field',
    `paths:
  /plants:
    get:
      responses:
        '200':
          description: ok
          headers: { Age: { example: x, schema: { type: integer } } }
        default: { description: error }
`,
    [
      '9 invalid-example the example breaks its schema: value must be an integer, got the string "x"',
    ],
  ],
  [
    'unreachable paths',
    `paths:
  plants: { get: { responses: { default: { description: ok } } } }
  /a/{b}?c=d: { get: { responses: { default: { description: ok } } } }
  /a?b=c: { get: { responses: { default: { description: ok } } } }
  /a#b: { get: { responses: { default: { description: ok } } } }
  /{a: { get: { responses: { default: { description: ok } } } }
`,
    [
      '4 unreachable-path no request leads to the path "plants": it does not begin with a slash',
      '5 unsupported-feature the path "/a/{b}?c=d" has a query or a fragment',
      '5 path-parameter the path parameter {b} is not declared',
      '6 unsupported-feature the path "/a?b=c" has a query or a fragment',
      '7 unsupported-feature the path "/a#b" has a query or a fragment',
      '8 unreachable-path no request leads to the path "/{a": its braces do not match',
    ],
  ],
  [
    'two equal paths',
    `paths:
  /plants/{a}:
    get:
      parameters: [{ name: a, in: path, required: true, schema: {} }]
${operation()}  /plants/{b}:
    get:
      parameters: [{ name: b, in: path, required: true, schema: {} }]
${operation()}`,
    ['10 ambiguous-route GET /plants/{b} and GET /plants/{a} are one path'],
  ],
  [
    'two ambiguous paths, and which of them is used',
    ambiguous('{ type: string }'),
    [
      '6 ambiguous-route GET /shops/{id} takes requests for /{town}/open, such as /shops/open: neither is more concrete',
    ],
  ],
  [
    'no ambiguity where a parameter excludes the literal of the other path',
    ambiguous("{ type: string, pattern: '^[A-Z]' }"),
    [],
  ],
  [
    'undeclared path parameters, and declared ones that are not in the path',
    `paths:
  /plants/{id}:
    get:
      parameters: [{ name: ID, in: path, required: true, schema: {} }]
${operation()}    put:
      parameters: [{ name: id, in: path, required: true, schema: {} }]
${operation()}`,
    [
      '6 path-parameter the path parameter {id} is not declared: any text is accepted',
      '6 path-parameter the path parameter "ID" is not in the path /plants/{id}: it is ignored',
    ],
  ],
  [
    'a repeated operationId',
    `paths:
  /plants:
    get:
      operationId: a
${operation()}  /trees:
    get:
      operationId: a
${operation()}`,
    ['10 duplicate-operation-id the operationId "a" belongs to GET /plants already'],
  ],
  [
    'operations without a response, and without a success',
    `paths:
  /plants:
    get: { responses: { '404': { description: no } } }
    put: { responses: { '100': { description: go on } } }
    post: { summary: none }
`,
    [
      '5 missing-success GET /plants declares no success: a valid request is answered by 404',
      '6 missing-response PUT /plants declares no response but of 1xx: a valid request is answered by 200 without content',
      '7 missing-response POST /plants declares no response: a valid request is answered by 200 without content',
    ],
  ],
  [
    'the status of refusals without a declared one, for each cause',
    `paths:
  /plants/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { security: [{ key: [] }], responses: { '200': { description: ok }, '403': { description: no } } }
    put: { security: [{ key: [] }], responses: { '200': { description: ok }, '400': { description: no } } }
    delete: { security: [{ key: [] }, {}], responses: { '200': { description: ok } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`,
    [
      '6 undeclared-refusal 2 operations declare no 401: a request without a good credential is refused by 403 (1), by 400 (1)',
      '6 undeclared-refusal 3 operations declare no 404: a request for what does not exist is refused by 403 (1), by 400 (1), by 404 as application/problem+json, which is not declared (1)',
      '6 undeclared-refusal 2 operations declare no 400 or 422: a request that breaks the document is refused by 403 (1), by 422 as application/problem+json, which is not declared (1)',
    ],
  ],
  [
    'invalid values of keywords, once for all positions',
    answerOf('{ properties: { a: { required: true }, b: { required: true }, c: { enum: [] } } }'),
    [
      '12 malformed-keyword "required" cannot be true: the keyword is ignored (and in 1 more place)',
      '12 malformed-keyword no value conforms to an empty "enum"',
    ],
  ],
  [
    'formats, keywords and credentials that are not checked',
    `${answerOf('{ type: string, format: plant, maxLenght: 3, nullable: true, x-mine: 1 }')}      security: [{ tls: [], digest: [] }]
components:
  securitySchemes: { tls: { type: mutualTLS }, digest: { type: http, scheme: digest } }
jsonSchemaDialect: http://json-schema.org/draft-07/schema#
`,
    [
      '12 unsupported-feature the format "plant" is not checked: any value of the type is valid',
      '12 unsupported-feature "nullable" is no keyword since OpenAPI 3.1: null is not accepted',
      '12 unsupported-feature no dialect has the keyword "maxLenght": it is ignored',
      '16 unsupported-feature schemas are read as JSON Schema 2020-12, and not as http://json-schema.org/draft-07/schema#',
      '6 unsupported-feature the certificate of "tls" (mutualTLS) is not asked for',
      '6 unsupported-feature of a credential of the scheme "digest" only the name of the scheme is checked',
    ],
  ],
];

function ambiguous(town: string): string {
  return `paths:
  /shops/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
${operation()}  /{town}/open:
    get:
      parameters: [{ name: town, in: path, required: true, schema: ${town} }]
${operation()}`;
}

for (const [title, paths, findings] of found) {
  test(`a check finds ${title}`, (t) => {
    const actual = findIn(paths);
    t.is(actual.length, findings.length, actual.join('\n'));
    for (const finding of findings) {
      t.true(
        actual.some((one) => one.startsWith(finding)),
        `${finding}\n${actual.join('\n')}`,
      );
    }
  });
}

test('in OpenAPI 3.0, a check finds unknown types and siblings of $ref', (t) => {
  const head = 'openapi: 3.0.3\ninfo: { title: T, version: "1" }\n';
  const paths = `${answerOf("{ properties: { a: { type: any }, b: { nullable: true, description: b, $ref: '#/components/schemas/B' } } }")}components:
  schemas: { B: { type: string } }
`;
  t.deepEqual(findIn(paths, head), [
    '12 unsupported-feature there is no type "any": any value is taken',
    '12 unsupported-feature OpenAPI 3.0 ignores "nullable" beside a $ref',
  ]);
});

test('every rule that finds something in documents has a document in this test', (t) => {
  const told = new Set(found.flatMap(([, , findings]) => findings.map((one) => one.split(' ')[1])));
  const others: readonly RuleName[] = [
    'structure',
    'no-value-found',
    'undeclared-failure',
    'fixture',
  ];
  t.deepEqual([...told, ...others].sort(), [...names].sort());
});

test('the structure of a document is validated by its OpenAPI version', async (t) => {
  const document = documentWith('paths: { /a: { get: { responses: { "200": {} } } } }\n');
  t.deepEqual((await findStructureFaults(document)).map(inBrief), [
    '3 structure "description" is missing here',
  ]);
  const named = documentWith('paths: {}\nextra: 1\n', 'openapi: 3.0.3\ninfo: { title: T }\n');
  t.deepEqual((await findStructureFaults(named)).map(inBrief), [
    '4 structure "extra" is not allowed here',
    '2 structure "version" is missing here',
  ]);
  const exact = documentWith('paths: {}\nx-number: 1.00000000000000000000001\n');
  t.deepEqual(await findStructureFaults(exact), []);
});

test('an object that can be of several kinds is validated as the intended one', async (t) => {
  const document = documentWith(
    `paths: { /a: { get: { parameters: [{ in: query, schema: {} }], responses: { 200: {} } } } }
components:
  securitySchemes: { a: { type: http }, b: { type: apiKey, in: body, name: x }, c: { type: key } }
`,
    'openapi: 3.0.3\ninfo: { title: T, version: "1" }\n',
  );
  t.deepEqual((await findStructureFaults(document)).map(inBrief).sort(), [
    '3 structure "description" is missing here',
    '3 structure "name" is missing here',
    '5 structure "scheme" is missing here',
    '5 structure this must be one of apiKey, http, oauth2, openIdConnect',
    '5 structure this must be one of header, query, cookie',
  ]);
});

test('an operation is served unless it cannot be read, reached or answered', (t) => {
  const served = (paths: string): boolean[] =>
    [...inspectContract(new Contract(documentWith(paths)))]
      .filter((inspection) => inspection.operation !== undefined)
      .map(({ isServed }) => isServed);
  t.deepEqual(served(answerOf('{ type: string }')), [true]);
  t.deepEqual(served(answerOf("{ pattern: '(' }")), [false]);
  t.deepEqual(served(answerOf('{ type: integer, minimum: 3, maximum: 2 }')), [false]);
  t.deepEqual(served(`paths:\n  /{a:\n    get:\n${operation()}`), [false]);
  t.deepEqual(served('paths: { /a: { get: {} } }\n'), [true]);
});

test('every known format is asserted, or is one that every string has', (t) => {
  const free = new Set(['binary', 'password']);
  const schemas = [...heldFormats].map((format) => `{ format: ${JSON.stringify(format)} }`);
  const contract = new Contract(
    documentWith(`paths: {}\ncomponents: { schemas: { A: { anyOf: [${schemas.join(', ')}] } } }\n`),
  );
  for (const [index, format] of [...heldFormats].entries()) {
    const schema = contract.schemas.schemaAt(`/components/schemas/A/anyOf/${index}`);
    const refused = ['\u0000 (', 0.5, 1e39, 2 ** 64].filter((one) => schema.check(one, 'body')[0]);
    const isFree = free.has(format) || format === 'double';
    t.is(refused.length > 0, !isFree, format);
  }
});

test('every keyword that the code reads is a known keyword', (t) => {
  const read = [...passedOverKeywords, ...subschemaKeywords.keys()];
  t.deepEqual(
    read.filter((keyword) => !knownKeywords.has(keyword)),
    [],
  );
});

test('a background check lets the event loop run between two operations', async (t) => {
  const paths = Array.from({ length: 30 }, (_, index) => `  /a${index}:\n    get: {}\n`).join('');
  const contract = new Contract(documentWith(`paths:\n${paths}`));
  let turns = 0;
  let isOver = false;
  const count = async (): Promise<void> => {
    for (; !isOver; turns++) await nextTurn();
  };
  const counting = count();
  let findings = 0;
  for await (const { rule } of findFindingsIdly(contract, new AbortController().signal, nextTurn)) {
    if (rule === 'missing-response') findings++;
  }
  isOver = true;
  await counting;
  t.is(findings, 30);
  t.true(turns >= 30, `${turns} turns`);
});

test('a background check can be aborted', async (t) => {
  const paths = Array.from({ length: 30 }, (_, index) => `  /a${index}:\n    get: {}\n`).join('');
  const contract = new Contract(documentWith(`paths:\n${paths}`));
  const end = new AbortController();
  let findings = 0;
  for await (const _ of findFindingsIdly(contract, end.signal, nextTurn)) {
    findings++;
    end.abort();
  }
  t.is(findings, 1);
});

/** Puts a value in place of a part of another, which a number for each level leads to. */
function replaceAt(
  whole: JsonValue,
  [step, ...steps]: readonly number[],
  value: JsonValue,
): JsonValue {
  if (step === undefined || typeof whole !== 'object' || whole === null) return value;
  const keys = Object.keys(whole);
  const key = keys[step % keys.length];
  if (key === undefined) return value;
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as JsonObject;
  copy[key] = replaceAt(copy[key] ?? null, steps, value);
  return copy;
}

test('no invalid part of a document stops the check', async (t) => {
  const text = await readFile(defaultDocument, 'utf8');
  const { root } = parseDocument('api.yaml', text);
  const values = fc.constantFrom<JsonValue[]>(
    ...[null, 1, 'x', true, [], {}, [null], { $ref: '#/nothing' }, { $ref: '#' }, { $ref: 1 }],
  );
  const places = fc.array(fc.nat(20), { minLength: 2, maxLength: 12 });
  const property = fc.asyncProperty(places, values, async (steps, value) => {
    const broken = stringifyJson(replaceAt(root, steps, value));
    await diagnosticsOf(async () => {
      const document = parseDocument('api.json', broken);
      const structure = await findStructureFaults(document);
      const findings = findingsOf(new Contract(document));
      for (const { message, remedy } of [...structure, ...findings]) {
        assert.ok(message !== '' && remedy !== undefined);
      }
    });
  });
  await t.notThrowsAsync(async () => fc.assert(property, { numRuns: 200 }));
});

/** Runs the command as main does, without a process. */
async function check(
  files: Readonly<Record<string, string>>,
  folder: string,
  format: ReportFormat,
  { isTerminal = false, ...settings }: Partial<Settings> & { readonly isTerminal?: boolean } = {},
) {
  let output = '';
  const console: Console = {
    environment: {},
    nodeVersion: '20.19.0',
    folder,
    isTerminal,
    hasColor: false,
    write: (text) => {
      output += text;
    },
    writeError: () => {},
    cacheFolder: undefined,
    importFile: () => Promise.resolve({}),
    availableMemory: () => 0,
    openFiles: undefined,
    writeLog: () => {},
    onUncaught: () => {},
    endGroup: () => {},
    exitSoon: () => {},
    ended: new Promise(() => {}),
  };
  const document = Object.keys(files).map((name) => `${folder}/${name}`);
  const given = invocation({ ...defaultSettings, document, ...settings }, console, { format });
  const code = await runCheck(given);
  return { code, output: output.replaceAll(`${folder}/`, '') };
}

const faulty = {
  'api.yaml': `${HEAD}${answerOf('{ type: string }', '              example: 1\n')}  /broken<&">:
    get: { requestBody: { $ref: '#/components/examples/one/value' } }
components: { examples: { one: { value: 1 } } }
`,
};
const warned = {
  'api.yaml': `${HEAD}${answerOf('{ type: string }', '              example: 1\n')}`,
};

test('a table on a terminal groups findings by file and lists what is served', async (t) => {
  const folder = await createFolder(t, faulty);
  const { code, output } = await check(faulty, folder, 'text', { isTerminal: true });
  t.is(code, 1);
  t.is(
    output,
    `api.yaml
  13:24  warning  invalid-example  the example breaks its schema: value must be a string, got 1
                                   It is not served; correct the example or the schema.
  16:41  error    document         an object is required here
                                   Correct it; until then, what it belongs to is not served.

1 error, 1 warning; 1 of 2 operations served
`,
  );
});

test('text of a document cannot move the cursor of a terminal', async (t) => {
  const files = { 'api.yaml': `${HEAD}paths:\n  "a\\e[2Jb\\nc": { get: {} }\n` };
  const folder = await createFolder(t, files);
  for (const isTerminal of [true, false]) {
    const { output } = await check(files, folder, 'text', { isTerminal });
    t.false(output.includes('\u001b'));
    t.false(/^c/m.test(output));
  }
});

test('text output shows twenty findings per rule and refers to the rest', async (t) => {
  const paths = Array.from({ length: 25 }, (_, index) => `  /a${index}:\n    get: {}\n`).join('');
  const files = { 'api.yaml': `${HEAD}paths:\n${paths}` };
  const folder = await createFolder(t, files);
  const { output } = await check(files, folder, 'text');
  t.is(output.match(/\[missing-response\]$/gm)?.length, 20);
  t.true(
    output.includes('and 5 more of missing-response in api.yaml: --format json has them all\n'),
  );
  t.true(output.endsWith('25 warnings; 25 of 25 operations served\n'));
});

test('on a terminal, a large document shows the progress and then erases it', async (t) => {
  const paths = Array.from(
    { length: 200 },
    (_, index) => `  /a${index}:\n    get:\n${operation()}`,
  );
  const files = { 'api.yaml': `${HEAD}paths:\n${paths.join('')}` };
  const folder = await createFolder(t, files);
  const { output } = await check(files, folder, 'text', { isTerminal: true });
  t.true(output.includes('\r\u001b[K25 of 200 operations\r\u001b[K50 of 200 operations'));
  t.regex(output, /operations\r\u001b\[Kapi\.yaml: nothing is wrong/);
  t.false((await check(files, folder, 'text')).output.includes('\r'));
});

test('warnings exit with 1 only under --strict, notes never', async (t) => {
  const folder = await createFolder(t, warned);
  t.is((await check(warned, folder, 'text')).code, 0);
  t.is((await check(warned, folder, 'text', { strict: true })).code, 1);
  const noted = { 'note.yaml': `${HEAD}${answerOf('{ type: string, format: plant }')}` };
  const other = await createFolder(t, noted);
  const { code, output } = await check(noted, other, 'text', { strict: true });
  t.is(code, 0);
  t.regex(output, /note: the format "plant" is not checked/);
  t.regex(output, /nothing is wrong \(1 operation, 0 failure fixtures\), 1 note\n$/);
});

test('json has every finding with location, rule, operation and remedy', async (t) => {
  const folder = await createFolder(t, faulty);
  const { code, output } = await check(faulty, folder, 'json');
  t.is(code, 1);
  const report = JSON.parse(output) as { findings: unknown[]; operations: unknown };
  t.like(report, { documents: ['api.yaml'], errors: 1, warnings: 1, notes: 0, fixtures: 0 });
  t.like(report.operations, { total: 2, served: 1, notServed: [{ path: '/broken<&">' }] });
  t.deepEqual(report.findings[0], {
    rule: 'invalid-example',
    severity: 'warning',
    file: 'api.yaml',
    line: 13,
    column: 24,
    pointer: '/paths/~1plants/get/responses/200/content/application~1json/example',
    operation: 'GET /plants',
    message: 'the example breaks its schema: value must be a string, got 1',
    remedy: 'It is not served; correct the example or the schema.',
  });
});

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: { id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number; readonly startColumn: number };
        };
      }[];
    }[];
  }[];
}

test('sarif names rule, level, message and region of every finding', async (t) => {
  const folder = await createFolder(t, faulty);
  const { code, output } = await check(faulty, folder, 'sarif');
  t.is(code, 1);
  const log = JSON.parse(output) as Sarif;
  t.is(log.version, '2.1.0');
  const [run] = log.runs;
  t.is(run?.tool.driver.name, 'coldframe');
  t.deepEqual(
    run?.tool.driver.rules.map(({ id }) => id),
    names,
  );
  t.is(run?.results.length, 2);
  for (const { ruleId, ruleIndex, level, message, locations } of run?.results ?? []) {
    t.is(names[ruleIndex], ruleId as RuleName);
    t.is(level, rules[ruleId as RuleName].severity);
    t.not(message.text, '');
    const [place] = locations;
    t.regex(place?.physicalLocation.artifactLocation.uri ?? '', /^file:\/\/.*api\.yaml$/);
    t.true((place?.physicalLocation.region.startLine ?? 0) > 1);
  }
});

function elements(node: XmlNode & { readonly children?: readonly XmlNode[] }): XmlElement[] {
  return (node.children ?? []).flatMap((child) =>
    child instanceof XmlElement ? [child, ...elements(child)] : [],
  );
}

test('junit has a suite for each document and a case for each operation, with failures', async (t) => {
  const files = {
    ...faulty,
    'other.yaml': `${HEAD}paths:\n  /other:\n    get:\n${operation()}`,
  };
  const folder = await createFolder(t, files);
  for (const [strict, failures] of [
    [false, ['/broken<&">']],
    [true, ['/plants', '/broken<&">']],
  ] as const) {
    const { output } = await check(files, folder, 'junit', { strict });
    const all = elements(parseXml(output));
    const [root] = all;
    t.like(root?.attributes, { tests: '5', failures: String(failures.length) });
    const suites = all.filter(({ name }) => name === 'testsuite');
    t.deepEqual(
      suites.map(({ attributes }) => [attributes['name'], attributes['tests']]),
      [
        ['api.yaml', '3'],
        ['other.yaml', '2'],
      ],
    );
    const failed = all.filter(({ name }) => name === 'failure').map(({ parent }) => parent);
    t.deepEqual(
      failed.map((one) => (one as XmlElement).attributes['name']),
      failures.map((path) => `GET ${path}`),
    );
  }
});
