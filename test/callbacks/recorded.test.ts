import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { createFolder } from '../support/folder.ts';
import { startReceiver } from '../support/receiver.ts';
import { startRedis } from '../support/redis-server.ts';

const document = `
openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders:
    get: { operationId: listOrders, responses: { "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } } } } } }
    post:
      operationId: order
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } }
      responses:
        "201": { description: Ordered, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      callbacks:
        changed:
          "{$request.query.tell}?from=shop":
            post:
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      required: [id, type, data]
                      properties:
                        id: { type: string, pattern: "^evt_[0-9]{6}$" }
                        type: { enum: [order.changed] }
                        orderId: { type: integer }
                        data: { type: object, properties: { order: { $ref: "#/components/schemas/Order" } }, required: [order] }
              responses: { "200": { description: Taken } }
        flat:
          "{$request.query.tell}":
            put:
              requestBody:
                content:
                  application/json:
                    example: { order_id: 99, status: delivered, item: cup, by: post }
              responses: { "200": { description: Taken } }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOrder, responses: { "200": { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } } }
    delete:
      operationId: cancel
      parameters: [{ name: tell, in: query, schema: { type: string } }]
      responses: { "204": { description: Gone } }
      callbacks:
        gone:
          "{$request.query.tell}":
            post:
              requestBody: { content: { application/json: { schema: { type: object, required: [orderId], properties: { orderId: { type: integer } } } } } }
              responses: { "200": { description: Taken } }
components:
  schemas:
    Order:
      type: object
      required: [id, item]
      properties:
        id: { type: integer, readOnly: true }
        item: { type: string }
        status: { enum: [open, shipped] }
        pin: { type: string, writeOnly: true }
webhooks:
  stockLow:
    post:
      requestBody:
        content: { application/json: { schema: { type: object, required: [item], properties: { item: { type: string } } } } }
      responses: { "200": { description: Taken } }
`;

async function openShop(t: ExecutionContext, options: MockOptions = {}): Promise<Mock> {
  const folder = await createFolder(t, { 'shop.yaml': document });
  const mock = await createMock({
    document: join(folder, 'shop.yaml'),
    ...options,
  });
  t.teardown(() => mock.close());
  return mock;
}

function ordering(url: string, item = 'bowl') {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item, pin: '1234' }),
  };
  return [`/orders?tell=${encodeURIComponent(url)}`, init] as const;
}

test('a callback shows the order that its request created', async (t) => {
  const receiver = await startReceiver(t);
  const mock = await openShop(t);
  const session = mock.session();
  const order = (await (await session.fetch(...ordering(receiver.url))).json()) as { id: number };
  const [changed, flat] = [await receiver.next(), await receiver.next()].sort((one) =>
    one.method === 'POST' ? -1 : 1,
  );
  const event = JSON.parse(changed?.body ?? '');
  t.regex(event.id, /^evt_/);
  t.is(event.orderId, order.id);
  t.deepEqual(event.data.order, await (await session.fetch(`/orders/${order.id}`)).json());
  t.false('pin' in event.data.order, 'responses do not show it');
  t.deepEqual(JSON.parse(flat?.body ?? ''), {
    order_id: order.id,
    status: 'delivered',
    item: 'bowl',
    by: 'post',
  });
});

test('a callback of a delete has the key of what was deleted', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  const { id } = (await (await session.fetch(...ordering(receiver.url))).json()) as { id: number };
  await receiver.next();
  await receiver.next();
  await session.fetch(`/orders/${id}?tell=${encodeURIComponent(receiver.url)}`, {
    method: 'DELETE',
  });
  t.deepEqual(JSON.parse((await receiver.next()).body), { orderId: id });
});

test('callbacks are in the journal, with their cause and the response of their receiver', async (t) => {
  const receiver = await startReceiver(t, 202);
  const session = (await openShop(t)).session();
  await session.fetch(...ordering(`${receiver.url}/hook?a=1`));
  const [sent] = await session.callbacks.waitFor('changed');
  t.like(sent, {
    callback: 'changed',
    cause: 1,
    operationId: 'order',
    source: 'callback',
    request: { method: 'POST', target: `${receiver.url}/hook?a=1&from=shop` },
    answer: { status: 202 },
  });
  t.like(sent?.body, { type: 'order.changed' });
  const all = await session.journal.list();
  t.deepEqual(
    all.map(({ callback }) => callback),
    [undefined, 'changed', 'flat'],
  );
  t.deepEqual((await session.journal.list({ callback: 'flat' })).length, 1);
});

