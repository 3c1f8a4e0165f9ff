import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { systemClock } from '../../src/base/clock.ts';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import type { JsonValue } from '../../src/base/json/value.ts';
import { distanceOf } from '../../src/base/nearest-name.ts';
import { Problem } from '../../src/base/problem.ts';
import { Contract } from '../../src/contract/contract.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { FilePlace, SourceDocument } from '../../src/document/source-document.ts';
import { Fields, type WireRequest } from '../../src/http/message.ts';
import { LazyRequestView } from '../../src/request/create-view.ts';
import { route } from '../../src/request/route.ts';
import type { RequestPattern, RequestView } from '../../src/request/view.ts';
import { RuleList } from '../../src/rules/fixture-set.ts';
import { compileMatch, type MatchJson } from '../../src/rules/match/compile-match.ts';
import { compileJsonPath } from '../../src/rules/match/json-path.ts';
import type { Rule } from '../../src/rules/rule.ts';
import { checkForm } from '../../src/rules/schema/check-form.ts';
import { compileTextPattern, PatternError } from '../../src/schema/pattern/text-pattern.ts';
import { parseDocument } from '../support/documents.ts';
import { openForJudging } from '../support/judges.ts';
import { fc, holds } from '../support/properties.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Beds, version: '1' }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    user: { type: http, scheme: basic }
paths:
  /beds/{bedId}:
    parameters:
      - { name: bedId, in: path, required: true, schema: { type: integer, format: int64 } }
    get:
      operationId: readBed
      security: [{ key: [] }, { user: [] }]
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: dry, in: query, schema: { type: boolean } }
        - { name: tag, in: query, schema: { type: array, items: { type: string } } }
        - name: near
          in: query
          style: deepObject
          schema: { type: object, properties: { lat: { type: number } } }
        - { name: X-Count, in: header, schema: { type: integer } }
        - { name: theme, in: cookie, schema: { type: string } }
      responses: { '200': { description: The bed } }
    put:
      operationId: writeBed
      requestBody:
        content:
          application/json: { schema: { type: object } }
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { depth: { type: integer } } }
      responses: { '204': { description: Written } }
  /trees:
    get:
      operationId: readTrees
      responses: { '200': { description: Trees } }
