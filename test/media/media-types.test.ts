import { deflateRawSync, gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import { isEqual } from '../../src/base/json/equal.ts';
import type { JsonValue } from '../../src/base/json/value.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { readContentType } from '../../src/media/content-type.ts';
import { ANY_SHAPE, type Shape, type XmlShape } from '../../src/media/shape.ts';
import { readXml, writeXml } from '../../src/media/xml-codec.ts';
import { createFolder } from '../support/folder.ts';
import { fc, holds } from '../support/properties.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A mock whose `POST /things` takes a body of the given content, and answers what is wrong. */
async function createReader(t: ExecutionContext, content: Json): Promise<Mock> {
  return createFrom(t, {
    '/things': {
      post: {
        requestBody: { required: true, content },
        responses: {
          200: { description: 'Good', content: { 'text/plain': { example: 'good' } } },
          '4XX': { description: 'Bad', content: { 'text/plain': { schema: { type: 'string' } } } },
        },
      },
    },
  });
}

async function createWriter(t: ExecutionContext, content: Json, components: Json = {}) {
  const responses = { 200: { description: 'Thing', content } };
  return createFrom(t, { '/things': { get: { responses } } }, components);
}

async function createFrom(t: ExecutionContext, paths: Json, components: Json = {}): Promise<Mock> {
  const document = { openapi: '3.2.0', info: { title: 'T', version: '1' }, paths, components };
  const folder = await createFolder(t, { 'api.json': JSON.stringify(document) });
  const mock = await createMock({ document: `${folder}/api.json` });
  t.teardown(() => mock.close());
  return mock;
}

interface Sent {
  readonly body: string | Uint8Array | FormData;
  readonly type?: string;
  readonly coding?: string;
}

async function post(mock: Mock, { body, type, coding }: Sent): Promise<readonly [number, string]> {
  const headers = {
    ...(type !== undefined && { 'content-type': type }),
    ...(coding !== undefined && { 'content-encoding': coding }),
  };
  const response = await mock.fetch('/things', { method: 'POST', headers, body });
  return [response.status, await response.text()];
}

const upload = {
  schema: {
    type: 'object',
    required: ['name', 'photo'],
    properties: {
      name: { type: 'string', maxLength: 8 },
      size: { type: 'integer' },
      meta: { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } },
      photo: { type: 'string', format: 'binary', maxLength: 10 },
      more: { type: 'array', maxItems: 2, items: { type: 'string', format: 'binary' } },
    },
  },
  encoding: { photo: { contentType: 'image/png, image/jpeg' } },
};

function createForm(entries: readonly (readonly [string, string | Blob])[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) form.append(name, value);
  return form;
}

function file(bytes: number, type: string): File {
  return new File([new Uint8Array(bytes).fill(0xff)], 'a.bin', { type });
}

test('a multipart form is decoded by part: text, numbers, JSON and files', async (t) => {
  const mock = await createReader(t, { 'multipart/form-data': upload });
  const json = new Blob(['{"age":3}'], { type: 'application/json' });
  const good = createForm([
    ['name', 'Fern'],
    ['size', '12'],
    ['meta', json],
    ['photo', file(10, 'image/png')],
    ['more', file(1, 'a/b')],
    ['more', file(2, 'a/b')],
  ]);
  t.deepEqual(await post(mock, { body: good }), [200, 'good']);
  const bare = createForm([
    ['name', 'Fern'],
    ['meta', '{"age":3}'],
    ['photo', file(0, 'image/jpeg')],
    ['more', file(1, 'a/b')],
  ]);
  t.deepEqual(await post(mock, { body: bare }), [200, 'good']);
});

test('a single part is an array of one where only an array fits', async (t) => {
  const schema = {
    properties: {
      beds: { type: ['array', 'null'], items: { required: ['id'] } },
      tags: { type: ['array', 'null'], items: { type: 'string' } },
    },
  };
  const mock = await createReader(t, { 'multipart/form-data': { schema } });
  const one = createForm([
    ['beds', new Blob(['{"id":1}'], { type: 'application/json' })],
    ['tags', '86'],
  ]);
  t.deepEqual(await post(mock, { body: one }), [200, 'good']);
});