test('callbacks do not count as requests of the client', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  await session.fetch(...ordering(receiver.url));
  await session.callbacks.waitFor('flat');
  await session.callbacks.waitFor('changed');
  await session.journal.verify({ exactly: 1 });
  await session.journal.verify({ operationId: 'order', exactly: 1 });
  await session.journal.verify({
    callback: 'changed',
    exactly: 1,
    body: { type: 'order.changed' },
  });
  await session.journal.verify({ callback: 'changed', operationId: 'order', exactly: 1 });
  await session.journal.verify({ inOrder: [{ operationId: 'order' }, { callback: 'flat' }] });
  t.deepEqual(await session.journal.unmatched(), []);
  const error = await t.throwsAsync(() => session.journal.verify({ callback: 'gone' }));
  t.is(error?.message, 'gone was expected at least once and never sent');
  const { requests } = (await (await session.fetch('/__admin/requests')).json()) as {
    requests: readonly { subEvents: readonly { type: string }[] }[];
  };
  t.is(requests.length, 1);
  t.deepEqual(
    requests[0]?.subEvents.map(({ type }) => type),
    ['WEBHOOK_REQUEST', 'WEBHOOK_RESPONSE', 'WEBHOOK_REQUEST', 'WEBHOOK_RESPONSE'],
  );
});

test('a callback that was not delivered is in the journal with its reason, and is not counted', async (t) => {
  const session = (await openShop(t)).session();
  await session.fetch(...ordering('http://receiver.test'));
  const error = await t.throwsAsync(() => session.callbacks.waitFor('changed', { within: 100 }));
  t.regex(
    error?.message ?? '',
    /#2 was not sent: callbacks may not go to receiver\.test: allow it with --callback-host/,
  );
  const [sent] = await session.journal.list({ callback: 'changed' });
  t.like(sent, {
    answer: { status: 0 },
    problem: { type: 'urn:coldframe:problem:CALLBACK_NOT_SENT' },
  });
});

test('a callback carries the session of its request', async (t) => {
  const receiver = await startReceiver(t);
  const mock = await openShop(t);
  const session = mock.session('test-7');
  await session.fetch(...ordering(receiver.url));
  t.like((await receiver.next()).headers, {
    'mock-session': 'test-7',
    baggage: 'mock-session=test-7',
  });
  await receiver.next();
  await mock.fetch(...ordering(receiver.url));
  t.is(
    (await receiver.next()).headers['mock-session'],
    undefined,
    'the default session has no name',
  );
});

test('numbers and random values of requests do not depend on callbacks', async (t) => {
  const receiver = await startReceiver(t);
  const numbers: unknown[] = [];
  for (const _ of [1, 2]) {
    const session = (await openShop(t)).session();
    const ids: unknown[] = [];
    for (const item of ['cup', 'bowl', 'pan']) {
      ids.push(
        (await session.fetch(...ordering(receiver.url, item))).headers.get('mock-request-id'),
      );
    }
    numbers.push(ids);
  }
  t.deepEqual(numbers[0], ['1', '4', '7']);
  t.deepEqual(numbers[1], numbers[0]);
});

test('a webhook is sent in a session, with a body that the document allows', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session('test-8');
  const sent = await session.callbacks.send('stockLow', receiver.url, { body: { item: 'cup' } });
  t.is(sent.response.status, 204);
  t.like(await receiver.next(), { body: '{"item":"cup"}', headers: { 'mock-session': 'test-8' } });
  t.like(await session.journal.get(sent.number), { callback: 'stockLow', body: { item: 'cup' } });
  await t.throwsAsync(
    () => session.callbacks.send('stockLow', receiver.url, { body: { item: 7 } }),
    {
      message:
        /does not allow this body of stockLow: .*item must be a string.*offContract: true allows it/,
    },
  );
  await session.callbacks.send('stockLow', receiver.url, { body: { item: 7 }, offContract: true });
  t.is((await receiver.next()).body, '{"item":7}');
  await t.throwsAsync(() => session.callbacks.send('stockLo', receiver.url), {
    message: /did you mean stockLow\?/,
  });
  await t.throwsAsync(() => session.callbacks.send('stockLow', 'http://receiver.test'), {
    message: /--callback-host receiver\.test/,
  });
});

