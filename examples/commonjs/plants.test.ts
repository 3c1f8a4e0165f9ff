import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMock, type Mock } from 'coldframe';
import { createServer } from './server';

let mock: Mock;
beforeAll(async () => {
  mock = await createMock();
});
afterAll(() => mock.close());

const fern = { id: 1, name: 'Fern' };
const create = {
  method: 'POST',
  headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
  body: JSON.stringify(fern),
};

test('a create fails once, and then the plant is stored', async () => {
  const session = mock.session();
  await session.operation('createPlant').failNext(503);
  expect((await session.fetch('/plants', create)).status).toBe(503);
  expect((await session.fetch('/plants', create)).status).toBe(200);
  expect(await session.state['plants']?.all()).toStrictEqual([fern]);
});

test('Express serves the pages, and the mock the API', async () => {
  const server = createServer(mock).listen(0);
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  expect(await (await fetch(url)).text()).toContain('Plants');
  const created = await fetch(`${url}/api/plants`, create);
  expect(await created.json()).toEqual({ name: 'Fern' });
  expect((await fetch(`${url}/api/nowhere`)).status).toBe(404);
  server.close();
});
