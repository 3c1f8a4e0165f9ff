/** A request as bytes, and what must come of it. */
export interface ControlInput {
  readonly id: string;
  /** The requests of one connection, one after the other's answer. */
  readonly bytes: Buffer;
  /** The expected status, or `4xx` for any of them. */
  readonly expect: readonly (number | '4xx')[];
  /** Why. */
  readonly why: string;
}

interface Parts {
  readonly method?: string;
  readonly target: string;
  readonly fields?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

const HOST = ['Host', 'localhost'] as const;
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

/** @returns a request as bytes: nothing of it is checked, mended or normalised on its way */
function toBytes({ method = 'GET', target, fields = [HOST], body }: Parts): Buffer {
  const content = Buffer.from(body ?? '');
  const length = body === undefined ? [] : [['Content-Length', String(content.length)] as const];
  const lines = [...fields, ...length].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  return Buffer.concat([head, content]);
}

function input(
  id: string,
  why: string,
  expect: ControlInput['expect'],
  parts: Parts,
): ControlInput {
  return { id, why, expect, bytes: toBytes(parts) };
}

function withJson(method: string, target: string, body: string | Uint8Array): Parts {
  return { method, target, fields: [HOST, JSON_TYPE], body };
}

/** Routes that change something, and one that tells everything. */
const SENSITIVE: readonly Parts[] = [
  { target: '/__admin/state' },
  { method: 'DELETE', target: '/__admin/state' },
  { method: 'POST', target: '/__admin/reset', body: '' },
  withJson('POST', '/__admin/fail', '{"operationId":"createPlant","status":400}'),
  { target: '/__session/made-by-others/__admin/state' },
  { target: '/__admin/events' },
];

const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:4010',
  'evil.example.',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'EVIL.EXAMPLE',
  'xn--e1afmkfd.xn--p1ai',
];

const NO_HOSTS = [
  'evil.example@127.0.0.1',
  'evil.example:99999',
  '[::1',
  '[::1].evil.example',
  'local.host, evil.example',
];

function foreignHosts(): ControlInput[] {
  const within = (parts: Parts, host: string): Parts => ({
    ...parts,
    fields: [['Host', host], ...(parts.fields ?? []).slice(1)],
  });
  return [
    ...FOREIGN_HOSTS.flatMap((host) =>
      SENSITIVE.map((parts, index) =>
        input(
          `host ${host} ${index}`,
          'a name that others can give this server (DNS rebinding)',
          [403],
          within(parts, host),
        ),
      ),
    ),
    ...NO_HOSTS.map((host) =>
      input(
        `host ${host}`,
        'it is no host',
        [400, 403],
        within({ target: '/__admin/state' }, host),
      ),
    ),
  ];
}

const FOREIGN_ORIGINS = [
  'https://evil.example',
  'http://evil.example:4010',
  'null',
  'file://',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example#localhost',
  'http://localhost@evil.example',
  'chrome-extension://abcdef',
  'javascript:alert(1)',
  'http://',
  'localhost',
  '*',
];

function foreignOrigins(): ControlInput[] {
  return FOREIGN_ORIGINS.flatMap((origin) => [
    ...SENSITIVE.map((parts, index) =>
      input(`origin ${origin} ${index}`, 'a page from elsewhere (cross-site request)', [403], {
        ...parts,
        fields: [...(parts.fields ?? [HOST]), ['Origin', origin]],
      }),
    ),
    input(`origin ${origin} preflight`, 'a preflight of a page from elsewhere', [403], {
      method: 'OPTIONS',
      target: '/__admin/state',
      fields: [HOST, ['Origin', origin], ['Access-Control-Request-Method', 'DELETE']],
    }),
  ]);
}

const NO_ROUTES = [
  '/__admin/nope',
  '/__admin/state/plants/1/2',
  '/__admin/fixtures/a/b/c',
  '/__admin/sessions/a/b',
  '/__admin//state',
  '/__admin/../plants',
  '/__admin/..',
  '/__admin/state/../../plants',
  '/__admin/%2e%2e/plants',
  '/__admin/%2E%2E%2Fplants',
  '/__admin%2Fstate',
  '/%5F%5Fadmin/nope',
  '/__admin/state%2Fplants',
  '/__admin/state;a=1',
  '/__admin/STATE',
  '/__ADMIN/state',
  '/__adminx/state',
  '//__admin/state',
  '/./__admin/state',
  '/x/../__admin/state',
  '/__admin\\state',
  '/__admin/state/%',
  '/__admin/state/%zz',
  '/__admin/state/%E0%A4%A',
  '/__admin/state/%00',
  '/__admin/state/%FF%FE',
  `/__admin/${'a'.repeat(12_000)}`,
  `/__admin${'/a'.repeat(5_000)}`,
  '/__admin/fixtures/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '/__admin/__proto__',
  '/__admin/constructor/prototype',
];

