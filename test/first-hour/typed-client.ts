// A typed client of the bookshop: list, open, create, act, fail, retry.

import assert from 'node:assert/strict';
import { createMock } from 'coldframe';
import type { Book, BookPage, Bookshop, Order } from './bookshop.d.ts';

const mock = await createMock<Bookshop>({ document: 'spec/bookshop.openapi.yaml' });
const session = mock.session();

async function send<Body>(method: string, path: string, body?: unknown): Promise<[number, Body]> {
  const response = await session.fetch(path, {
    method,
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return [response.status, (await response.json()) as Body];
}

const [, page] = await send<BookPage>('GET', '/books');
const [first] = page.data;
assert.ok(first);
assert.deepEqual((await send<Book>('GET', `/books/${first.id}`))[1], first);

const given = { title: 'A Field Guide', author: 'A. Green', price: 12.5 };
const [, book] = await send<Book>('POST', '/books', given);
assert.deepEqual(await session.state.books.get(book.id), book);

await session.createOrder.failNext(503, { times: 2 });
const order = { items: [{ bookId: book.id, quantity: 1 }] };
const tries = [];
for (let attempt = 1; attempt <= 3; attempt++) {
  const [status, body] = await send<Order>('POST', '/orders', order);
  tries.push(status === 201 ? body.status : status);
}
assert.deepEqual(tries, [503, 503, 'open']);
await session.createOrder.verify({ exactly: 3 });

const orders = await session.state.orders.all();
const made = orders.find(({ items }) => items[0]?.bookId === book.id);
assert.ok(made);
assert.equal((await send<Order>('POST', `/orders/${made.id}/pay`))[1].status, 'paid');
assert.equal((await session.state.orders.get(made.id))?.status, 'paid');

// @ts-expect-error: no operation of the bookshop has this name.
const wrong = session.createBok;
assert.ok(wrong);
