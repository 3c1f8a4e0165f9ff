import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { compileContract } from '../src/contract/contract.ts';
import type { RequestPattern } from '../src/contract/request-pattern.ts';
import type { RequestView } from '../src/contract/request-view.ts';
import { type Diagnostic, DiagnosticError } from '../src/document/diagnostic.ts';
import { parseDocument } from '../src/document/document.ts';
import { parseSource } from '../src/document/source.ts';
import { SourceDocument } from '../src/document/source-document.ts';
import { compileMatch } from '../src/fixtures/compile-match.ts';
import { FormReader } from '../src/fixtures/form-reader.ts';
import { compileJsonPath } from '../src/fixtures/json-path.ts';
import { readMatch } from '../src/fixtures/match-form.ts';
import { distanceOf } from '../src/fixtures/text-distance.ts';
import { compileTextPattern, PatternError } from '../src/fixtures/text-pattern.ts';
import { readFields, type WireRequest } from '../src/http/message.ts';
import { parseJson } from '../src/json/parse.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import type { JsonValue } from '../src/json/value.ts';
import { createBareView, createRequestView } from '../src/request/request-view.ts';
import { route } from '../src/request/route.ts';
import { holds } from './support/properties.ts';

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

const contract = compileContract(parseDocument('beds.yaml', DOCUMENT));
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
  return { method, target, fields: readFields(fields), body: Buffer.from(body) };
}

function view(sent: Sent): RequestView {
  return createRequestView(route(contract, wire(sent)), sent.session ?? 'default', LIMITS);
}

function put(body: string, fields: Readonly<Record<string, string>> = {}): Sent {
  return { line: 'PUT /beds/1', fields: { 'content-type': 'application/json', ...fields }, body };
}

/** @param yaml the `match` as a fixture file has it */
function compile(yaml: string): RequestPattern {
  const file = new SourceDocument(parseSource('match.yaml', yaml));
  const faults: Diagnostic[] = [];
  const definition = readMatch(new FormReader(file, '', file.root, faults));
  if (faults.length > 0) throw new DiagnosticError(faults);
  return compileMatch(file, definition, contract);
}

/** Matches in YAML, requests, and whether the one is for the other. */
const facts: Readonly<Record<string, readonly (readonly [yaml: string, sent: Sent, boolean])[]>> = {
  'a pattern that says nothing is for every request': [
    ['{}', {}, true],
    ['{}', put('{}'), true],
  ],
  'an operation is named by its id, or one of several': [
    ['operationId: readBed', {}, true],
    ['operationId: writeBed', {}, false],
    ['operationId: [writeBed, readBed]', {}, true],
    ['operationId: [writeBed, readTrees]', {}, false],
    ['{ method: get, path: "/beds/{bedId}" }', {}, true],
    ['{ method: PUT, path: "/beds/{bedId}" }', {}, false],
  ],
  'a path is matched as it was sent': [
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
  'a path parameter is compared by its decoded value': [
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
  'a query parameter is compared by its decoded value, or by a text that came': [
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
  'a header is compared whatever the case of its name': [
    ['headers: { X-Trace: abc }', { fields: { 'x-trace': 'abc' } }, true],
    ['headers: { x-trace: ABC }', { fields: { 'x-trace': 'abc' } }, false],
    ['headers: { x-count: 3 }', { fields: { 'x-count': '3' } }, true],
  ],
  'a cookie is compared': [
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
  'a session is matched by its id': [
    ['session: default', {}, true],
    ['session: { matches: "test-.*" }', { session: 'test-1' }, true],
    ['session: { matches: "test-.*" }', {}, false],
  ],
  'a part of the body, its numbers by value': [
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
  'texts are equal, in any case where that is said': [
    ['query: { a: { equalTo: x } }', { line: 'GET /beds/1?a=x' }, true],
    ['query: { a: { equalTo: x } }', { line: 'GET /beds/1?a=X' }, false],
    ['query: { a: { equalTo: x, caseInsensitive: true } }', { line: 'GET /beds/1?a=X' }, true],
  ],
  'texts contain others, or do not': [
    ['query: { a: { contains: er } }', { line: 'GET /beds/1?a=fern' }, true],
    ['query: { a: { contains: er } }', {}, false],
    ['query: { a: { doesNotContain: er } }', { line: 'GET /beds/1?a=fern' }, false],
    ['query: { a: { doesNotContain: er } }', {}, true],
  ],
  'a pattern stands for the whole text, line ends too': [
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
  'one of the texts that came several times is enough': [
    ['query: { a: { contains: x } }', { line: 'GET /beds/1?a=y&a=x' }, true],
    ['query: { a: { matches: z } }', { line: 'GET /beds/1?a=y&a=x' }, false],
  ],
  'several texts are there exactly, or among others': [
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
  'what is absent is absent': [
    ['query: { a: { absent: true } }', {}, true],
    ['query: { a: { absent: true } }', { line: 'GET /beds/1?a=' }, false],
    ['bodyPatterns: [{ absent: true }]', put(''), true],
    ['bodyPatterns: [{ absent: true }]', put('{}'), false],
  ],
  'matchers are joined by and, or and not, and by standing together': [
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
  'numbers are compared by value, to the last digit': [
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
  'dates are compared by the instant': [
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
  ],
  'a body is equal as JSON': [
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
  'a JSONPath finds something in the body, or what it finds matches': [
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
  'a body satisfies a JSON Schema, whole or in a text': [
    ['bodyPatterns: [{ matchesJsonSchema: { required: [a] } }]', put('{"a":1}'), true],
    [
      'bodyPatterns: [{ matchesJsonSchema: { required: [a] }, schemaVersion: V202012 }]',
      put('{}'),
      false,
    ],
    [`bodyPatterns: [{ matchesJsonSchema: '{"required": ["a"]}' }]`, put('{"a":1}'), true],
    [`bodyPatterns: [{ matchesJsonSchema: '{"required": ["a"]}' }]`, put('{}'), false],
  ],
  'a body is matched as the text that it is': [
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
      for (const { message, distance } of pattern.explain(seen)) {
        t.true(distance > 0 && distance <= 1, `${message} at ${distance}`);
      }
    }
  });
}
