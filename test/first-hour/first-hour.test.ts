import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { createMock } from '../../src/index.ts';
import { browser, runInPage } from '../support/browser.ts';
import { testWith } from '../support/needs.ts';
import { run, startCommand } from '../support/program.ts';
import {
  type Service,
  type WalkedCollection,
  walkCollection,
  walkShop,
  walkTracker,
} from './walks.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const shared = fileURLToPath(new URL('../../../shared/documents/', import.meta.url));

const walks = { walkShop, walkTracker, walkCollection };

/** A walk through a document by a front end, and what it sees where all is as a user expects. */
interface FirstHour {
  readonly document: string;
  readonly walk: keyof typeof walks;
  readonly setup?: WalkedCollection;
  readonly seen: Readonly<Record<string, unknown>>;
}

const collection = (
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  'the list has items': true,
  'the list is the same when read again': true,
  'each listed item opens as it was listed': true,
  'a created one': 201,
  'it opens as it was answered': true,
  'it has what was sent': true,
  'a changed one has the change': 'Another name',
  'the list has it beside the others': 1,
  'creating it while the service fails twice': [503, 503, 201],
  'a deleted one is gone': 404,
  ...changes,
});

const hours: Readonly<Record<string, FirstHour>> = {
  'a bookshop': {
    document: `${root}spec/bookshop.openapi.yaml`,
    walk: 'walkShop',
    seen: {
      'without a login': 401,
      'the login': 200,
      'the caller has the email of the login': true,
      'the list has books': true,
      'the list is the same when read again': true,
      'the list counts its books': true,
      'a listed book opens as it was listed': true,
      'the second page has the third book': true,
      'a created book': 201,
      'a created book reads as it was answered': true,
      'a changed book keeps its title': true,
      'the list has the created book too': true,
      'a review belongs to its book': true,
      'a new book has only its own reviews': true,
      'an uploaded cover': 204,
      'the cover comes back': 'image/png',
      'a new order is': 'open',
      'a paid order is': 'paid',
      'an order that is paid twice': 409,
      'the paid orders have the order': true,
      'a wrong book': 400,
      'a wrong book names its fields': ['body/author', 'body/price', 'body/title'],
      'an unknown book': 404,
      'an order while the shop fails twice': [503, 503, 201],
      'a deleted book': [204, 404],
    },
  },
  'a ticket tracker': {
    document: fileURLToPath(new URL('tracker.yaml', import.meta.url)),
    walk: 'walkTracker',
    seen: {
      'there are projects': true,
      'a project has tickets': true,
      'the tickets are the same when read again': true,
      'a listed ticket opens as it was listed': true,
      'a created ticket': 201,
      'a created ticket opens under its number': true,
      'a new ticket is': 'open',
      'a changed ticket': ['The door does not close', 'sam', ['hardware', 'urgent']],
      'a started ticket is': 'in_progress',
      'the comments': ['I look at it.', 'Thanks.'],
      'a reply names its comment': true,
      'an uploaded file': [201, 'door.txt', 12],
      'the attachments': true,
      'the file comes back': 'a photograph',
      'a closed ticket is': 'closed',
      'a wrong ticket': [422, ['body/title']],
      'an unknown ticket': 404,
      'a comment while the tracker limits': [429, 201],
      'a deleted ticket': [204, 404],
    },
  },
  'the planets of Scalar': {
    document: `${shared}scalar-galaxy/dist/3.1.json`,
    walk: 'walkCollection',
    setup: {
      list: '/planets',
      create: '/planets',
      item: '/planets',
      key: 'id',
      wrapped: 'data',
      body: { name: 'Vulcan' },
      member: 'name',
      change: { method: 'PUT' },
      createId: 'createPlanet',
      headers: { authorization: 'Bearer token' },
    },
    seen: collection(),
  },
  'the museum of Redocly': {
    document: `${shared}redocly-museum/openapi.yaml`,
    walk: 'walkCollection',
    setup: {
      list: '/special-events?limit=30',
      create: '/special-events',
      item: '/special-events',
      key: 'eventId',
      body: {
        name: 'Night of the lamps',
        location: 'The hall',
        eventDescription: 'Lamps of three centuries.',
        dates: ['2030-01-02'],
        price: 12,
      },
      member: 'name',
      createId: 'createSpecialEvent',
      headers: { authorization: `Basic ${btoa('user:password')}` },
    },
    seen: collection(),
  },
  'the pets of Swagger': {
    document: `${shared}swagger-petstore/openapi.yaml`,
    walk: 'walkCollection',
    setup: {
      list: '/pet/findByStatus?status=available',
      create: '/pet',
      item: '/pet',
      key: 'id',
      body: { name: 'Bramble', photoUrls: [], status: 'available' },
      member: 'name',
      change: { method: 'PUT', path: '/pet' },
      createId: 'addPet',
      headers: { authorization: 'Bearer token', api_key: 'key' },
    },
    seen: collection({
      'a created one': 200,
      'creating it while the service fails twice': [503, 503, 200],
    }),
  },
};

for (const [name, hour] of Object.entries(hours)) {
  const declare = testWith(hour.document);
  declare(`${name} works without configuration, in process`, async (t) => {
    const mock = await createMock({ document: hour.document });
    const { fetch } = mock.session();
    t.deepEqual(await walk({ url: '', fetch }, hour), hour.seen);
  });

  declare(`${name} works without configuration, over the network`, async (t) => {
    const url = await listen(t, hour);
    t.deepEqual(await walk({ url, fetch }, hour), hour.seen);
  });

  testWith(browser, declare)(`${name} works without configuration, in a browser`, async (t) => {
    t.timeout(120_000);
    const url = await listen(t, hour);
    const text = await readFile(new URL('walks.mjs', import.meta.url), 'utf8');
    const client = `{ url: ${JSON.stringify(url)}, fetch: (...input) => fetch(...input) }`;
    const script = `${text.replaceAll('export ', '')}
      return ${hour.walk}(${client}, ${JSON.stringify(hour.setup)});`;
    t.deepEqual(await runInPage(t, script), hour.seen);
  });
}

test('a bookshop works without configuration, for a typed client', async (t) => {
  const types = await run(t, ['types', `${root}spec/bookshop.openapi.yaml`]);
  const checked = await readFile(new URL('bookshop.d.ts', import.meta.url), 'utf8');
  t.is(types.stdout, checked, 'the client is compiled with the types of the document');
  const client = fileURLToPath(new URL('typed-client.ts', import.meta.url));
  t.like(await startCommand(t, `${root}node_modules/.bin/tsx`, [client], { folder: root }).ended, {
    code: 0,
    stderr: '',
  });
});

function walk(service: Service, { walk: name, setup }: FirstHour): Promise<unknown> {
  if (name !== 'walkCollection') return walks[name](service);
  if (setup === undefined) throw new Error('a collection needs its paths');
  return walkCollection(service, setup);
}

/** Lets a mock listen, and returns the URL of a session. */
async function listen(t: ExecutionContext, { document }: FirstHour): Promise<string> {
  const mock = await createMock({ document });
  t.teardown(() => mock.close());
  await mock.listen({ port: 0 });
  return mock.session().url ?? '';
}
