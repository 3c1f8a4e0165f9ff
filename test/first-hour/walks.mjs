// The walks run in Node and in a browser, so they are plain JavaScript in one file.

/**
 * Walks through the bookshop as its front end does, and returns what it saw.
 */
export async function walkShop({ url, fetch }) {
  let token = '';
  const send = async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const untilSent = async (method, path, body) => {
    const statuses = [];
    for (let attempt = 1; attempt <= 5; attempt++) {
      const { status } = await send(method, path, body);
      statuses.push(status);
      if (status < 500) break;
    }
    return statuses;
  };

  const withoutLogin = await send('GET', '/me');
  const login = await send('POST', '/auth/login', {
    email: 'ada@example.com',
    password: 'secret-enough',
  });
  token = login.body.accessToken;
  const me = await send('GET', '/me');

  const list = await send('GET', '/books');
  const again = await send('GET', '/books');
  const listed = list.body.data[0];
  const opened = await send('GET', `/books/${listed.id}`);
  const secondPage = await send('GET', '/books?page=2&perPage=2');

  const created = await send('POST', '/books', {
    title: 'A Field Guide',
    author: 'A. Green',
    price: 12.5,
  });
  const book = created.body;
  const read = await send('GET', `/books/${book.id}`);
  const changed = await send('PATCH', `/books/${book.id}`, { price: 9.75 });
  const listAfter = await send('GET', '/books?perPage=100');

  const review = await send('POST', `/books/${book.id}/reviews`, { rating: 5, text: 'Good.' });
  const reviews = await send('GET', `/books/${book.id}/reviews`);

  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const upload = await fetch(`${url}/books/${book.id}/cover`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
    body: png,
  });
  const cover = await fetch(`${url}/books/${book.id}/cover`);
  const coverBytes = [...new Uint8Array(await cover.arrayBuffer())];

  const ordered = await send('POST', '/orders', { items: [{ bookId: book.id, quantity: 2 }] });
  const order = ordered.body;
  const paid = await send('POST', `/orders/${order.id}/pay`);
  const paidTwice = await send('POST', `/orders/${order.id}/pay`);
  const paidOrders = await send('GET', '/orders?status=paid');

  const wrong = await send('POST', '/books', { title: '', price: -1 });
  const unknown = await send('GET', '/books/00000000-0000-4000-8000-000000000000');

  await fetch(`${url}/__admin/fail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationId: 'createOrder', status: 503, times: 2 }),
  });
  const retried = await untilSent('POST', '/orders', { items: [{ bookId: book.id, quantity: 1 }] });

  const deleted = await send('DELETE', `/books/${book.id}`);
  const gone = await send('GET', `/books/${book.id}`);

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  return {
    'without a login': withoutLogin.status,
    'the login': login.status,
    'the caller has the email of the login': me.body.email === 'ada@example.com',
    'the list has books': list.body.data.length > 0,
    'the list is the same when read again': same(list.body, again.body),
    'the list counts its books': list.body.total === list.body.data.length,
    'a listed book opens as it was listed': same(opened.body, listed),
    'the second page has the third book': same(secondPage.body.data[0], list.body.data[2]),
    'a created book': created.status,
    'a created book reads as it was answered': same(read.body, book),
    'a changed book keeps its title':
      changed.body.title === 'A Field Guide' && changed.body.price === 9.75,
    'the list has the created book too':
      listAfter.body.total === list.body.total + 1 &&
      listAfter.body.data.some(({ id }) => id === book.id),
    'a review belongs to its book': review.body.bookId === book.id,
    'a new book has only its own reviews': same(reviews.body, [review.body]),
    'an uploaded cover': upload.status,
    'the cover comes back': same(coverBytes, [...png]) && cover.headers.get('content-type'),
    'a new order is': order.status,
    'a paid order is': paid.body.status,
    'an order that is paid twice': paidTwice.status,
    'the paid orders have the order':
      paidOrders.body.orders.some((one) => same(one, paid.body)) &&
      paidOrders.body.orders.every(({ status }) => status === 'paid') &&
      paidOrders.body.total === paidOrders.body.orders.length,
    'a wrong book': wrong.status,
    'a wrong book names its fields': (wrong.body.details ?? []).map(({ field }) => field).sort(),
    'an unknown book': unknown.status,
    'an order while the shop fails twice': retried,
    'a deleted book': [deleted.status, gone.status],
  };
}
/**
 * Walks through the ticket tracker as its front end does, and returns what it saw.
 */
export async function walkTracker({ url, fetch }) {
  const send = async (method, path, body, type = 'application/json') => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-api-key': 'key',
        ...(body !== undefined && !isForm && { 'content-type': type }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  const projects = await send('GET', '/projects');
  const key = projects.body[0].key;
  const tickets = await send('GET', `/projects/${key}/tickets`);
  const again = await send('GET', `/projects/${key}/tickets`);
  const first = tickets.body.items[0];
  const opened = await send('GET', `/tickets/${first.number}`);

  const created = await send('POST', `/projects/${key}/tickets`, {
    title: 'The door does not close',
    labels: ['hardware'],
  });
  const ticket = created.body;
  const path = `/tickets/${ticket.number}`;
  const read = await send('GET', path);
  const merge = 'application/merge-patch+json';
  const assigned = await send(
    'PATCH',
    path,
    { assignee: 'sam', labels: ['hardware', 'urgent'] },
    merge,
  );
  const started = await send('POST', `${path}/start`);

  const comment = await send('POST', `${path}/comments`, { body: 'I look at it.' });
  const reply = await send('POST', `${path}/comments`, {
    body: 'Thanks.',
    replyTo: comment.body.id,
  });
  const comments = await send('GET', `${path}/comments`);

  const form = new FormData();
  form.append('file', new Blob(['a photograph'], { type: 'text/plain' }), 'door.txt');
  form.append('caption', 'The door');
  const uploaded = await send('POST', `${path}/attachments`, form);
  const attachments = await send('GET', `${path}/attachments`);
  const downloaded = await send('GET', `${path}/attachments/${uploaded.body.id}`);

  const closed = await send('POST', `${path}/close`, { resolution: 'mended' });
  const wrong = await send('POST', `/projects/${key}/tickets`, { title: '' });
  const unknown = await send('GET', '/tickets/999999');

  await fetch(`${url}/__admin/fail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationId: 'addComment', status: 429, times: 1 }),
  });
  const limited = await send('POST', `${path}/comments`, { body: 'Is it done?' });
  const retried = await send('POST', `${path}/comments`, { body: 'Is it done?' });
  const deleted = await send('DELETE', path);
  const gone = await send('GET', path);

  return {
    'there are projects': projects.body.length > 0,
    'a project has tickets': tickets.body.items.length > 0,
    'the tickets are the same when read again': same(tickets.body, again.body),
    'a listed ticket opens as it was listed': same(opened.body, first),
    'a created ticket': created.status,
    'a created ticket opens under its number': same(read.body, ticket),
    'a new ticket is': ticket.state,
    'a changed ticket': [assigned.body.title, assigned.body.assignee, assigned.body.labels],
    'a started ticket is': started.body.state,
    'the comments': comments.body.map(({ body }) => body),
    'a reply names its comment': reply.body.replyTo === comment.body.id,
    'an uploaded file': [uploaded.status, uploaded.body.filename, uploaded.body.size],
    'the attachments': same(attachments.body, [uploaded.body]),
    'the file comes back': downloaded.body,
    'a closed ticket is': closed.body.state,
    'a wrong ticket': [wrong.status, wrong.body.errors?.map(({ pointer }) => pointer)],
    'an unknown ticket': unknown.status,
    'a comment while the tracker limits': [limited.status, retried.status],
    'a deleted ticket': [deleted.status, gone.status],
  };
}
/**
 * Walks through a collection as a front end does: list, open, create, change, fail, retry, delete.
 * Returns what it saw.
 */