function unknownRoutes(): ControlInput[] {
  return ['GET', 'POST', 'DELETE'].flatMap((method) =>
    NO_ROUTES.map((target) =>
      input(`${method} ${target.slice(0, 60)}`, 'there is no such path', ['4xx'], {
        method,
        target,
        ...(method === 'POST' && withJson(method, target, '{"id":1,"name":"x"}')),
      }),
    ),
  );
}

const WRONG_METHODS: readonly (readonly [method: string, target: string])[] = [
  ['PATCH', '/__admin/state'],
  ['POST', '/__admin/state/plants'],
  ['TRACE', '/__admin/state'],
  ['PUT', '/__admin/reset'],
  ['GET', '/__admin/reset'],
  ['DELETE', '/__admin/clock'],
  ['GET', '/__admin/fail'],
  ['POST', '/__admin/events'],
  ['PROPFIND', '/__admin/fixtures'],
  ['DELETE', '/__admin/health'],
];

function wrongMethods(): ControlInput[] {
  return WRONG_METHODS.map(([method, target]) =>
    input(`${method} ${target}`, 'the path is there, the method is not: 405 with Allow', [405], {
      method,
      target,
      ...(method === 'POST' && { body: '' }),
    }),
  );
}

const BAD_IDS = [
  '',
  ' ',
  'a b',
  'a/b',
  '../default',
  'a%2Fb',
  'a;b',
  'a,b',
  'a"b',
  '<script>',
  '\u00e9',
  'a\tb',
  '__admin',
  'x'.repeat(129),
  'x'.repeat(8_000),
];

function badSessions(): ControlInput[] {
  const why = 'no session can be called so';
  const target = '/__admin/state';
  return BAD_IDS.flatMap((id) => {
    const name = id.slice(0, 20);
    const inPath = encodeURIComponent(id);
    return [
      ...(id.trim() === ''
        ? []
        : [
            input(`session field ${name}`, why, [400], {
              target,
              fields: [HOST, ['Mock-Session', id]],
            }),
            input(`session to create ${name}`, why, ['4xx'], {
              ...withJson('PUT', `/__admin/sessions/${inPath}`, '{}'),
            }),
            input(`session to fork to ${name}`, why, ['4xx'], {
              ...withJson('POST', '/__admin/sessions/default/fork', JSON.stringify({ to: id })),
            }),
          ]),
      input(`session prefix ${name}`, why, ['4xx'], { target: `/__session/${inPath}${target}` }),
      input(`session prefix and create ${name}`, why, ['4xx'], {
        method: 'POST',
        target: `/__session/${inPath}/plants`,
        fields: [HOST, JSON_TYPE, ['Authorization', 'Bearer token']],
        body: '{"id":1,"name":"x"}',
      }),
    ];
  });
}

function badSessionMembers(): ControlInput[] {
  const why = 'no session can be called so';
  const target = '/__admin/state';
  const values = ['a%2Fb', '%2E%2E%2Fx', '%E0%A4%A', 'x'.repeat(129), '%00', '__admin'];
  return [
    ...values.map((value) =>
      input(`session in baggage ${value.slice(0, 20)}`, why, ['4xx'], {
        target,
        fields: [HOST, ['Baggage', `a=1,mock-session=${value};p=1,b=2`]],
      }),
    ),
    ...values.map((value) =>
      input(`session in a cookie ${value.slice(0, 20)}`, why, ['4xx'], {
        target,
        fields: [HOST, ['Cookie', `a=1; mock-session=${value}; b=2`]],
      }),
    ),
    input('session field twice', 'they are two', ['4xx'], {
      target,
      fields: [HOST, ['Mock-Session', 'one'], ['Mock-Session', 'two']],
    }),
    input('session prefix twice', 'the path within the session is none', ['4xx'], {
      target: '/__session/default/__session/b/__admin/state',
    }),
    input('session prefix alone', 'there is no id', ['4xx'], { target: '/__session' }),
  ];
}

