import test from 'ava';
import validator from 'swagger-mock-validator';
import { createMock } from '../../src/index.ts';

const Plant = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    tag: { type: 'string' },
  },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const failed = { description: 'No', ...json({ type: 'object', properties: { message: {} } }) };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const tag = { name: 'tag', in: 'query', schema: { type: 'string' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Plants', version: '1' },
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/plants': {
      get: {
        operationId: 'listPlants',
        security: [],
        parameters: [tag],
        responses: { 200: { description: 'All', ...json({ type: 'array', items: Plant }) } },
      },
      post: {
        operationId: 'createPlant',
        security: [],
        requestBody: { required: true, ...json(Plant) },
        responses: { 201: { description: 'Done', ...json(Plant) }, 422: failed, 503: failed },
      },
    },
    '/plants/{id}': {
      get: {
        operationId: 'getPlant',
        security: [],
        parameters: [id],
        responses: { 200: { description: 'One', ...json(Plant) }, 404: failed },
      },
    },
  },
};

interface Pact {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions: readonly { readonly description: string; readonly request: object }[];
}

async function consume() {
  const mock = await createMock({ document, emptyState: 'nothing', seed: 1 });
  const session = mock.session();
  const create = (body: unknown) =>
    session.fetch('/plants', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret' },
      body: JSON.stringify(body),
    });
  for (const body of [{ name: 'Fern' }, { name: 'Ivy' }, { name: 'Ivy', tag: 'climber' }]) {
    await create(body);
  }
  await create({ name: 7 });
  await session.operation('createPlant').failNext(503);
  await create({ name: 'Fern' });
  await session.operation('createPlant').failNext(504);
  await create({ name: 'Fern' });
  await session.fetch('/plants?tag=climber');
  await session.fetch('/plants/1');
  await session.fetch('/plants/99');
  await session.fetch('/nowhere');
  return session;
}

test('a pact has an interaction for each operation, status and shape, and no mistakes', async (t) => {
  const pact = (await (await consume()).pact('web')) as Pact;
  t.deepEqual([pact.consumer, pact.provider], [{ name: 'web' }, { name: 'Plants' }]);
  t.deepEqual(
    pact.interactions.map(({ description }) => description),
    [
      'listPlants responds with 200',
      'createPlant responds with 201',
      'createPlant responds with 201 (2)',
      'createPlant responds with 503',
      'getPlant responds with 200',
      'getPlant responds with 404',
    ],
  );
  t.deepEqual(pact.interactions[0]?.request, {
    method: 'GET',
    path: '/plants',
    query: { tag: ['climber'] },
  });
  t.false(JSON.stringify(pact).includes('secret'));
});

interface Source {
  readonly content: string;
  readonly format: 'auto-detect';
  readonly pathOrUrl: string;
}

/** The validator as its version 12 is; its types are those of an earlier one. */
const { validate } = validator as unknown as {
  validate(sources: { readonly spec: Source; readonly mock: Source }): Promise<{
    readonly success: boolean;
    readonly errors: readonly unknown[];
  }>;
};

function sourceOf(pathOrUrl: string, content: string): Source {
  return { content, format: 'auto-detect', pathOrUrl };
}

test('a public validator finds that a pact fits the document', async (t) => {
  const content = JSON.stringify(await (await consume()).pact('web'));
  const spec = sourceOf('api.json', JSON.stringify(document));
  const { errors } = await validate({ spec, mock: sourceOf('pact.json', content) });
  t.deepEqual(errors, []);
  // It does find what does not fit.
  const wrong = content.replaceAll('"name":"Ivy"', '"name":7');
  const found = await validate({ spec, mock: sourceOf('pact.json', wrong) });
  t.false(found.success);
});