export async function walkCollection({ url, fetch }, collection) {
  const { list, create, item, key, body, member, wrapped, change, createId, headers } = collection;
  const send = async (method, path, content) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(content && { 'content-type': 'application/json' }) },
      ...(content && { body: JSON.stringify(content) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const itemsOf = (answer) => (wrapped === undefined ? answer.body : answer.body[wrapped]);
  const pathOf = (resource) => `${item}/${resource[key]}`;

  const listed = await send('GET', list);
  const again = await send('GET', list);
  const opened = await Promise.all(
    itemsOf(listed).map((resource) => send('GET', pathOf(resource))),
  );

  const created = await send('POST', create, body);
  const read = await send('GET', pathOf(created.body));
  const changed = await send(change?.method ?? 'PATCH', change?.path ?? pathOf(created.body), {
    ...(change && { ...body, [key]: created.body[key] }),
    [member]: 'Another name',
  });
  const readAgain = await send('GET', pathOf(created.body));
  const listedAgain = await send('GET', list);

  await fetch(`${url}/__admin/fail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operationId: createId, status: 503, times: 2 }),
  });
  const tries = [];
  for (let attempt = 1; attempt <= 3; attempt++)
    tries.push((await send('POST', create, body)).status);

  const deleted = await send('DELETE', pathOf(created.body));
  const gone = await send('GET', pathOf(created.body));
  return {
    'the list has items': itemsOf(listed).length > 0,
    'the list is the same when read again': same(listed.body, again.body),
    'each listed item opens as it was listed': opened.every(
      (answer, index) => answer.status === 200 && same(answer.body, itemsOf(listed)[index]),
    ),
    'a created one': created.status,
    'it opens as it was answered': same(read.body, created.body),
    'it has what was sent': read.body[member] === body[member],
    'a changed one has the change': changed.status < 300 && readAgain.body[member],
    'the list has it beside the others': itemsOf(listedAgain).length - itemsOf(listed).length,
    'creating it while the service fails twice': tries,
    'a deleted one is gone': deleted.status < 300 && gone.status,
  };
}