test('a violation in a part of a multipart form names the part', async (t) => {
  const mock = await createReader(t, { 'multipart/form-data': upload });
  const bad = createForm([
    ['size', 'big'],
    ['meta', '{"age":"old"}'],
    ['photo', file(11, 'image/png')],
    ['more', file(1, 'a/b')],
    ['more', file(1, 'a/b')],
    ['more', file(1, 'a/b')],
  ]);
  const [status, told] = await post(mock, { body: bad });
  t.is(status, 422);
  for (const expected of [
    'body/name is required but missing',
    'body/size must be an integer, got the string "big"',
    'body/meta/age must be an integer, got the string "old"',
    'body/photo must NOT have more than 10 characters',
    'body/more must NOT have more than 2 items',
  ]) {
    t.true(told.replaceAll('not have', 'NOT have').includes(expected), `${expected} in ${told}`);
  }
  const wrongType = createForm([
    ['name', 'Fern'],
    ['photo', file(1, 'image/gif')],
  ]);
  t.deepEqual(await post(mock, { body: wrongType }), [
    400,
    'body/photo must be image/png, image/jpeg, and it is image/gif',
  ]);
});

for (const [name, type, body] of [
  ['has no boundary', 'multipart/form-data', '--X--\r\n'],
  ['does not begin with its boundary', 'multipart/form-data; boundary=X', 'hello'],
  [
    'does not end',
    'multipart/form-data; boundary=X',
    '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1',
  ],
  [
    'has a part without a name',
    'multipart/form-data; boundary=X',
    '--X\r\nContent-Type: text/plain\r\n\r\n1\r\n--X--',
  ],
  [
    'has more than a thousand parts',
    'multipart/form-data; boundary=X',
    `${'--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(1001)}--X--`,
  ],
] as const) {
  test(`a multipart form that ${name} is refused`, async (t) => {
    const mock = await createReader(t, { 'multipart/form-data': upload });
    const [status, told] = await post(mock, { body, type });
    t.is(status, 400, told);
    t.regex(told, /^(?:body|Content-Type)/);
  });
}