`;

const contract = new Contract(parseDocument('beds.yaml', DOCUMENT));
const LIMITS = { maximumBodyBytes: 1_000_000, brotli: false };

/** A request as a test writes it: `PUT /beds/1`, fields, a body. */
interface Sent {
  readonly line?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly session?: string;
}

function wire({ line = 'GET /beds/1', fields = {}, body = '' }: Sent): WireRequest {
  const [method = '', target = ''] = line.split(' ');
  return { method, target, fields: new Fields(fields), rawBody: Buffer.from(body) };
}

function view(sent: Sent): RequestView {
  return new LazyRequestView(
    route(contract, wire(sent)),
    { id: sent.session ?? 'default', clock: systemClock },
    LIMITS,
  );
}

function put(body: string, fields: Readonly<Record<string, string>> = {}): Sent {
  return { line: 'PUT /beds/1', fields: { 'content-type': 'application/json', ...fields }, body };
}

/** @param yaml the `match` as a fixture file has it */
function compile(yaml: string): RequestPattern {
  const file = new SourceDocument(parseSource('match.yaml', yaml));
  const faults = checkForm(new FilePlace(file), 'match');
  if (faults.length > 0) throw new DiagnosticError(faults);
  return compileMatch(new FilePlace(file), file.root as MatchJson, contract);
}

/** Matches in YAML, requests, and whether the one is for the other. */
const facts: Readonly<Record<string, readonly (readonly [yaml: string, sent: Sent, boolean])[]>> = {
  'an empty match matches every request': [
    ['{}', {}, true],
    ['{}', put('{}'), true],
  ],
  'an operation matches by its id, or one of several': [
    ['operationId: readBed', {}, true],
    ['operationId: writeBed', {}, false],
    ['operationId: [writeBed, readBed]', {}, true],
    ['operationId: [writeBed, readTrees]', {}, false],
    ['{ method: get, path: "/beds/{bedId}" }', {}, true],
    ['{ method: PUT, path: "/beds/{bedId}" }', {}, false],
  ],
  'a path matches as it was sent': [
    ['urlPath: /beds/1', {}, true],
    ['urlPath: /beds/1', { line: 'GET /beds/1?limit=2' }, true],
    ['urlPath: /beds/%31', {}, false],
    ['urlPath: { matches: "/beds/[0-9]+" }', {}, true],
    ['urlPath: { matches: "/beds" }', {}, false],
    ['url: /beds/1?limit=2', { line: 'GET /beds/1?limit=2' }, true],
    ['url: /beds/1', { line: 'GET /beds/1?limit=2' }, false],
    ['{ method: PUT, urlPath: /beds/1 }', {}, false],
    ['{ method: GET, urlPath: /beds/1 }', {}, true],
  ],
  'a path parameter matches by its decoded value': [
    ['pathParameters: { bedId: 1 }', {}, true],
    ['pathParameters: { bedId: "1" }', {}, true],
    ['pathParameters: { bedId: 2 }', {}, false],
    [
      'pathParameters: { bedId: 9223372036854775807 }',
      { line: 'GET /beds/9223372036854775807' },
      true,
    ],
    [
      'pathParameters: { bedId: 9223372036854775806 }',
      { line: 'GET /beds/9223372036854775807' },
      false,
    ],
    ['pathParameters: { bedId: { greaterThanNumber: 0 } }', {}, true],
  ],
  'a query parameter matches by its decoded value, or by its text': [
    ['query: { limit: 10 }', { line: 'GET /beds/1?limit=10' }, true],
    ['query: { limit: "10" }', { line: 'GET /beds/1?limit=10' }, true],
    ['query: { limit: 10 }', { line: 'GET /beds/1?limit=1e1' }, true],
    ['query: { limit: 10 }', {}, false],
    ['query: { dry: true }', { line: 'GET /beds/1?dry=true' }, true],
    ['query: { dry: true }', { line: 'GET /beds/1?dry=false' }, false],
    ['query: { tag: [a, b] }', { line: 'GET /beds/1?tag=a&tag=b' }, true],
    ['query: { tag: [a] }', { line: 'GET /beds/1?tag=a&tag=b' }, false],
    ['query: { tag: b }', { line: 'GET /beds/1?tag=a&tag=b' }, true],
    ['query: { other: 5 }', { line: 'GET /beds/1?other=5' }, true],
    ['query: { other: a b }', { line: 'GET /beds/1?other=a+b' }, true],
    ['query: { near: { equalToJson: { lat: 1.5 } } }', { line: 'GET /beds/1?near[lat]=1.5' }, true],
  ],
  'a header matches whatever the case of its name': [
    ['headers: { X-Trace: abc }', { fields: { 'x-trace': 'abc' } }, true],
    ['headers: { x-trace: ABC }', { fields: { 'x-trace': 'abc' } }, false],
    ['headers: { x-count: 3 }', { fields: { 'x-count': '3' } }, true],
  ],
  'a cookie matches': [
    ['cookies: { theme: dark }', { fields: { cookie: 'a=b; theme=dark' } }, true],
    ['cookies: { theme: dark }', { fields: { cookie: 'theme=light' } }, false],
    ['cookies: { theme: { absent: true } }', {}, true],
  ],
  'a credential is an API key, a token or user and password': [
    ['credential: k1', { fields: { 'x-key': 'k1' } }, true],
    ['credential: "ann:pw"', { fields: { authorization: 'Basic YW5uOnB3' } }, true],
    ['credential: t1', { line: 'GET /trees', fields: { authorization: 'Bearer t1' } }, true],
    ['credential: { absent: true }', {}, true],
    ['credential: { absent: true }', { fields: { 'x-key': 'k1' } }, false],
  ],
  'a session matches by its id': [
    ['session: default', {}, true],
    ['session: { matches: "test-.*" }', { session: 'test-1' }, true],
    ['session: { matches: "test-.*" }', {}, false],
  ],
  'part of a body matches, with exact numbers': [
    ['body: { tag: fern }', put('{"tag":"fern","other":1}'), true],
    ['body: { depth: 1 }', put('{"depth":1.0}'), true],
    ['body: { id: 9223372036854775807 }', put('{"id":9223372036854775806}'), false],
    ['body: { tags: [a] }', put('{"tags":["a","b"]}'), false],
    [
      'body: { depth: 3 }',
      put('depth=3', { 'content-type': 'application/x-www-form-urlencoded' }),
      true,
    ],
    ['bodySchema: { required: [tag] }', put('{"tag":1}'), true],
    ['bodySchema: { required: [tag] }', put('{}'), false],
    ['bodySchema: true', put(''), false],
  ],
  'equalTo compares strings, ignoring case on request': [
    ['query: { a: { equalTo: x } }', { line: 'GET /beds/1?a=x' }, true],
    ['query: { a: { equalTo: x } }', { line: 'GET /beds/1?a=X' }, false],
    ['query: { a: { equalTo: x, caseInsensitive: true } }', { line: 'GET /beds/1?a=X' }, true],
  ],
  'contains and doesNotContain compare strings': [
    ['query: { a: { contains: er } }', { line: 'GET /beds/1?a=fern' }, true],
    ['query: { a: { contains: er } }', {}, false],
    ['query: { a: { doesNotContain: er } }', { line: 'GET /beds/1?a=fern' }, false],
    ['query: { a: { doesNotContain: er } }', {}, true],
  ],
  'matches applies to the whole string, even across lines': [
    ['query: { a: { matches: "f.*" } }', { line: 'GET /beds/1?a=fern' }, true],
    ['query: { a: { matches: "f.*" } }', { line: 'GET /beds/1?a=a%20fern' }, false],
    ['query: { a: { matches: "f.*" } }', { line: 'GET /beds/1?a=f%0Ag' }, true],
    ['query: { a: { matches: "(?i)FERN" } }', { line: 'GET /beds/1?a=fern' }, true],
    [
      'query: { a: { matches: "\\\\u00e9|\\\\ud83c\\\\udf35" } }',
      { line: 'GET /beds/1?a=%F0%9F%8C%B5' },
      true,
    ],
    ['query: { a: { doesNotMatch: "f.*" } }', { line: 'GET /beds/1?a=fern' }, false],
    ['query: { a: { doesNotMatch: "f.*" } }', {}, true],
  ],
  'one of several values is enough': [
    ['query: { a: { contains: x } }', { line: 'GET /beds/1?a=y&a=x' }, true],
    ['query: { a: { matches: z } }', { line: 'GET /beds/1?a=y&a=x' }, false],
  ],
  'hasExactly and includes compare several values': [
    [
      'query: { a: { hasExactly: [{ equalTo: x }, { equalTo: y }] } }',
      { line: 'GET /beds/1?a=y&a=x' },
      true,
    ],
    ['query: { a: { hasExactly: [{ equalTo: x }] } }', { line: 'GET /beds/1?a=y&a=x' }, false],
    [
      'query: { a: { hasExactly: [{ equalTo: x }, { contains: x }] } }',
      { line: 'GET /beds/1?a=y&a=x' },
      false,
    ],
    ['query: { a: { includes: [{ equalTo: x }] } }', { line: 'GET /beds/1?a=y&a=x' }, true],
    [
      'query: { a: { includes: [{ equalTo: x }, { equalTo: z }] } }',
      { line: 'GET /beds/1?a=y&a=x' },
      false,
    ],
    ['headers: { x-a: { includes: [{ equalTo: x }] } }', { fields: { 'x-a': 'y, x' } }, true],
    ['query: { a: { includes: [{ equalTo: x }] } }', {}, false],
  ],
  'absent matches a missing value': [
    ['query: { a: { absent: true } }', {}, true],
    ['query: { a: { absent: true } }', { line: 'GET /beds/1?a=' }, false],
    ['bodyPatterns: [{ absent: true }]', put(''), true],
    ['bodyPatterns: [{ absent: true }]', put('{}'), false],
  ],
  'matchers combine with and, or and not, and in one object': [
    [
      'query: { a: { and: [{ contains: f }, { contains: n }] } }',
      { line: 'GET /beds/1?a=fern' },
      true,
    ],
    [
      'query: { a: { and: [{ contains: f }, { contains: x }] } }',
      { line: 'GET /beds/1?a=fern' },
      false,
    ],
    [
      'query: { a: { or: [{ absent: true }, { equalTo: fern }] } }',
      { line: 'GET /beds/1?a=fern' },
      true,
    ],
    ['query: { a: { or: [{ absent: true }, { equalTo: fern }] } }', {}, true],
    ['query: { a: { not: { equalTo: fern } } }', { line: 'GET /beds/1?a=fern' }, false],
    ['query: { a: { not: { equalTo: fern } } }', {}, true],
    ['query: { a: { contains: f, doesNotMatch: ".*x" } }', { line: 'GET /beds/1?a=fern' }, true],
    ['query: { a: { contains: f, doesNotMatch: ".*n" } }', { line: 'GET /beds/1?a=fern' }, false],
  ],
  'numbers compare exactly': [
    ['query: { a: { equalToNumber: 1 } }', { line: 'GET /beds/1?a=1.00' }, true],
    [
      'query: { a: { greaterThanNumber: 9223372036854775806 } }',
      { line: 'GET /beds/1?a=9223372036854775807' },
      true,
    ],
    [
      'query: { a: { greaterThanNumber: 9223372036854775807 } }',
      { line: 'GET /beds/1?a=9223372036854775807' },
      false,
    ],
    ['query: { a: { greaterThanEqualNumber: 5 } }', { line: 'GET /beds/1?a=5' }, true],
    ['query: { a: { lessThanNumber: 5 } }', { line: 'GET /beds/1?a=5' }, false],
    ['query: { a: { lessThanEqualNumber: 5 } }', { line: 'GET /beds/1?a=5' }, true],
    ['query: { a: { lessThanNumber: 5 } }', { line: 'GET /beds/1?a=four' }, false],
  ],
  'dates compare as times': [
    [
      'query: { a: { before: "2027-01-01T00:00:00Z" } }',
      { line: 'GET /beds/1?a=2026-12-31' },
      true,
    ],
    [
      'query: { a: { after: "2027-01-01T00:00:00Z" } }',
      { line: 'GET /beds/1?a=2026-12-31' },
      false,
    ],
    [
      'query: { a: { equalToDateTime: "2027-01-01T00:00:00Z" } }',
      { line: 'GET /beds/1?a=2027-01-01T02:00:00%2B02:00' },
      true,
    ],
    [
      'headers: { date: { after: 2026-01-01 } }',
      { fields: { date: 'Tue, 06 Jan 2026 10:00:00 GMT' } },
      true,
    ],
    ['query: { a: { before: 2027-01-01 } }', { line: 'GET /beds/1?a=soon' }, false],
    [
      'query: { a: { after: 2026-12-31, actualFormat: yyyy-MM-dd } }',
      { line: 'GET /beds/1?a=2026-13-01' },
      false,
    ],
    ['query: { a: { after: 2027-01-01 } }', { line: 'GET /beds/1?a=2027-02-30' }, false],
  ],
  'equalToJson compares a body as JSON': [
    ['bodyPatterns: [{ equalToJson: { a: 1, b: [1, 2] } }]', put('{"b":[1,2],"a":1.0}'), true],
    [`bodyPatterns: [{ equalToJson: '{"a": 1}' }]`, put('{"a":1}'), true],
    ['bodyPatterns: [{ equalToJson: { a: 1 } }]', put('{"a":1,"b":2}'), false],
    [
      'bodyPatterns: [{ equalToJson: { a: 1 }, ignoreExtraElements: true }]',
      put('{"a":1,"b":2}'),
      true,
    ],
    ['bodyPatterns: [{ equalToJson: [1, 2], ignoreExtraElements: true }]', put('[1,2,3]'), true],
    ['bodyPatterns: [{ equalToJson: [1, 3], ignoreExtraElements: true }]', put('[1,2,3]'), false],
    ['bodyPatterns: [{ equalToJson: [3, 1], ignoreArrayOrder: true }]', put('[1,3]'), true],
    ['bodyPatterns: [{ equalToJson: [3, 1], ignoreArrayOrder: true }]', put('[1,1]'), false],
    [
      'bodyPatterns: [{ equalToJson: [{ a: 1 }, { a: 1, b: 1 }], ignoreArrayOrder: true, ignoreExtraElements: true }]',
      put('[{"a":1,"b":1},{"a":1}]'),
      true,
    ],
    ['bodyPatterns: [{ equalToJson: 9223372036854775807 }]', put('9223372036854775806'), false],
  ],
  'a JSONPath finds a value in the body, or a matching one': [
    ['bodyPatterns: [{ matchesJsonPath: "$.items[?@.n > 1]" }]', put('{"items":[{"n":2}]}'), true],
    ['bodyPatterns: [{ matchesJsonPath: "$.items[?@.n > 1]" }]', put('{"items":[{"n":1}]}'), false],
    [
      'bodyPatterns: [{ matchesJsonPath: { expression: $.name, contains: er } }]',
      put('{"name":"fern"}'),
      true,
    ],
    [
      'bodyPatterns: [{ matchesJsonPath: { expression: $.name, contains: er } }]',
      put('{"name":"moss"}'),
      false,
    ],
    ['bodyPatterns: [{ matchesJsonPath: { expression: $.name, absent: true } }]', put('{}'), true],
    [
      'bodyPatterns: [{ matchesJsonPath: { expression: $.tags, equalTo: b } }]',
      put('{"tags":["a","b"]}'),
      true,
    ],
    [
      'bodyPatterns: [{ matchesJsonPath: { expression: $.id, equalTo: "9223372036854775807" } }]',
      put('{"id":9223372036854775807}'),
      true,
    ],
    [
      'bodyPatterns: [{ matchesJsonPath: { expression: $.a, equalToJson: { b: 1 } } }]',
      put('{"a":{"b":1}}'),
      true,
    ],
  ],
  'a body satisfies a JSON Schema, as an object or as text': [
    ['bodyPatterns: [{ matchesJsonSchema: { required: [a] } }]', put('{"a":1}'), true],
    [
      'bodyPatterns: [{ matchesJsonSchema: { required: [a] }, schemaVersion: V202012 }]',
      put('{}'),
      false,
    ],
    [`bodyPatterns: [{ matchesJsonSchema: '{"required": ["a"]}' }]`, put('{"a":1}'), true],
    [`bodyPatterns: [{ matchesJsonSchema: '{"required": ["a"]}' }]`, put('{}'), false],
  ],
  'a body matches as the decoded value': [
    [
      'bodyPatterns: [{ equalToJson: { depth: 3 } }]',
      put('depth=3', { 'content-type': 'application/x-www-form-urlencoded' }),
      true,
    ],
  ],
  'a body matches as text': [
    [`bodyPatterns: [{ contains: '"a": 1' }]`, put('{"a": 1}'), true],
    [`bodyPatterns: [{ contains: '"a":1' }]`, put('{"a": 1}'), false],
    [
      'bodyPatterns: [{ matches: "depth=[0-9]" }]',
      put('depth=3', { 'content-type': 'application/x-www-form-urlencoded' }),
      true,
    ],
    ['bodyPatterns: [{ binaryEqualTo: eyJhIjoxfQ== }]', put('{"a":1}'), true],
    ['bodyPatterns: [{ binaryEqualTo: eyJhIjoyfQ== }]', put('{"a":1}'), false],
    ['bodyPatterns: [{ contains: a }, { contains: b }]', put('{"a":"b"}'), true],
    ['bodyPatterns: [{ contains: a }, { contains: z }]', put('{"a":"b"}'), false],
  ],
};

for (const [fact, examples] of Object.entries(facts)) {
  test(fact, (t) => {
    for (const [yaml, sent, isMatch] of examples) {
      const pattern = compile(yaml);
      const seen = view(sent);
      const example = `${yaml} on ${sent.line ?? 'GET /beds/1'} ${String(sent.body ?? '')}`;
      t.is(pattern.matches(seen), isMatch, example);
      t.is(pattern.explain(seen).length === 0, isMatch, `explained: ${example}`);
      const { requires } = pattern;
      const hasText = requires === undefined || requires.textsIn(seen).includes(requires.text);
      t.true(hasText || !isMatch, `looked up: ${example}`);
      for (const { message, distance } of pattern.explain(seen)) {
        t.true(distance > 0 && distance <= 1, `${message} at ${distance}`);
      }
    }
  });
}

/** Matches, requests, and what is said of why the one is not for the other. */
const explanations: readonly (readonly [yaml: string, sent: Sent, messages: readonly string[]])[] =
  [
    ['body: { tag: fern }', put('{"tag":"cactus"}'), ['body.tag was "cactus", not "fern"']],
    ['body: { tag: fern }', put('{}'), ['body.tag was absent']],
    ['body: { tag: fern }', put(''), ['body was absent']],
    [
      'body: { beds: [{ depth: 1 }, { depth: 2 }], "a b": 1 }',
      put('{"beds":[{"depth":1},{"depth":3}],"a b":9223372036854775807}'),
      ['body.beds[1].depth was 3, not 2', 'body["a b"] was 9223372036854775807, not 1'],
    ],
    ['body: { beds: [1] }', put('{"beds":[1,2]}'), ['body.beds was [1,2], not [1]']],
    ['bodySchema: { required: [tag] }', put('{}'), ['body/tag is required but missing']],
    ['operationId: writeBed', {}, ['GET /beds/1 was readBed, not writeBed']],
    ['query: { limit: 20 }', { line: 'GET /beds/1?limit=10' }, ['query.limit was 10, not 20']],
    ['query: { limit: 20 }', {}, ['query.limit was absent']],
    [
      'headers: { x-trace: { matches: "[0-9]+" } }',
      { fields: { 'x-trace': 'abc' } },
      ['headers.x-trace was "abc", which does not match "[0-9]+"'],
    ],
    [
      'cookies: { a: { doesNotContain: x, contains: z } }',
      { fields: { cookie: 'a=xy' } },
      ['cookies.a was "xy", which does not contain "z", and which contains "x"'],
    ],
    [
      'query: { a: { or: [{ equalTo: x }, { greaterThanNumber: 3 }] } }',
      { line: 'GET /beds/1?a=2' },
      ['query.a was "2", not "x", or not more than 3'],
    ],
    [
      'query: { a: { absent: true } }',
      { line: 'GET /beds/1?a=2' },
      ['query.a was "2", not absent'],
    ],
    [
      'query: { a: { not: { equalTo: x } } }',
      { line: 'GET /beds/1?a=x' },
      ['query.a was "x", which it must not be'],
    ],
    [
      'query: { a: { hasExactly: [{ equalTo: x }, { contains: x }] } }',
      { line: 'GET /beds/1?a=x&a=y' },
      ['query.a was "x", "y", not exactly the 2 that are wanted'],
    ],
    [
      'bodyPatterns: [{ matchesJsonPath: { expression: $.name, contains: er } }]',
      put('{"name":"moss"}'),
      [
        'body was "{\\"name\\":\\"moss\\"}", in which "$.name" finds "moss", which does not contain "er"',
      ],
    ],
    [
      'bodyPatterns: [{ matchesJsonPath: $.name }]',
      put('{}'),
      ['body was "{}", in which "$.name" finds nothing'],
    ],
    ['credential: a', { fields: { 'x-key': 'b' } }, ['credential was "b", not "a"']],
    ['session: a', {}, ['session was "default", not "a"']],
    ['urlPath: /beds/2', {}, ['urlPath was "/beds/1", not "/beds/2"']],
    ['{ method: PUT, urlPath: /beds/1 }', {}, ['method was "GET", not "PUT"']],
    [
      'body: { tag: fern }',
      put(`{"tag":"${'x'.repeat(200)}"}`),
      [`body.tag was "${'x'.repeat(80)}…", not "fern"`],
    ],
  ];

test('a mismatch states the actual and the expected value', (t) => {
  for (const [yaml, sent, messages] of explanations) {
    const mismatches = compile(yaml).explain(view(sent));
    t.deepEqual(
      mismatches.map(({ message }) => message),
      messages,
    );
    for (const { message, subject } of mismatches) {
      t.true(subject === 'operation' || message.startsWith(subject), `${subject}: ${message}`);
    }
  }
});

test('every mismatching part is reported', (t) => {
  const pattern = compile(
    '{ operationId: writeBed, query: { a: x }, headers: { b: y }, body: { c: 1, d: 2 } }',
  );
  const subjects = pattern.explain(view(put('{"c":1,"d":3}'))).map(({ subject }) => subject);
  t.deepEqual(subjects, ['query.a', 'headers.b', 'body.d']);
});

test('a near value has a smaller distance than a different one', (t) => {
  const distance = (yaml: string, sent: Sent): number =>
    compile(yaml).explain(view(sent))[0]?.distance ?? 0;
  const near = distance('body: { tag: fern }', put('{"tag":"ferns"}'));
  const far = distance('body: { tag: fern }', put('{"tag":"cactus"}'));
  t.true(near < far);
  t.is(distance('body: { tag: fern }', put('{}')), 1);
  const sameMethod = distance('operationId: readTrees', { line: 'GET /beds/1' });
  t.true(sameMethod < distance('operationId: writeBed', { line: 'GET /trees' }));
});

test('the distance of two strings is the share that differs', (t) => {
  t.is(distanceOf('fern', 'fern'), 0);
  t.is(distanceOf('fern', 'ferns'), 0.2);
  t.is(distanceOf('', 'ab'), 1);
  t.is(distanceOf('kitten', 'sitting'), 3 / 7);
  t.true(distanceOf('a'.repeat(500), `${'a'.repeat(500)}b`) > 0);
  const texts = fc.string({ maxLength: 20, unit: 'grapheme' });
  const property = fc.property(texts, texts, (one, other) => {
    const distance = distanceOf(one, other);
    assert.equal(distance, distanceOf(other, one));
    assert.ok(distance >= 0 && distance <= 1);
    assert.equal(distance === 0, one === other);
  });
  holds(t, property);
});

test('a request without an operation is matched by its fields', (t) => {
  const sent = {
    line: 'POST /none?a=1',
    fields: { 'content-type': 'application/json' },
    body: '{"b":1}',
  };
  const bare = new LazyRequestView(wire(sent), { id: 'default', clock: systemClock }, LIMITS);
  t.true(compile('{}').matches(bare));
  t.true(
    compile('{ method: POST, urlPath: /none, query: { a: 1 }, body: { b: 1 } }').matches(bare),
  );
  t.false(compile('operationId: readBed').matches(bare));
  t.deepEqual(
    compile('operationId: readBed')
      .explain(bare)
      .map(({ message }) => message),
    ['POST /none was no operation, not readBed'],
  );
});

test('of many rules those that match are found in their order', (t) => {
  const matches = Array.from({ length: 40 }, (_, index) => [
    `headers: { x-case: "case-${index}" }`,
    `query: { limit: ${index} }`,
    `query: { dry: { equalTo: "${index}" } }`,
    `body: { depth: ${index}.0, soil: loam }`,
    `urlPath: /beds/${index}`,
  ]).flat();
  const rules = [...matches, 'operationId: writeBed', ...matches].map((yaml, index) => {
    return { name: String(index), pattern: compile(yaml), isOutage: index % 2 === 0 } as Rule;
  });
  const list = new RuleList(rules);
  const sent = put('{"depth": 7, "soil": "loam"}', { 'X-Case': 'case-9' });
  const seen = view({ ...sent, line: 'PUT /beds/3?limit=5&dry=6' });
  const found = (['outage', 'valid'] as const).map((phase) => list.find(phase, seen));
  const matching = rules.filter(({ pattern }) => pattern.matches(seen));
  t.deepEqual(
    found.map((some) => some.filter(({ pattern }) => pattern.matches(seen))),
    [true, false].map((isOutage) => matching.filter((rule) => rule.isOutage === isOutage)),
  );
  t.true(matching.length > 8);
  t.true(found.flat().length < 100);
});

test('only a pattern on the body decodes the body', (t) => {
  t.false(compile('{ operationId: readBed, query: { a: x } }').readsBody);
  t.true(compile('body: 1').readsBody);
  t.true(compile('bodySchema: {}').readsBody);
  t.true(compile('bodyPatterns: [{ contains: a }]').readsBody);
});

test('a pattern knows its operation when it has exactly one', (t) => {
  t.is(compile('operationId: readBed').operation?.id, 'readBed');
  t.is(compile('operationId: [readBed, writeBed]').operation, undefined);
  t.is(compile('{}').operation, undefined);
});

/** Operands without a meaning, the reported place, and the remedy. */
const refusals: readonly (readonly [
  yaml: string,
  place: string,
  message: RegExp,
  remedy: RegExp,
])[] = [
  ['operationId: readBeds', '1:14', /no operation "readBeds"/, /readBed, writeBed/],
  ['operationId: [readBed, x]', '1:24', /no operation "x"/, /readBed/],
  ['operationId: []', '1:14', /a list of one or more strings/, /^$/],
  [
    '{ operationId: readBed, method: PUT, path: "/beds/{bedId}" }',
    '1:44',
    /PUT .* is not readBed/,
    /either/,
  ],
  ['method: GET', '1:9', /method needs path, urlPath or url beside it/, /^$/],
  [
    '{ operationId: readBed, pathParameters: { id: 1 } }',
    '1:47',
    /readBed has no path parameter "id"/,
    /bedId/,
  ],
  ['query: { a: { matches: "(?=a)b" } }', '1:24', /cannot be used as a pattern/, /doesNotMatch/],
  ['query: { a: { matches: "(a)\\\\1" } }', '1:24', /cannot be used as a pattern/, /refer back/],
  ['query: { a: { doesNotMatch: "a++" } }', '1:29', /cannot be used as a pattern/, /"\+"/],
  ['query: { a: { matches: "[a-z&&[^b]]" } }', '1:24', /intersects/, /class/],
  ['query: { a: { matches: "(" } }', '1:24', /cannot be used as a pattern/, /RE2/],
  ['query: { a: {} }', '1:13', /must have a value matcher/, /equalTo/],
  ['query: { a: { equals: x } }', '1:15', /"equals" is not known/, /equalTo/],
  ['query: { a: { equalTo: x, equals: x } }', '1:27', /"equals" is not known/, /contains/],
  ['query: { a: { absent: false } }', '1:23', /must be true/, /^$/],
  ['query: { a: { contains: 5 } }', '1:25', /contains must be a string, got 5/, /^$/],
  ['query: { a: { equalToNumber: "5" } }', '1:30', /must be a number/, /^$/],
  ['query: { a: { and: [] } }', '1:20', /at least one value matcher/, /^$/],
  ['query: { a: { caseInsensitive: true, contains: a } }', '1:32', /needs equalTo/, /^$/],
  ['query: { a: { before: soon } }', '1:23', /"soon" is not a date/, /ISO 8601/],
  ['query: { a: { before: 2027-02-30 } }', '1:23', /"2027-02-30" is not a date/, /ISO 8601/],
  ['bodyPatterns: [{ equalToXml: <a/> }]', '1:30', /not supported/, /equalToJson/],
  [
    'bodyPatterns: [{ matchesXPath: //a, absent: true }]',
    '1:32',
    /not supported/,
    /matchesJsonPath/,
  ],
  ['bodyPatterns: [{ matchesJsonPath: "$.[" }]', '1:35', /is not a JSONPath/, /RFC 9535/],
  [
    'bodyPatterns: [{ matchesJsonPath: { contains: a } }]',
    '1:35',
    /must have the member "expression"/,
    /^$/,
  ],
  [
    'bodyPatterns: [{ matchesJsonPath: "$[?match(@.a, @.b)]" }]',
    '1:35',
    /needs a literal pattern/,
    /RFC 9535/,
  ],
  [
    `bodyPatterns: [{ matches: "${'.{0,1000}'.repeat(20)}x" }]`,
    '1:27',
    /repeats too much/,
    /\{0,100\}/,
  ],
  [
    `bodyPatterns: [{ matchesJsonPath: '$[?search(@, "a{900}b{900}c{900}")]' }]`,
    '1:35',
    /repeats too much/,
    /RFC 9535/,
  ],
  ['bodyPatterns: [{ equalToJson: "{" }]', '1:31', /not JSON/, /value itself/],
  [
    'bodyPatterns: [{ equalToJson: { a: "#{json-unit.any-string}" } }]',
    '1:31',
    /placeholders/,
    /bodySchema/,
  ],
  [
    'bodyPatterns: [{ matchesJsonSchema: { type: nothing } }]',
    '1:37',
    /cannot be compiled/,
    /2020-12/,
  ],
  [
    `bodyPatterns: [{ matchesJsonSchema: '{"type": "nothing"}' }]`,
    '1:37',
    /not a JSON Schema/,
    /^$/,
  ],
  ['bodyPatterns: [{ matchesJsonSchema: {}, schemaVersion: V4 }]', '1:56', /V202012/, /^$/],
  ['bodyPatterns: [{ binaryEqualTo: "?" }]', '1:33', /base64/, /RFC 4648/],
  ['bodyPatterns: { contains: a }', '1:15', /must be a list/, /^$/],
  [
    'query: { a: { hasExactly: [{ equalTo: x }], contains: x } }',
    '1:45',
    /"contains" is not known/,
    /hasExactly/,
  ],
];

test('a meaningless match is reported with position and remedy', (t) => {
  for (const [yaml, place, message, remedy] of refusals) {
    const error = t.throws(() => compile(yaml), { instanceOf: DiagnosticError }, yaml);
    const [first] = error?.diagnostics ?? [];
    const { line, column } = first?.position ?? { line: 0, column: 0 };
    t.is(`${line}:${column}`, place, yaml);
    t.regex(first?.message ?? '', message, yaml);
    t.regex(first?.remedy ?? '', remedy, yaml);
  }
});

test('no input makes a pattern slow', (t) => {
  const pattern = compileTextPattern('(a+)+$');
  const text = `${'a'.repeat(50_000)}!`;
  t.false(pattern.matchesWhole(text));
  t.false(compileTextPattern('(a|a)*b').isFoundIn(text));
  t.true(compileTextPattern('.{0,1000}b').matchesWhole('aab'));
  t.throws(() => compileTextPattern('(?<!a)b'), { instanceOf: PatternError });
});

const patternSources = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab)',
      '\\d',
      '\\w',
      '\\s',
      'é',
      '^',
      '$',
    ),
    { minLength: 1, maxLength: 5 },
  )
  .chain((parts) =>
    fc
      .tuple(
        ...parts.map((part) =>
          fc.constantFrom(
            part,
            ...(/[\^$]/.test(part) ? [] : [`${part}*`, `${part}+?`, `${part}{1,2}`]),
          ),
        ),
      )
      .map((chosen) => chosen.join('')),
  );

test('a pattern works as in JavaScript', (t) => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '1', ' ', '_', '🌵'),
    maxLength: 6,
  });
  const property = fc.property(patternSources, texts, (source, text) => {
    const expected = new RegExp(`^(?:${source})$`, 'us').test(text);
    assert.equal(compileTextPattern(source).matchesWhole(text), expected);
    assert.equal(compileTextPattern(source).isFoundIn(text), new RegExp(source, 'us').test(text));
  });
  holds(t, property, 2_000);
});

function find(path: string, json: string): readonly string[] {
  const file = new SourceDocument(parseSource('path.json', JSON.stringify(path)));
  return compileJsonPath(new FilePlace(file), path).find(parseJson(json)).map(stringifyJson);
}

test('a JSONPath compares exact numbers', (t) => {
  const json = '[9223372036854775806,9223372036854775807,1.00000000000000000001,1]';
  t.deepEqual(find('$[?@ == 9223372036854775807]', json), ['9223372036854775807']);
  t.deepEqual(find('$[?@ > 9223372036854775806]', json), ['9223372036854775807']);
  t.deepEqual(find('$[?@ == 1]', json), ['1']);
  t.deepEqual(find('$[?@ == 1.00000000000000000001]', json), ['1.00000000000000000001']);
  t.deepEqual(find('$..text', json), [], 'a number has no members');
  t.deepEqual(find('$[?length(@) > 0]', json), []);
});

test('a JSONPath runs its patterns in linear time', (t) => {
  const busy = JSON.stringify([`${'a'.repeat(50_000)}!`]);
  t.deepEqual(find('$[?search(@, "^(a+)+$")]', busy), []);
  t.deepEqual(find('$[?match(@, "a.c")]', '["abc","a\\nc"]'), ['"abc"']);
  const deep = '['.repeat(1000) + ']'.repeat(1000);
  t.is(find('$..*', deep).length, 999);
  t.is(find('$..*..*..*', deep).length, 997);
  t.is(
    find('$[*]', JSON.stringify(Array.from({ length: 300_000 }, (_, index) => index))).length,
    300_000,
  );
});

/** Each would take minutes or fill the memory without a limit. */
const endlessPaths: readonly JsonValue[] = [
  '$[?count($..*) > 1000000]',
  '$[?count(@..*..*..*) > 1000000 || count($..*..*) > 1000000]',
  '$[?search($[-1], "(x|y)+z")]',
  '$[?length($[-1]) == 1]',
  '$[?$[-1] < "x"]',
  '$[?$ != $]',
  `$${'[*,*]'.repeat(40)}${'["a",*]'.repeat(40)}`,
  { expression: '$..*', contains: 'nothing' },
  { expression: '$..*', matchesJsonPath: { expression: '$..*', matchesJsonPath: '$[?$ != $]' } },
];

test('a JSONPath that takes too many steps finds nothing, and says so', (t) => {
  const nested = Array.from({ length: 900 }).reduce<JsonValue>((inner) => [inner, 'text'], []);
  const body = stringifyJson([...Array(20_000).fill(nested === null), nested, 'x'.repeat(50_000)]);
  const long = view(put(body, { 'content-type': 'application/json' }));
  for (const path of endlessPaths) {
    const pattern = compile(JSON.stringify({ bodyPatterns: [{ matchesJsonPath: path }] }));
    const before = process.cpuUsage().user;
    t.false(pattern.matches(long), JSON.stringify(path));
    // How long it takes is the machine's business; what it costs is not.
    t.true(process.cpuUsage().user - before < 2_000_000, JSON.stringify(path));
    const [mismatch] = pattern.explain(long);
    t.regex(mismatch?.message ?? '', / in which "\$.*" takes too many steps$/);
  }
});

test('a JSONPath may take more steps in a larger body', (t) => {
  const plants = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    tag: 'fern',
    pot: { size: id },
  }));
  const large = view(put(JSON.stringify(plants)));
  const matches = (path: JsonValue): boolean =>
    compile(JSON.stringify({ bodyPatterns: [{ matchesJsonPath: path }] })).matches(large);
  t.true(matches('$[?@.pot.size == 19999 && @.tag == "fern"].id'));
  t.true(matches('$..[?@.size == 19999]'));
  t.true(matches({ expression: '$..size', equalToNumber: 19_999 }));
  t.false(matches('$[?match(@.tag, "cactus")]'));
});

test('long lists compare in any order, unless that takes too many steps', (t) => {
  const matches = (expected: JsonValue, actual: JsonValue, ignoreExtraElements = false): boolean =>
    compile(
      JSON.stringify({
        bodyPatterns: [{ equalToJson: expected, ignoreArrayOrder: true, ignoreExtraElements }],
      }),
    ).matches(view(put(JSON.stringify(actual))));
  const list = (make: (index: number) => JsonValue, length = 10_000): JsonValue =>
    Array.from({ length }, (_, index) => make(index));
  const same = list(() => 1);
  t.true(matches(same, same));
  t.true(
    matches(
      list((index) => ({ a: index })),
      list((index) => ({ a: 9_999 - index })),
    ),
  );
  t.true(
    matches(
      list(() => ({ a: 1 })),
      list((b) => ({ a: 1, b })),
      true,
    ),
  );
  t.false(
    matches(
      list((a) => ({ a }), 2_000),
      list((a) => ({ a: -1 - a }), 2_000),
      true,
    ),
  );
  // The last one takes the place of each other in turn.
  const expected = list((index) => (index < 50 ? { [index]: 1 } : { last: 1 }), 51);
  const actual = list(
    (index) => ({ [index]: 1, [index - 1]: 1, ...(index === 0 && { last: 1 }) }),
    51,
  );
  t.true(matches(expected, actual, true));
});

const pathParts = fc.constantFrom(
  '.a',
  '["b"]',
  '[0]',
  '[-1]',
  '.*',
  '..a',
  '..*',
  '[1:]',
  '[::-1]',
  '[-3:5:2]',
  '["a",0]',
  '[:-1]',
  '[?@.a]',
  '[?!@.a]',
  '[?@.a == 1]',
  '[?@ < 2]',
  '[?@.a >= $.b]',
  '[?@.a != @.b]',
  '[?@ == "x" || @.b && @ <= 1]',
  '[?length(@) > 1]',
  '[?count(@..*) > 1]',
  '[?value(@.a) == 1]',
  '[?match(@, "x.*")]',
  '[?search(@.a, "[xy]")]',
  '[?@ == null]',
  '[?@ == true]',
  '[?(@.a || @.b) && !(@.a == 1)]',
);
const jsonValues = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonValue>(null, true, 0, 1, 2, -1.5, 'x', 'xy', ''),
    fc.array(tie('value'), { maxLength: 4 }),
    // json-p3 takes an empty object for an empty array: a test of its own has these.
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { minKeys: 1, maxKeys: 2 }),
  ),
})).value;

test('in a JSONPath, an empty object is not an empty array (RFC 9535 §2.3.5.2.2)', (t) => {
  const pair = (a: JsonValue, b: JsonValue): string => JSON.stringify([{ a, b }]);
  const pairs: readonly (readonly [JsonValue, JsonValue])[] = [
    [{}, []],
    [[], {}],
    [{ a: {} }, { a: [] }],
  ];
  for (const [a, b] of pairs) {
    t.is(find('$[?@.a != @.b]', pair(a, b)).length, 1);
    t.is(find('$[?@.a == @.b]', pair(a, b)).length, 0);
    t.is(find('$[?@.a == @.b]', pair(a, a)).length, 1);
  }
});

test('a JSONPath finds what json-p3 finds', async (t) => {
  const { jsonpath } = await import('json-p3');
  const { Match, Search } = jsonpath.functions;
  const oracle = new jsonpath.JSONPathEnvironment({ maxRecursionDepth: 100 });
  // Its patterns take a list of one text for this text.
  for (const [name, known] of Object.entries({ match: new Match(), search: new Search() })) {
    const call = (text: string, pattern: string): boolean =>
      typeof text === 'string' && known.call(text, pattern);
    const { argTypes, returnType } = known;
    oracle.functionRegister.set(name, { argTypes, returnType, call });
  }
  const paths = fc.array(pathParts, { maxLength: 4 }).map((parts) => `$${parts.join('')}`);
  const property = fc.property(paths, jsonValues, (path, value) => {
    const json = JSON.stringify(value);
    const expected = oracle
      .query(path, JSON.parse(json))
      .values()
      .map((one) => JSON.stringify(one));
    assert.deepEqual(new Set(find(path, json)), new Set(expected));
  });
  holds(t, property, 3_000);
});

const texts = fc.constantFrom<JsonValue>('a', '', 1, null, ['a'], {});
const flags = fc.constantFrom<JsonValue>(true, false, 'true');
const numbers = fc.constantFrom<JsonValue>(1, -0.5, '1', null);

/** Objects of a few of the members. */
function fewOf(
  members: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
): fc.Arbitrary<Record<string, JsonValue>> {
  const names = fc.subarray(Object.keys(members), { minLength: 1, maxLength: 3 });
  return names.chain((chosen) => {
    const model: Record<string, fc.Arbitrary<JsonValue>> = {};
    for (const name of chosen) model[name] = members[name] ?? fc.constant(null);
    return fc.record(model);
  });
}

/** Value matchers, right and wrong ones. */
const valueMatchers = fc.letrec<{ matcher: JsonValue; list: JsonValue }>((tie) => ({
  list: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>([], 1, ['a']),
    fc.array(tie('matcher'), { maxLength: 2 }),
  ),
  matcher: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<JsonValue>({ equalTo: 'a' }, {}, 1, null),
    fewOf({
      equalTo: texts,
      caseInsensitive: flags,
      contains: texts,
      matches: texts,
      before: texts,
      binaryEqualTo: texts,
      equalToNumber: numbers,
      lessThanNumber: numbers,
      absent: flags,
      equalToJson: texts,
      ignoreArrayOrder: flags,
      ignoreExtraElements: flags,
      matchesJsonPath: fc.oneof(
        texts,
        tie('matcher'),
        tie('matcher').map((inner) =>
          typeof inner === 'object' && !Array.isArray(inner)
            ? ({ expression: '$', ...inner } as JsonValue)
            : inner,
        ),
      ),
      matchesJsonSchema: fc.constantFrom<JsonValue>({}, true, 'x', 1, null),
      schemaVersion: fc.constantFrom<JsonValue>('V202012', 'V4'),
      and: tie('list'),
      or: tie('list'),
      not: tie('matcher'),
      equalToXml: texts,
      other: texts,
    }),
  ),
})).matcher;

const expectationObjects = fc.oneof(
  fc.constantFrom<JsonValue>(1, null, 'a', []),
  fc.dictionary(
    fc.constantFrom('a', 'b/c'),
    fc.oneof(
      texts,
      valueMatchers,
      fewOf({
        hasExactly: fc.array(valueMatchers, { maxLength: 2 }),
        includes: fc.constantFrom<JsonValue>([{ equalTo: 'a' }], [], 'a'),
        contains: texts,
      }),
    ),
    { maxKeys: 2 },
  ),
);

const matchObjects = fewOf({
  operationId: fc.constantFrom<JsonValue>('a', ['a'], [], [1], 1),
  method: texts,
  path: fc.constantFrom<JsonValue>('/a', 'a', 1),
  urlPath: fc.oneof(texts, valueMatchers),
  url: fc.oneof(texts, valueMatchers),
  pathParameters: expectationObjects,
  query: expectationObjects,
  headers: expectationObjects,
  cookies: expectationObjects,
  credential: fc.oneof(texts, valueMatchers),
  session: fc.oneof(texts, valueMatchers),
  body: texts,
  bodySchema: fc.constantFrom<JsonValue>({}, true, 1, 'x', null),
  bodyPatterns: fc.oneof(texts, fc.array(valueMatchers, { maxLength: 2 })),
  other: texts,
});

test('the published schema and the mock accept the same matches', async (t) => {
  const path = new URL('../../fixtures/fixtures.schema.json', import.meta.url);
  const schema = parseSource('schema.json', await readFile(path, 'utf8')).value;
  const dialect = 'https://json-schema.org/draft/2020-12/schema';
  const isValid = await openForJudging(t, schema, dialect)('/$defs/match');
  let accepted = 0;
  const property = fc.property(matchObjects, (match) => {
    const text = JSON.stringify(match);
    const file = new SourceDocument(parseSource('match.json', text));
    const faults = checkForm(new FilePlace(file), 'match');
    if (faults.length === 0) accepted++;
    assert.equal(faults.length === 0, isValid(file.root), faults.map((one) => one.message).join());
  });
  holds(t, property, 300);
  t.true(accepted > 30, `of 300 only ${accepted} were right`);
});

test('of many mistakes in a match, a bounded number is reported', (t) => {
  const match = { bodyPatterns: Array.from({ length: 10_000 }, () => ({})) };
  const file = new SourceDocument(parseSource('match.json', JSON.stringify(match)));
  const faults = checkForm(new FilePlace(file), 'match');
  t.true(faults.length > 10 && faults.length <= 1000, `${faults.length} faults`);
  t.regex(faults[0]?.message ?? '', /^bodyPatterns\/0 must have a value matcher/);
});

test('a view answers every question about any request', (t) => {
  const noise = fc.string({ unit: 'binary-ascii', maxLength: 30 });
  const requests = fc.record({
    target: fc.oneof(
      noise,
      noise.map((text) => `/beds/${text}`),
      fc.constant('/beds/%ff?a=%ff&limit=x'),
    ),
    fields: fc.dictionary(
      fc.constantFrom('content-type', 'content-encoding', 'authorization', 'cookie', 'x-key'),
      fc.oneof(
        noise,
        fc.constantFrom('application/json', 'gzip', 'Basic %', 'text/plain; charset=x'),
      ),
    ),
    body: fc.uint8Array({ maxLength: 20 }),
    method: fc.constantFrom('GET', 'PUT'),
  });
  const property = fc.property(requests, ({ target, fields, body, method }) => {
    const request = { method, target, fields: new Fields(fields), rawBody: body };
    const views = [new LazyRequestView(request, { id: 'default', clock: systemClock }, LIMITS)];
    try {
      views.push(
        new LazyRequestView(
          route(contract, request),
          { id: 'default', clock: systemClock },
          LIMITS,
        ),
      );
    } catch (error) {
      assert.ok(error instanceof Problem);
    }
    for (const seen of views) {
      for (const location of ['path', 'query', 'header', 'cookie', 'querystring'] as const) {
        for (const name of ['bedId', 'limit', 'near', 'X-Count', 'theme', 'x-key']) {
          assert.ok(Array.isArray(seen.texts(location, name)));
          assert.doesNotThrow(() => seen.value(location, name));
        }
      }
      assert.equal(typeof seen.bodyText, 'string');
      assert.doesNotThrow(() => [seen.body, seen.credential, seen.path, seen.query]);
    }
  });
  holds(t, property, 1_000);
});

test('a decoded value is not decoded again', (t) => {
  const match = route(contract, wire(put('{"a":1}')));
  const seen = new LazyRequestView(match, { id: 'default', clock: systemClock }, LIMITS);
  const [content] = match.operation.body?.contents ?? [];
  if (content === undefined) return t.fail('the operation has no content');
  const parameters = [{ name: 'bedId', in: 'path', value: 7 }] as const;
  seen.addValues({ parameters, body: { content, value: { a: 2 }, isValidated: true } });
  t.true(compile('{ body: { a: 2 }, pathParameters: { bedId: 7 } }').matches(seen));
});

test('a compressed body is matched by its decompressed content', (t) => {
  const body = gzipSync('{"tag":"fern"}');
  const fields = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const seen = view({ line: 'PUT /beds/1', fields, body });
  t.true(compile('{ body: { tag: fern }, bodyPatterns: [{ contains: fern }] }').matches(seen));
});