/** Routes that want a body. */
const BODY_ROUTES: readonly (readonly [method: string, target: string])[] = [
  ['POST', '/__admin/fixtures'],
  ['PUT', '/__admin/fixtures/new'],
  ['PUT', '/__admin/fixtures/slow/enabled'],
  ['POST', '/__admin/fail'],
  ['PUT', '/__admin/sessions/made'],
  ['POST', '/__admin/sessions/default/fork'],
  ['POST', '/__admin/journal/find'],
  ['POST', '/__admin/journal/count'],
  ['POST', '/__admin/journal/verify'],
  ['POST', '/__admin/journal/wait'],
  ['PUT', '/__admin/state'],
  ['PUT', '/__admin/state/plants'],
  ['PUT', '/__admin/state/plants/1'],
  ['PUT', '/__admin/clock'],
  ['POST', '/__admin/clock/advance'],
  ['POST', '/__admin/reset'],
  ['POST', '/__admin/mappings'],
  ['POST', '/__admin/mappings/import'],
  ['POST', '/__admin/requests/find'],
  ['POST', '/__admin/requests/remove'],
];

const NO_JSON: Readonly<Record<string, string | Uint8Array>> = {
  'half an object': '{"name":',
  'half a string': '{"name":"x',
  'a comma too many': '{"a":1,}',
  'single quotes': "{'a':1}",
  'no number': '{"a":01}',
  NaN: '{"a":NaN}',
  'two values': '{} {}',
  'a comment': '{}//x',
  'a mark alone': '\uFEFF',
  'a null byte': '{"a":"\u0000"}',
  'no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'deep arrays': '['.repeat(100_000),
  'deep arrays, closed': '['.repeat(50_000) + ']'.repeat(50_000),
  'deep objects': '{"a":'.repeat(50_000),
  'a lone text': '"text"',
  'a lone number': '12345678901234567890',
};

function badBodies(): ControlInput[] {
  return BODY_ROUTES.flatMap(([method, target]) => [
    ...Object.entries(NO_JSON).map(([name, body]) =>
      input(`${method} ${target}: ${name}`, 'it is no JSON that the route takes', ['4xx'], {
        ...withJson(method, target, body),
      }),
    ),
    ...['text/plain', 'application/xml', 'multipart/form-data', 'image/png', 'x', '/', ';;'].map(
      (type) =>
        input(`${method} ${target}: ${type}`, 'the route takes no such media type', ['4xx'], {
          method,
          target,
          fields: [HOST, ['Content-Type', type]],
          body: '{"operationId":"createPlant"}',
        }),
    ),
    input(`${method} ${target}: no gzip`, 'it says gzip and is none', ['4xx'], {
      method,
      target,
      fields: [HOST, JSON_TYPE, ['Content-Encoding', 'gzip']],
      body: '{}',
    }),
    input(`${method} ${target}: a coding that is none`, 'nobody knows it', ['4xx'], {
      method,
      target,
      fields: [HOST, JSON_TYPE, ['Content-Encoding', 'lzma']],
      body: '{}',
    }),
  ]);
}

/** Values that look right and are not, by their route. */
const BAD_VALUES: readonly (readonly [
  method: string,
  target: string,
  bodies: readonly string[],
])[] = [
  [
    'POST',
    '/__admin/fail',
    [
      '{}',
      '{"operationId":"createPlant"}',
      '{"operationId":"nope","status":400}',
      '{"operationId":"__proto__","status":400}',
      '{"operationId":"createPlant","status":0}',
      '{"operationId":"createPlant","status":99}',
      '{"operationId":"createPlant","status":600}',
      '{"operationId":"createPlant","status":"400"}',
      '{"operationId":"createPlant","status":400.5}',
      '{"operationId":"createPlant","status":1e400}',

      '{"operationId":"createPlant","status":400,"times":0}',
      '{"operationId":"createPlant","status":400,"times":-1}',
      '{"operationId":"createPlant","status":400,"times":1.5}',
      '{"operationId":"createPlant","status":400,"times":9223372036854775808}',
      '{"operationId":"createPlant","status":400,"times":1e999999999}',
      '{"operationId":"createPlant","status":400,"fixedDelayMilliseconds":-1}',
      '{"operationId":"createPlant","status":400,"fixedDelayMilliseconds":1e12}',
      '{"operationId":"createPlant","status":400,"nope":1}',
      '{"operationId":"createPlant","status":400,"example":"nope"}',
      '{"operationId":"createPlant","status":400,"example":"__proto__"}',
      '{"operationId":"createPlant","fault":"NOPE"}',
      '{"operationId":"createPlant","fault":"__proto__"}',
      '{"operationId":"createPlant","status":400,"body":{"error":"text"}}',
    ],
  ],
  [
    'POST',
    '/__admin/fixtures',
    [
      '{}',
      '{"rules":{}}',
      '{"rules":[null]}',
      '{"rules":[{}]}',
      '{"rules":[{"name":""}]}',
      '{"rules":[{"name":"a","answer":{"fail":400},"nope":1}]}',
      '{"rules":[{"name":"a","answer":{"fail":400}},{"name":"a","answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"nope"},"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","priority":1e400,"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","probability":2,"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","times":9223372036854775808,"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","requiredScenarioState":"x","answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"urlPath":{"matches":"("}},"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"urlPath":{"matches":"(a{1000}){1000}"}},"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"urlPath":{"nope":"x"}},"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant"},"answer":{"status":200,"bodyFile":"/etc/passwd"}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant"},"answer":{"status":200,"bodyFile":"../../../../etc/passwd"}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant"},"answer":{"status":200,"bodyFile":"file:///etc/passwd"}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant"},"answer":{"status":400,"headers":{"a\\r\\nb":"x"}}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant"},"answer":{"status":400,"headers":{"a":"x\\r\\ny: z"}}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant","bodySchema":{"$ref":"http://127.0.0.1:1/x"}},"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant","bodySchema":{"$ref":"file:///etc/passwd"}},"answer":{"fail":400}}]}',
      '{"rules":[{"name":"a","match":{"operationId":"createPlant","bodySchema":{"type":"nope"}},"answer":{"fail":400}}]}',
    ],
  ],
  [
    'PUT',
    '/__admin/state',
    [
      '{"nope":[]}',
      '{"plants":{}}',
      '{"plants":[1]}',
      '{"plants":[{"name":"x"}]}',
      '{"plants":[{"id":9223372036854775808,"name":"x"}]}',
      '{"plants":[{"id":1,"name":"x"},{"id":1.0,"name":"y"}]}',
      '{"__proto__":[{"id":1,"name":"x"}]}',
      '{"constructor":[]}',
    ],
  ],
  [
    'PUT',
    '/__admin/state/plants',
    [
      '{}',
      'null',
      '[null]',
      '[{}]',
      '[{"id":"1","name":"x"}]',
      '[{"id":-9223372036854775809,"name":"x"}]',
      '[{"id":1,"name":"x"},{"id":1,"name":"y"}]',
      '[{"id":1e400,"name":"x"}]',
    ],
  ],
  ['PUT', '/__admin/state/plants/1', ['{}', '[]', '{"id":1}', '{"id":2,"name":"x"}', 'null']],
  ['PUT', '/__admin/state/__proto__', ['[]', '[{"id":1}]']],
  ['PUT', '/__admin/state/__proto__/x', ['{"id":1}']],
  [
    'PUT',
    '/__admin/clock',
    [
      '{}',
      '{"now":"yesterday"}',
      '{"now":1e400}',
      '{"now":"+275761-01-01T00:00:00Z"}',
      '{"now":"2026-02-30T00:00:00Z"}',
      '{"now":"2026-01-01"}',
      '{"isFrozen":"true"}',
      '{"nope":1}',
    ],
  ],
  [
    'POST',
    '/__admin/clock/advance',
    [
      '{}',
      '{"by":""}',
      '{"by":"5x"}',
      '{"by":"-5m"}',
      '{"by":"1e99d"}',
      '{"by":"99999999999999999999d"}',
      '{"by":"P"}',
      '{"by":5}',
      '{"milliseconds":-1}',
      '{"milliseconds":1e300}',
      '{"milliseconds":9223372036854775808}',
      '{"by":"1s","milliseconds":1}',
    ],
  ],
  [
    'POST',
    '/__admin/journal/wait',
    [
      '{"times":-1}',
      '{"times":1e400}',
      '{"within":"1000000d"}',
      '{"within":-1}',
      '{"match":{"operationId":"nope"}}',
      '{"match":{"nope":1}}',
    ],
  ],
  [
    'POST',
    '/__admin/journal/find',
    [
      '{"limit":0}',
      '{"limit":1e9}',
      '{"match":{"urlPath":{"matches":"("}}}',
      '{"match":{"urlPath":{"matches":5}}}',
      '{"status":"x"}',
      '{"__proto__":{"match":{}}}',
    ],
  ],
  ['POST', '/__admin/reset', ['{"only":[]}', '{"only":["nope"]}', '{"only":["__proto__"]}', '[]']],
  ['PUT', '/__admin/fixtures/slow/enabled', ['{}', '{"enabled":1}', '{"enabled":"true"}']],
  ['PUT', '/__admin/fixtures/nope/enabled', ['{"enabled":true}']],
  ['PUT', '/__admin/fixtures/__proto__/enabled', ['{"enabled":true}']],
  ['PUT', '/__admin/scenarios/nope/state', ['{"state":"x"}', '{"state":""}', '{"state":5}']],
  ['PUT', '/__admin/scenarios/__proto__/state', ['{"state":"x"}']],
  ['POST', '/__admin/sessions/nope/fork', ['{"to":"x"}']],
  [
    'POST',
    '/__admin/sessions/default/fork',
    ['{}', '{"to":"x","snapshot":"nope"}', '{"to":"x","snapshot":"__proto__"}', '{"to":5}'],
  ],
  [
    'POST',
    '/__admin/mappings',
    [
      '{"request":{"url":5},"response":{}}',
      '{"request":{"method":"POST","urlPath":"/plants"},"response":{"status":700}}',
      '{"request":{"method":"POST","urlPath":"/plants"},"response":{"proxyBaseUrl":"http://evil.example"}}',
      '{"request":{"method":"POST","urlPath":"/plants"},"response":{"status":400,"bodyFileName":"../../etc/passwd"}}',
      '{"request":{"method":"POST","urlPathPattern":"("},"response":{"status":400}}',
      '{"id":"__proto__","request":{"method":"POST","urlPath":"/plants"},"response":{"status":400,"body":"x"}}',
    ],
  ],
  ['POST', '/__admin/mappings/import', ['{}', '{"mappings":{}}', '{"mappings":[null]}']],
  ['PUT', '/__admin/sessions/made', ['{"nope":1}', '{"now":"x"}', '{"seed":{}}']],
];

function badValues(): ControlInput[] {
  return BAD_VALUES.flatMap(([method, target, bodies]) =>
    bodies.map((body) =>
      input(`${method} ${target} ${body}`, 'the value is not one that it can have', ['4xx'], {
        ...withJson(method, target, body),
      }),
    ),
  );
}

const BAD_TARGETS: readonly (readonly [method: string, target: string])[] = [
  ['GET', '/__admin/journal?limit=-1'],
  ['GET', '/__admin/journal?limit=1e999'],
  ['GET', '/__admin/journal?limit=abc'],
  ['GET', '/__admin/journal?since=x'],
  ['GET', '/__admin/journal?status=abc'],
  ['GET', '/__admin/journal?limit=9223372036854775808'],
  ['GET', '/__admin/journal?limit=1&limit=2'],
  ['GET', '/__admin/journal?operationId=%E0%A4%A'],
  ['GET', '/__admin/journal/0'],
  ['GET', '/__admin/journal/-1'],
  ['GET', '/__admin/journal/abc'],
  ['GET', '/__admin/journal/1.5'],
  ['GET', '/__admin/journal/9223372036854775808'],
  ['GET', '/__admin/journal/999999999'],
  ['GET', '/__admin/state/nope'],
  ['GET', '/__admin/state/__proto__'],
  ['GET', '/__admin/state/constructor'],
  ['GET', '/__admin/state/plants/__proto__'],
  ['DELETE', '/__admin/state/plants/nope'],
  ['DELETE', '/__admin/state/__proto__'],
  ['GET', '/__admin/fixtures/nope'],
  ['GET', '/__admin/fixtures/__proto__'],
  ['DELETE', '/__admin/fixtures/__proto__'],
  ['GET', '/__admin/snapshots/nope'],
  ['GET', '/__admin/snapshots/__proto__'],
  ['DELETE', '/__admin/snapshots/__proto__'],
  ['POST', '/__admin/snapshots/__proto__/restore'],
  ['POST', '/__admin/snapshots/toString/restore'],
  ['PUT', `/__admin/snapshots/${'x'.repeat(5_000)}`],
  ['PUT', '/__admin/snapshots/a%2Fb'],
  ['PUT', '/__admin/snapshots/%00'],
  ['GET', '/__admin/sessions/nope'],
  ['GET', '/__admin/sessions/__proto__'],
  ['GET', '/__admin/mappings/nope'],
  ['GET', '/__admin/mappings/__proto__'],
  ['GET', '/__admin/requests/nope'],
  ['GET', '/__admin/mappings?limit=-1'],
];

function badTargets(): ControlInput[] {
  return BAD_TARGETS.map(([method, target]) =>
    input(`${method} ${target.slice(0, 60)}`, 'it names what is not there', ['4xx'], {
      method,
      target,
    }),
  );
}

/** A body that says how long it is, and is not sent. */
function hugeBodies(): ControlInput[] {
  const why = 'the body is larger than any may be';
  return BODY_ROUTES.flatMap(([method, target]) => [
    ...['11000000', '999999999999', '9007199254740993'].map((length) =>
      input(`${method} ${target}: ${length} bytes`, why, ['4xx'], {
        method,
        target,
        fields: [HOST, JSON_TYPE, ['Content-Length', length], ['Connection', 'close']],
      }),
    ),
    ...['-1', '1e3', '18446744073709551617', '5, 6', 'abc'].map((length) =>
      input(`${method} ${target}: Content-Length ${length}`, 'it is no length', ['4xx'], {
        method,
        target,
        fields: [HOST, JSON_TYPE, ['Content-Length', length]],
      }),
    ),
  ]);
}

function brokenFraming(): ControlInput[] {
  const chunked = [HOST, JSON_TYPE, ['Transfer-Encoding', 'chunked']] as const;
  const head = toBytes({ method: 'PUT', target: '/__admin/state/plants', fields: chunked });
  const after = (id: string, why: string, text: string | Uint8Array): ControlInput => ({
    id,
    why,
    expect: ['4xx'],
    bytes: Buffer.concat([head, Buffer.from(text)]),
  });
  const chunk = Buffer.concat([
    Buffer.from('100000\r\n'),
    Buffer.alloc(0x100000, 0x20),
    Buffer.from('\r\n'),
  ]);
  return [
    after('chunk without a size', 'no chunk', 'zz\r\n[]\r\n0\r\n\r\n'),
    after('chunk of a huge size', 'no chunk', 'ffffffffffffffffff\r\n[]'),
    after('chunked body over the limit', 'it is too large', Buffer.concat(Array(12).fill(chunk))),
    input('length and chunked', 'request smuggling', ['4xx'], {
      method: 'PUT',
      target: '/__admin/state/plants',
      fields: [...chunked, ['Content-Length', '4']],
    }),
    input('two hosts', 'RFC 9112 §3.2', [400], {
      target: '/__admin/state',
      fields: [HOST, ['Host', 'evil.example']],
    }),
    input('no host', 'RFC 9112 §3.2', [400], { target: '/__admin/state', fields: [] }),
    input('a head over the limit', 'it is too large', [431], {
      target: '/__admin/state',
      fields: [HOST, ['Mock-Session', 'x'.repeat(20_000)]],
    }),
    input('absolute target of another host', 'RFC 9112 §3.2.2: it is the host', ['4xx'], {
      target: 'http://evil.example/__admin/state',
    }),
    input('authority as target', 'only CONNECT has one', ['4xx'], { target: 'localhost:80' }),
    input('asterisk as target', 'only OPTIONS has one', ['4xx'], { target: '*' }),
  ];
}

/** Bad inputs for the control API, each with what must come of it. */
export const controlInputs: readonly ControlInput[] = [
  ...foreignHosts(),
  ...foreignOrigins(),
  ...unknownRoutes(),
  ...wrongMethods(),
  ...badSessions(),
  ...badSessionMembers(),
  ...badBodies(),
  ...badValues(),
  ...badTargets(),
  ...hugeBodies(),
  ...brokenFraming(),
];