test('parts without names are a list, or follow the declared order', async (t) => {
  const part = (text: string, type: string): string =>
    `--X\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
  const json = (text: string): string => part(text, 'application/json');
  const object = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  const mock = await createReader(t, {
    'multipart/mixed': {
      itemSchema: object,
      prefixEncoding: [{ contentType: 'application/json' }],
      itemEncoding: { contentType: 'application/json' },
    },
    'multipart/related': {
      schema: {
        type: 'object',
        properties: { about: object, file: { type: 'string', format: 'binary', maxLength: 3 } },
      },
    },
  });
  const mixed = 'multipart/mixed; boundary=X';
  const list = (second: string) => `preamble\r\n${json('{"a":1}')}${json(second)}--X--\r\n`;
  t.deepEqual(await post(mock, { body: list('{"a":2}'), type: mixed }), [200, 'good']);
  t.deepEqual(await post(mock, { body: list('{"a":"x"}'), type: mixed }), [
    422,
    'body/1/a must be an integer, got the string "x"',
  ]);
  const text = `${json('{"a":1}')}${part('x', 'text/plain')}--X--`;
  t.deepEqual(await post(mock, { body: text, type: mixed }), [
    400,
    'body/1 must be application/json, and it is text/plain',
  ]);
  const related = 'multipart/related; boundary=X';
  const pair = (bytes: string) => `${json('{"a":1}')}${part(bytes, 'image/png')}--X--`;
  t.deepEqual(await post(mock, { body: pair('abc'), type: related }), [200, 'good']);
  t.is((await post(mock, { body: pair('abcd'), type: related }))[0], 422);
});

test('a body with very many parts, pairs or elements does not block the mock', async (t) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'array', items: { type: 'string' } }, o: { type: 'object' } },
  };
  const mock = await createReader(t, {
    'application/x-www-form-urlencoded': { schema },
    'application/xml': { schema },
    'application/jsonl': { itemSchema: { type: 'integer' } },
    'multipart/form-data': { schema },
  });
  const count = 150_000;
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  const part = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
  const started = performance.now();
  for (const [type, body] of [
    ['application/x-www-form-urlencoded', 'a&'.repeat(count)],
    ['application/x-www-form-urlencoded', names.join('&').slice(0, 1_000_000)],
    ['application/x-www-form-urlencoded', 'o[a]&'.repeat(count)],
    ['application/xml', `<x>${'<a/>'.repeat(count)}</x>`],
    [
      'application/xml',
      `<x>${names
        .map((name) => `<${name}/>`)
        .join('')
        .slice(0, 900_000)}`,
    ],
    [
      'application/xml',
      `<x ${names
        .map((name) => `${name}=""`)
        .join(' ')
        .slice(0, 900_000)}`,
    ],
    ['application/jsonl', '1\n'.repeat(count)],
    ['multipart/form-data; boundary=X', part.repeat(20_000)],
    ['multipart/form-data; boundary=X', `--X\r\n\r\n${'\r\n--'.repeat(200_000)}`],
  ] as const) {
    const [status] = await post(mock, { body, type });
    t.true([200, 400, 413, 422].includes(status), `${type}: ${status}`);
  }
  t.true(performance.now() - started < 20_000);
});

test('text is decoded by the charset of its Content-Type', async (t) => {
  const mock = await createReader(t, {
    'text/plain': { schema: { const: 'Grün' } },
    'application/json': { schema: { const: 'Grün' } },
  });
  for (const [charset, body] of [
    ['utf-8', Buffer.from('Grün')],
    ['ISO-8859-1', Buffer.from('Grün', 'latin1')],
    ['windows-1252', Buffer.from('Grün', 'latin1')],
    ['utf-16le', Buffer.from('Grün', 'utf16le')],
    ['UTF-16', Buffer.from('\uFEFFGrün', 'utf16le')],
  ] as const) {
    const type = `text/plain; charset=${charset}`;
    t.deepEqual(await post(mock, { body, type }), [200, 'good'], charset);
  }
  const json = { body: '"Grün"', type: 'application/json; charset="iso-8859-1"' };
  t.deepEqual(await post(mock, json), [200, 'good'], 'JSON is UTF-8, whatever it says');
  const [unknown] = await post(mock, { body: 'x', type: 'text/plain; charset=klingon' });
  t.is(unknown, 415);
  const [wrong] = await post(mock, { body: 'Grün', type: 'text/plain; charset=us-ascii' });
  t.is(wrong, 400);
});

test('text is a number where its schema requires one', async (t) => {
  const mock = await createReader(t, { 'text/plain': { schema: { type: 'integer', maximum: 9 } } });
  t.deepEqual(await post(mock, { body: '9', type: 'text/plain' }), [200, 'good']);
  t.deepEqual(await post(mock, { body: '10', type: 'text/plain' }), [
    422,
    'body must be at most 9, got 10',
  ]);
});

test('bytes are accepted as they are, with length limits', async (t) => {
  const mock = await createReader(t, {
    'application/octet-stream': { schema: { type: 'string', format: 'binary', maxLength: 4 } },
    'image/*': {},
    'application/pdf': { schema: { type: 'object' } },
  });
  const body = Buffer.from([0xff, 0xfe, 0, 0x80]);
  t.deepEqual(await post(mock, { body, type: 'application/octet-stream' }), [200, 'good']);
  t.deepEqual(await post(mock, { body, type: 'image/png' }), [200, 'good']);
  t.deepEqual(await post(mock, { body, type: 'application/pdf' }), [200, 'good']);
  const long = Buffer.from([0xff, 0xfe, 0, 0x80, 0]);
  const [status] = await post(mock, { body: long, type: 'application/octet-stream' });
  t.is(status, 422);
});

test('several content codings are decoded in turn, even raw deflate', async (t) => {
  const mock = await createReader(t, { 'application/json': { schema: { type: 'object' } } });
  const type = 'application/json';
  const twice = gzipSync(gzipSync('{}'));
  t.deepEqual(await post(mock, { body: twice, type, coding: 'gzip, gzip' }), [200, 'good']);
  const raw = deflateRawSync('{"a": "raw deflate, as some senders have it"}');
  t.deepEqual(await post(mock, { body: raw, type, coding: 'deflate' }), [200, 'good']);
  const many = 'gzip, gzip, gzip, gzip, gzip, gzip';
  const [status] = await post(mock, { body: twice, type, coding: many });
  t.is(status, 415);
});

const plant = {
  type: 'object',
  required: ['id', 'name'],
  additionalProperties: false,
  xml: { name: 'plant' },
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    name: {
      type: 'string',
      xml: { name: 'title', namespace: 'http://example.com/n', prefix: 'n' },
    },
    tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } } },
    sizes: {
      type: 'array',
      xml: { wrapped: true },
      items: { type: 'integer', xml: { name: 'size' } },
    },
    owner: { type: 'object', properties: { alive: { type: 'boolean' } } },
    note: { type: ['string', 'null'] },
  },
};

test('XML is decoded by the XML Objects of its schema', async (t) => {
  const mock = await createReader(t, { 'application/xml': { schema: plant } });
  const type = 'application/xml';
  const body = `<?xml version="1.0"?><!-- a --><plant id="1" xmlns:n="http://example.com/n">
    <n:title>A &amp; B</n:title><tag>a</tag><tag>b</tag>
    <sizes><size>1</size><size>2</size></sizes><owner><alive>true</alive></owner>
    <note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></plant>`;
  t.deepEqual(await post(mock, { body, type }), [200, 'good']);
  const bad = '<plant id="x"><tag>a</tag><sizes><size>big</size></sizes><colour/></plant>';
  t.deepEqual(await post(mock, { body: bad, type }), [
    422,
    'body/name is required but missing; body/colour is not allowed; body/id must be an integer, ' +
      'got the string "x"; body/sizes/0 must be an integer, got the string "big"',
  ]);
});

for (const [name, body, reason] of [
  ['is not well-formed', '<plant><name></plant>', /^body is not XML: /],
  ['is empty', ' ', /^body is not XML: /],
  ['defines an entity', '<!DOCTYPE p [<!ENTITY e "x">]><plant>&e;</plant>', /^body is not XML: /],
  ['is nested deeper than anything', `${'<a>'.repeat(500)}${'</a>'.repeat(500)}`, /nested deeper/],
  [
    'is nested deeper than the stack',
    `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`,
    /nested deeper/,
  ],
] as const) {
  test(`XML that ${name} is refused`, async (t) => {
    const mock = await createReader(t, { 'application/xml': { schema: {} } });
    const [status, told] = await post(mock, { body, type: 'application/xml' });
    t.is(status, 400);
    t.regex(told, reason);
  });
}

test('an XML response is serialized by the XML Objects of its schema', async (t) => {
  const example = {
    id: 7,
    name: 'A & <B>',
    tags: ['a', 'b'],
    sizes: [1, 2],
    owner: { alive: true },
    note: null,
  };
  const mock = await createWriter(t, { 'application/xml': { schema: plant, example } });
  const response = await mock.fetch('/things');
  t.is(response.headers.get('content-type'), 'application/xml');
  t.is(
    await response.text(),
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<plant id="7"><n:title xmlns:n="http://example.com/n">A &amp; &lt;B&gt;</n:title>' +
      '<tag>a</tag><tag>b</tag><sizes><size>1</size><size>2</size></sizes>' +
      '<owner><alive>true</alive></owner>' +
      '<note xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></plant>',
  );
});

test('a serialized XML example is sent as it is when it is valid', async (t) => {
  const good = '<plant id="7"><title>Fern</title></plant>';
  const kept = await createWriter(t, { 'text/xml': { schema: plant, example: good } });
  t.is(await (await kept.fetch('/things')).text(), good);
  const bad = '<plant id="x"><title>Fern</title></plant>';
  const passedOver = await createWriter(t, {
    'text/xml': { schema: plant, examples: { bad: { value: bad }, good: { value: good } } },
  });
  t.is(await (await passedOver.fetch('/things')).text(), good);
});

test('an example with numbers as strings is valid where the media type serializes both alike', async (t) => {
  const schema = { type: 'object', properties: { size: { type: 'integer' } } };
  const xml = await createWriter(t, { 'application/xml': { schema, example: { size: '12' } } });
  const answer = await xml.fetch('/things');
  t.is(answer.headers.get('mock-source'), 'example');
  t.regex(await answer.text(), /<size>12<\/size>/);
  const json = await createWriter(t, { 'application/json': { schema, example: { size: '12' } } });
  t.not((await json.fetch('/things')).headers.get('mock-source'), 'example');
});

test('an XML element has the name of its component', async (t) => {
  const schema = { $ref: '#/components/schemas/Leaf' };
  const mock = await createWriter(
    t,
    { 'application/xml': { schema, example: { size: 1 } } },
    { schemas: { Leaf: { type: 'object', properties: { size: { type: 'integer' } } } } },
  );
  t.regex(await (await mock.fetch('/things')).text(), /<Leaf><size>1<\/size><\/Leaf>$/);
});

test('forms, multipart and sequences are serialized like they are decoded', async (t) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'array', items: { type: 'string' } } },
  };
  const example = { a: 1, b: ['x y', 'z'] };
  for (const [type, expected] of [
    ['application/x-www-form-urlencoded', /^a=1&b=x\+y&b=z$/],
    [
      'multipart/form-data',
      /name="a"\r\n\r\n1\r\n[\s\S]*name="b"\r\n\r\nx y\r\n[\s\S]*name="b"\r\n\r\nz\r\n/,
    ],
  ] as const) {
    const mock = await createWriter(t, { [type]: { schema, example } });
    const response = await mock.fetch('/things');
    const text = await response.text();
    t.regex(text, expected);
    const reader = await createReader(t, {
      [type]: { schema: { ...schema, required: ['a', 'b'] } },
    });
    const sent = { body: text, type: response.headers.get('content-type') ?? '' };
    t.deepEqual(await post(reader, sent), [200, 'good']);
  }
});

test('the items of a sequential media type are serialized one after the other', async (t) => {
  const itemSchema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  const examples = { two: { value: [{ a: 1 }, { a: 2 }] } };
  for (const [type, expected] of [
    ['application/jsonl', '{"a":1}\n{"a":2}\n'],
    ['application/x-ndjson', '{"a":1}\n{"a":2}\n'],
    ['application/json-seq', '\u001E{"a":1}\n\u001E{"a":2}\n'],
  ] as const) {
    const mock = await createWriter(t, { [type]: { itemSchema, examples } });
    t.is(await (await mock.fetch('/things')).text(), expected);
    const reader = await createReader(t, { [type]: { itemSchema } });
    t.deepEqual(await post(reader, { body: expected, type }), [200, 'good']);
    t.deepEqual(await post(reader, { body: expected.replace('2', '"x"'), type }), [
      422,
      'body/1/a must be an integer, got the string "x"',
    ]);
  }
});

test('events are serialized as an event stream', async (t) => {
  const itemSchema = {
    type: 'object',
    required: ['data'],
    properties: { event: { type: 'string' }, data: { type: 'string' } },
  };
  const examples = { two: { value: [{ event: 'add', data: 'one\ntwo' }, { data: '3' }] } };
  const mock = await createWriter(t, { 'text/event-stream': { itemSchema, examples } });
  t.is(
    await (await mock.fetch('/things')).text(),
    'event: add\ndata: one\ndata: two\n\ndata: 3\n\n',
  );
});

test('an event may have null as its data', async (t) => {
  const type = 'text/event-stream';
  const itemSchema = { type: ['object', 'null'], properties: { a: { type: 'integer' } } };
  const reader = await createReader(t, { [type]: { itemSchema } });
  const body = 'data: {"a":1}\n\ndata: null\n\n';
  t.deepEqual(await post(reader, { body, type }), [200, 'good']);
});

test('a binary response arrives unchanged, in process and over a socket', async (t) => {
  const mock = await createWriter(t, {
    'text/plain; charset=iso-8859-1': { schema: { type: 'string' }, example: 'Grün' },
  });
  const { url } = await mock.listen({ port: 0 });
  for (const response of [await mock.fetch('/things'), await fetch(`${url}/things`)]) {
    t.is(response.headers.get('content-type'), 'text/plain; charset=iso-8859-1');
    t.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.from('Grün', 'latin1'));
  }
});

function scalar(type: string, xml: XmlShape = {}): Shape {
  return { ...ANY_SHAPE, types: new Set([type]), xml };
}

function list(item: Shape, xml: XmlShape = {}): Shape {
  return { ...ANY_SHAPE, types: new Set(['array']), xml, item: () => item };
}

function object(members: Readonly<Record<string, Shape>>, xml: XmlShape = {}): Shape {
  const properties = new Map(Object.entries(members));
  const member = (name: string): Shape => properties.get(name) ?? ANY_SHAPE;
  return { ...ANY_SHAPE, types: new Set(['object']), xml, properties, member };
}

function reread(value: JsonValue, shape: Shape): JsonValue {
  const bytes = Buffer.from(writeXml(value, shape, 'thing'));
  return readXml(bytes, readContentType('application/xml'), shape);
}

test('serialized XML is decoded to the same value', (t) => {
  const shape = object({
    id: scalar('integer', { nodeType: 'attribute' }),
    label: scalar('string', { nodeType: 'attribute', name: 'l' }),
    name: scalar('string', { name: 'title', prefix: 'n', namespace: 'http://example.com' }),
    tags: list(scalar('string', { name: 'tag' })),
    sizes: list(scalar('integer'), { wrapped: true }),
    parts: list(object({ on: scalar('boolean') }), { wrapped: true, name: 'all' }),
    note: object({
      lang: scalar('string', { nodeType: 'attribute' }),
      text: scalar('string', { nodeType: 'text' }),
    }),
    data: object({ text: scalar('string', { nodeType: 'cdata' }) }),
  });
  // XML 1.0 §2.2 has no other control characters, and no halves of characters.
  const text = fc
    .string({ unit: 'grapheme' })
    .map((one) => one.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, ''));
  const value = fc.record({
    id: fc.integer(),
    label: text,
    name: text,
    tags: fc.array(text, { minLength: 1 }),
    sizes: fc.array(fc.integer()),
    parts: fc.array(fc.record({ on: fc.boolean() })),
    note: fc.record({ lang: text, text: text.map((one) => one.replaceAll('\r', '')) }),
    data: fc.record({ text: text.map((one) => one.replaceAll('\r', '')) }),
  });
  holds(
    t,
    fc.property(value, (given) => isEqual(reread(given, shape), given)),
    200,
  );
});

test('any member names serialize to XML', (t) => {
  const names = fc.string({ unit: 'binary', minLength: 1 });
  holds(
    t,
    fc.property(fc.dictionary(names, names), (given) => {
      reread(given, ANY_SHAPE);
    }),
    200,
  );
});

test('any bytes of any media type are accepted or refused without a crash', async (t) => {
  const types = [
    'application/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/mixed',
    'text/plain',
    'text/event-stream',
    'application/jsonl',
    'application/json-seq',
    'application/octet-stream',
  ];
  const recursive = {
    type: ['object', 'array', 'string', 'integer', 'null'],
    properties: { a: { $ref: '#/components/schemas/Any' }, b: { type: 'integer' } },
    items: { $ref: '#/components/schemas/Any' },
  };
  const content = Object.fromEntries(
    types.map((type) => [type, { schema: { $ref: '#/components/schemas/Any' } }]),
  );
  const mock = await createFrom(
    t,
    {
      '/things': {
        post: {
          requestBody: { content },
          responses: { 200: { description: 'Good' }, '4XX': { description: 'Bad' } },
        },
      },
    },
    { schemas: { Any: recursive } },
  );
  const parts = [
    '{',
    '}',
    '[',
    ']',
    '"a"',
    ':',
    ',',
    '1',
    'a=',
    '&',
    'b',
    '%',
    '<a>',
    '</a>',
    '<a b="1"/>',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '--X',
    '\r\n',
    '\n\n',
    'Content-Disposition: form-data; name="a"',
    'Content-Type: application/json',
    'data: ',
    '\u001E',
    '\uFEFF',
    '\u0000',
    'é',
  ];
  const text = fc
    .array(fc.constantFrom(...parts), { maxLength: 20 })
    .map((all) => Buffer.from(all.join('')));
  const body = fc.oneof({ weight: 3, arbitrary: text }, fc.uint8Array({ maxLength: 40 }));
  const parameter = fc.constantFrom(
    '',
    '; boundary=X',
    '; charset=utf-16',
    '; charset=latin1',
    '; charset=gbk',
    ';;=',
  );
  await t.notThrowsAsync(async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), parameter, body, async (type, more, bytes) => {
        const [status] = await post(mock, { body: bytes, type: type + more });
        return status < 500;
      }),
      { numRuns: 1000 },
    );
  });
});
