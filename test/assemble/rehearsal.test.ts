import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { type Loaded, load } from '../../src/assemble/load.ts';
import { readOptions } from '../../src/assemble/mock-interface.ts';
import { assemblePipeline, type Lasting, viewExchange } from '../../src/assemble/pipeline.ts';
import { Rehearsal } from '../../src/assemble/rehearsal.ts';
import { readBeginning } from '../../src/assemble/sessions.ts';
import { Sender } from '../../src/callbacks/sender.ts';
import { handle } from '../../src/handle.ts';
import { Fields } from '../../src/http/message.ts';
import type { Exchange } from '../../src/journal/exchange.ts';
import { ExchangeLog } from '../../src/journal/keep/exchange-log.ts';
import { JournalBudget } from '../../src/journal/keep/journal-budget.ts';
import { ReadyRequests } from '../../src/request/ready-request.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { UsedItems } from '../../src/session/used-items.ts';
import { MemoryStores } from '../../src/state/memory-stores.ts';
import { createFolder } from '../support/folder.ts';
import { publicDocuments, testWithPublicDocuments } from '../support/public-documents.ts';
import { startReceiver } from '../support/receiver.ts';
import { createStillClock } from '../support/still-clock.ts';

const specified = (name: string) =>
  fileURLToPath(new URL(`../../spec/${name}.openapi.yaml`, import.meta.url));

type Given = Parameters<typeof readOptions>[0];

/** Returns what a mock consists of, and what is seen of its requests. */
async function assemble(given: Given) {
  const { settings, clock, log } = readOptions({ ...given, clock: createStillClock() });
  const loaded = await load(settings);
  const seen: Exchange[] = [];
  const lines: string[] = [];
  const listen = (exchange: Exchange) => void seen.push(exchange);
  const lasting: Lasting = {
    settings,
    log: { ...log, info: (event) => lines.push(event), error: (event) => lines.push(event) },
    sender: new Sender(clock),
    listen,
    publish: listen,
    used: new UsedItems(),
    closed: new AbortController().signal,
  };
  const pipeline = assemblePipeline(loaded, lasting);
  const beginning = {
    ...readBeginning(settings, clock),
    fixtures: () => pipeline.fixtures,
    journal: {
      maximumExchanges: 100,
      maximumBytes: 1_000_000,
      maximumBodyLength: 1_000,
      budget: new JournalBudget(1_000_000),
      log: new ExchangeLog(),
      createView: (exchange: Exchange) => viewExchange(exchange, pipeline),
      redaction: () => pipeline.redaction,
      refuseAgain: () => undefined,
    },
  };
  const bounds = { maximum: 10, idleMilliseconds: 1_000_000 };
  const stores = new MemoryStores({ beginning: pipeline.beginning });
  const sessions = new LocalSessions(beginning, bounds, stores);
  const rehearse = async (given: Loaded = loaded): Promise<number> => {
    const rehearsal = new Rehearsal(given, lasting, beginning);
    let steps = 0;
    while (await rehearsal.next()) steps += 1;
    return steps;
  };
  return { loaded, lasting, pipeline, sessions, rehearse, seen, lines };
}

/** Sends a request to every operation, or every third of many, and returns all responses. */
async function callAll({ loaded, pipeline, sessions }: Awaited<ReturnType<typeof assemble>>) {
  const ready = new ReadyRequests(loaded.contract, []);
  const responses: string[] = [];
  const { operations } = loaded.contract;
  const step = operations.length > 100 ? 3 : 1;
  for (const operation of operations.filter((_, index) => index % step === 0)) {
    const one = ready.of(operation);
    if (one === undefined) continue;
    const { target, fields, body } = one;
    const { method } = operation;
    const request = { method, target, fields: new Fields(fields), rawBody: Buffer.from(body) };
    const { response } = await handle(pipeline, sessions, { id: undefined, request });
    responses.push(`${method} ${target} ${response.status}\n${String(response.body)}`);
  }
  return responses;
}

async function respondsAlike(t: ExecutionContext, document: string): Promise<void> {
  const [rehearsed, fresh] = [await assemble({ document }), await assemble({ document })];
  t.true((await rehearsed.rehearse()) > 0);
  t.deepEqual(await callAll(rehearsed), await callAll(fresh));
}

for (const name of ['bookshop', 'gardens', 'plant-store']) {
  test(`the responses of the ${name} are the same with and without a rehearsal`, (t) =>
    respondsAlike(t, specified(name)));
}

testWithPublicDocuments('responses of Stripe’s document are the same after a rehearsal', (t) =>
  respondsAlike(t, publicDocuments.stripe),
);

test('after a rehearsal, nothing is generated for the first list', async (t) => {
  const [rehearsed, fresh] = [
    await assemble({ document: specified('bookshop') }),
    await assemble({ document: specified('bookshop') }),
  ];
  t.true((await rehearsed.rehearse()) > 0);
  const generatedFor = async ({ loaded, pipeline, sessions }: typeof fresh) => {
    const { response: generator } = loaded.generators;
    const { generate } = generator;
    let generated = 0;
    generator.generate = (...given) => {
      generated += 1;
      return generate(...given);
    };
    const fields = new Fields({});
    const request = { method: 'GET', target: '/books', fields, rawBody: Buffer.alloc(0) };
    const { response } = await handle(pipeline, sessions, { id: undefined, request });
    t.is(response.status, 200);
    return generated;
  };
  t.true((await generatedFor(fresh)) > 0);
  t.is(await generatedFor(rehearsed), 0);
});

test('nobody sees the requests of a rehearsal', async (t) => {
  const { rehearse, pipeline, sessions, seen, lines } = await assemble({
    document: specified('bookshop'),
  });
  const session = await sessions.edit(undefined);
  const covered = pipeline.coverage.describe();
  t.true((await rehearse()) > 1);
  t.deepEqual([seen, lines, session.journal.size, session.calls], [[], [], 0, 0]);
  t.deepEqual(pipeline.coverage.describe(), covered);
});

test('a rehearsal makes none of the resources that sessions begin with', async (t) => {
  const { rehearse, loaded } = await assemble({ document: specified('bookshop') });
  let asked = 0;
  const beginning = () => {
    asked += 1;
    return loaded.beginning();
  };
  t.true((await rehearse({ ...loaded, beginning })) > 0);
  t.is(asked, 0);
});

test('a rehearsal sends no callbacks, and no rule delays or counts its requests', async (t) => {
  const receiver = await startReceiver(t);
  const match = { method: 'POST', path: '/pots' };
  const rule = { name: 'slow', match, answer: { fail: 503, fixedDelayMilliseconds: 3_600_000 } };
  const folder = await createFolder(t, { 'rules.json': JSON.stringify({ rules: [rule] }) });
  const url = { const: receiver.url };
  const schema = { type: 'object', required: ['url'], properties: { url } };
  const responses = { 204: { description: 'Done' } };
  const post = {
    requestBody: { required: true, content: { 'application/json': { schema } } },
    callbacks: { made: { '{$request.body#/url}': { post: { responses } } } },
    responses,
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Pots', version: '1' },
    paths: { '/pots': { post } },
  };
  const { rehearse, sessions, lasting } = await assemble({
    document,
    fixtures: [join(folder, 'rules.json')],
  });
  t.is(await rehearse(), 1);
  await lasting.sender.close();
  t.is(receiver.waiting, 0);
  const { fixtures } = await sessions.edit(undefined);
  t.true(fixtures.list().every(({ matched }) => matched === 0));
});
