import { fileURLToPath } from 'node:url';
import test from 'ava';
import { findDocuments } from '../../scripts/sweep/find-documents.ts';
import { loadContract } from '../../src/assemble/load.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { bundle } from '../../src/contract/bundle.ts';
import { findErrors } from '../../src/contract/contract.ts';
import { createMock, type MockOptions } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { testWith } from '../support/needs.ts';

const files = {
  'api.yaml': `openapi: 3.0.3
info: { title: Clinic, version: "1" }
servers: [{ url: https://clinic.example/v1 }]
paths:
  /patients:
    $ref: 'paths/patients.yaml'
  /visits:
    servers: [{ url: https://visits.example }]
    get:
      parameters: [{ $ref: 'shared.yaml#/parameters/Limit' }]
      responses:
        "200": { $ref: 'shared.yaml#/responses/Visits' }
        default: { $ref: '#/components/responses/Problem' }
components:
  responses:
    Problem: { description: A problem }
  schemas:
    Patient: { type: object, properties: { name: { type: string } } }
`,
  'paths/patients.yaml': `get:
  responses:
    "200":
      description: Patients
      content:
        application/json:
          schema: { type: array, items: { $ref: '../api.yaml#/components/schemas/Patient' } }
          example: [{ $ref: data }]
`,
  'shared.yaml': `parameters:
  Limit: { name: limit, in: query, schema: { $ref: '#/schemas/Limit' } }
responses:
  Visits:
    description: Visits
    content:
      application/json: { schema: { type: array, items: { $ref: 'visit.yaml' } } }
schemas:
  Limit: { type: integer }
`,
  'visit.yaml': `type: object
properties:
  patient: { $ref: 'shared.yaml#/schemas/Patient' }
  next: { $ref: '#' }
discriminator: { propertyName: kind, mapping: { first: 'visit.yaml' } }
`,
};

async function readServed(options: MockOptions, target: string): Promise<unknown> {
  const mock = await createMock(options);
  const response = await mock.fetch(target, { headers: { host: 'localhost:4010' } });
  await mock.close();
  return response.json();
}

test('the served document is one file with the mock as its server', async (t) => {
  const folder = await createFolder(t, files);
  const served = await readServed({ document: `${folder}/api.yaml` }, '/__admin/openapi.json');
  t.deepEqual(served, {
    openapi: '3.0.3',
    info: { title: 'Clinic', version: '1' },
    servers: [{ url: 'http://localhost:4010' }],
    paths: {
      '/patients': {
        get: {
          responses: {
            200: {
              description: 'Patients',
              content: {
                'application/json': {
                  schema: { type: 'array', items: { $ref: '#/components/schemas/Patient' } },
                  example: [{ $ref: 'data' }],
                },
              },
            },
          },
        },
      },
      '/visits': {
        get: {
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          responses: {
            200: { $ref: '#/components/responses/Visits' },
            default: { $ref: '#/components/responses/Problem' },
          },
        },
      },
    },
    components: {
      responses: {
        Problem: { description: 'A problem' },
        Visits: {
          description: 'Visits',
          content: {
            'application/json': {
              schema: { type: 'array', items: { $ref: '#/components/schemas/visit' } },
            },
          },
        },
      },
      schemas: {
        Patient: { type: 'object', properties: { name: { type: 'string' } } },
        Limit: { type: 'integer' },
        visit: {
          type: 'object',
          properties: {
            // What leads to nothing stays as it is.
            patient: { $ref: 'shared.yaml#/schemas/Patient' },
            next: { $ref: '#/components/schemas/visit' },
          },
          discriminator: { propertyName: 'kind', mapping: { first: '#/components/schemas/visit' } },
        },
      },
      parameters: {
        Limit: { name: 'limit', in: 'query', schema: { $ref: '#/components/schemas/Limit' } },
      },
    },
  });
});

test('a document in OpenAPI 2.0 is served as 3.0 with its definitions', async (t) => {
  const document = {
    swagger: '2.0',
    info: { title: 'Music', version: '1' },
    paths: {
      '/songs': {
        get: { responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Song' } } } },
      },
    },
    definitions: {
      Song: { type: 'object', discriminator: 'kind', properties: { kind: { type: 'string' } } },
    },
  };
  const served = await readServed({ document }, '/__admin/openapi.json');
  t.like(served, {
    openapi: '3.0.4',
    components: {
      schemas: {
        Song: {
          type: 'object',
          discriminator: { propertyName: 'kind' },
          properties: { kind: { type: 'string' } },
        },
      },
    },
  });
  t.regex(JSON.stringify(served), /"schema":\{"\$ref":"#\/components\/schemas\/Song"\}/);
});

test('each of several documents is served with its base path, and in a session', async (t) => {
  const document = (title: string) => ({
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths: {},
  });
  const folder = await createFolder(t, {
    'one.json': JSON.stringify(document('One')),
    'two.json': JSON.stringify(document('Two')),
  });
  const options = { document: [`/a=${folder}/one.json`, `/b=${folder}/two.json`] };
  const target = '/__session/s1/__admin/openapi.json?document=2';
  t.like(await readServed(options, target), {
    info: { title: 'Two' },
    servers: [{ url: 'http://localhost:4010/__session/s1/b' }],
  });
});

test('beside a control API of its own port, the served document names the port of the mock', async (t) => {
  const mock = await createMock({ port: 0, adminPort: 0 });
  t.teardown(() => mock.close());
  const { url, adminUrl } = await mock.listen();
  const response = await fetch(`${adminUrl}/__admin/openapi.json`);
  t.like(await response.json(), { servers: [{ url }] });
});

/** Yields every reference of a value that is no extension. */
function* referencesIn(value: JsonValue): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* referencesIn(item);
  if (!isJsonObject(value)) return;
  const { $ref, ...rest } = value;
  if (typeof $ref === 'string') yield $ref;
  for (const [name, member] of Object.entries(rest)) {
    if (!name.startsWith('x-')) yield* referencesIn(member);
  }
}

const shared = fileURLToPath(new URL('../../../shared/documents', import.meta.url));

testWith(shared)('every document is served as one that the mock can serve', async (t) => {
  for (const file of findDocuments(shared)) {
    const { contract } = await loadContract({ document: file, allowReference: [shared] });
    const [entry] = contract.document.entries;
    if (entry === undefined) continue;
    const served = bundle(contract.document, entry, 'http://localhost:4010');
    const again = (await loadContract({ document: served })).contract;
    const idsOf = ({ operations }: typeof contract) => operations.map(({ id }) => id);
    t.deepEqual(idsOf(again), idsOf(contract), file);
    t.deepEqual(
      [...findErrors(again)].map(({ message }) => message),
      [...findErrors(contract)].map(({ message }) => message),
      file,
    );
    const outward = [...referencesIn(served)].filter((one) => !one.startsWith('#'));
    t.deepEqual(outward, [], file);
  }
});