test('a callback can be sent by hand too', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  await session.callbacks.send('gone', receiver.url);
  t.is(typeof JSON.parse((await receiver.next()).body).orderId, 'number');
});

test('the event stream has callbacks as events of their own', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  const stream = await session.fetch('/__admin/events?event=callback');
  const reader = stream.body?.getReader();
  await session.callbacks.send('stockLow', receiver.url);
  let text = '';
  while (!text.includes('event: callback')) {
    const { value = new Uint8Array() } = (await reader?.read()) ?? {};
    text += Buffer.from(value).toString();
  }
  await reader?.cancel();
  t.regex(text, /event: callback\ndata: .*"callback":"stockLow"/);
});

test('replicas share the callbacks in the journal', async (t) => {
  const receiver = await startReceiver(t);
  const store = (await startRedis(t)).url;
  const [one, other] = [await openShop(t, { store }), await openShop(t, { store })];
  await one.session('test-9').fetch(...ordering(receiver.url));
  const session = other.session('test-9');
  t.like((await session.callbacks.waitFor('changed'))[0], { number: 2, cause: 1 });
  await session.callbacks.waitFor('flat');
  await session.callbacks.send('stockLow', receiver.url);
  t.deepEqual(
    (await one.session('test-9').journal.list()).map(({ number, callback }) => [number, callback]),
    [
      [1, undefined],
      [2, 'changed'],
      [3, 'flat'],
      [4, 'stockLow'],
    ],
  );
});

test('a rule delays, repeats or drops a callback, and changes its body', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  await session.fixtures.add({
    name: 'twice',
    match: { callback: 'changed', body: { type: 'order.changed' } },
    times: 1,
    answer: { deliveries: 2, fixedDelayMilliseconds: 60, headers: { 'X-Try': 'yes' } },
  });
  await session.fixtures.add({
    name: 'lost',
    match: { callback: 'flat', operationId: 'order' },
    answer: { deliveries: 0 },
  });
  await session.fetch(...ordering(receiver.url));
  const [one, two] = await session.callbacks.waitFor('changed', { times: 2 });
  t.like(one, {
    rules: ['twice'],
    delayMilliseconds: 60,
    request: { headers: { 'x-try': 'yes' } },
  });
  t.deepEqual(one?.body, two?.body);
  t.is(receiver.waiting, 2);
  const [lost] = await session.journal.list({ callback: 'flat' });
  t.like(lost, { rules: ['lost'], problem: { detail: 'the rule lost drops it' } });
  await session.fetch(...ordering(receiver.url));
  await session.callbacks.waitFor('changed', { times: 3 });
  t.is((await session.journal.find({ callback: 'changed' })).length, 3, 'once again');
});

test('the body that a rule gives a callback is one that the document allows', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  const rule = {
    name: 'odd',
    match: { callback: 'stockLow' },
    answer: { deliveries: 1, body: { item: 7 } },
  };
  await t.throwsAsync(() => session.fixtures.add(rule), {
    message: /the body breaks the contract of the callback stockLow: .*offContract: true/,
  });
  await session.fixtures.add({ ...rule, answer: { ...rule.answer, offContract: true } });
  await session.callbacks.send('stockLow', receiver.url);
  t.is((await receiver.next()).body, '{"item":7}');
  for (const [match, answer, message] of [
    [{ callback: 'stockLow' }, { status: 503 }, /a callback has no status/],
    [{ callback: 'stock' }, { deliveries: 0 }, /no callback or webhook "stock".*It has stockLow/],
    [{ operationId: 'order' }, { fail: 503, deliveries: 0 }, /only callbacks have deliveries/],
  ] as const) {
    await t.throwsAsync(() => session.fixtures.add({ name: 'wrong', match, answer }), { message });
  }
});

test('a rule of callbacks does not act on requests, nor the other way round', async (t) => {
  const receiver = await startReceiver(t);
  const session = (await openShop(t)).session();
  await session.fixtures.add({
    name: 'none',
    match: { callback: 'gone' },
    answer: { deliveries: 0 },
  });
  await session.fixtures.add({ name: 'slow', answer: { fixedDelayMilliseconds: 1 } });
  await session.fetch(...ordering(receiver.url));
  const [sent] = await session.callbacks.waitFor('changed');
  t.deepEqual(sent?.rules, []);
  t.deepEqual((await session.journal.get(1)).rules, ['slow']);
});
