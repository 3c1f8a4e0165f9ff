import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import test, { type ExecutionContext } from 'ava';
import OpenAI from 'openai';
import type { JsonObject } from '../../src/base/json/value.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { parseDocument } from '../support/documents.ts';
import { openForJudging } from '../support/judges.ts';

const document = new URL('assistant.openapi.yaml', import.meta.url);

/** Both clients see the same values for the same seed, with and without a stream. */
const headers = { prefer: 'seed=7' };

async function start(t: ExecutionContext): Promise<{ mock: Mock; url: string }> {
  const mock = await createMock({ document: document.pathname, mode: 'example' });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0 });
  return { mock, url };
}

async function startOpenAI(t: ExecutionContext) {
  const { mock, url } = await start(t);
  return { mock, client: new OpenAI({ baseURL: url, apiKey: 'My API Key', maxRetries: 0 }) };
}

const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] };
const question = { model: 'm', input: 'Hi' };

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function textOf({ choices }: OpenAI.ChatCompletion): string {
  return choices[0]?.message.content ?? '';
}

test('the client of OpenAI adds chunks up to the completion without a stream', async (t) => {
  const { client } = await startOpenAI(t);
  const whole = await client.chat.completions.create(chat, { headers });
  const stream = await client.chat.completions.create({ ...chat, stream: true }, { headers });
  const chunks = await collect(stream);
  const ofFirst = chunks.flatMap(({ choices }) => choices.filter(({ index }) => index === 0));
  t.true(chunks.length > 3);
  t.is(ofFirst.map(({ delta }) => delta.content ?? '').join(''), textOf(whole));
  const final = await client.chat.completions.stream(chat, { headers }).finalChatCompletion();
  t.is(final.id, whole.id);
  t.is(final.choices.length, whole.choices.length);
  for (const [index, { message, finish_reason }] of whole.choices.entries()) {
    t.is(final.choices[index]?.message.content, message.content);
    t.is(final.choices[index]?.message.role, message.role);
    t.is(final.choices[index]?.finish_reason, finish_reason);
  }
});

test('the client of OpenAI builds the response from its events', async (t) => {
  const { client } = await startOpenAI(t);
  const whole = await client.responses.create(question, { headers });
  const stream = await client.responses.create({ ...question, stream: true }, { headers });
  const events = await collect(stream);
  t.is(events[0]?.type, 'response.created');
  t.is(events.at(-1)?.type, 'response.completed');
  t.deepEqual(
    events.map((event) => event.sequence_number),
    events.map((_, index) => index),
  );
  const final = await client.responses.stream(question, { headers }).finalResponse();
  t.is(final.id, whole.id);
  t.is(final.output_text, whole.output_text);
  t.not(final.output_text, '');
});

test('the client of Anthropic builds the message from its events', async (t) => {
  const { url } = await start(t);
  const client = new Anthropic({ baseURL: url, apiKey: 'key', maxRetries: 0 });
  const wanted = { ...chat, max_tokens: 100 };
  const whole = await client.messages.create(wanted, { headers });
  const final = await client.messages.stream(wanted, { headers }).finalMessage();
  t.like({ ...final }, { ...whole });
  const events = await collect(await client.messages.create({ ...wanted, stream: true }));
  t.is(events[0]?.type, 'message_start');
  t.is(events.at(-1)?.type, 'message_stop');
});

test('the client of OpenAI sees the reset of a stream at its third item', async (t) => {
  const { mock, client } = await startOpenAI(t);
  await mock.session('reset').fixtures.add({
    name: 'reset',
    answer: { itemFault: { item: 3, type: 'CONNECTION_RESET_BY_PEER' } },
  });
  const session = { headers: { ...headers, 'mock-session': 'reset' } };
  const stream = await client.chat.completions.create({ ...chat, stream: true }, session);
  const chunks: unknown[] = [];
  await t.throwsAsync(async () => {
    for await (const chunk of stream) chunks.push(chunk);
  });
  t.is(chunks.length, 2);
});

/** A document with what the overlays add to: an answer at each path, and the schemas that they name. */
function documentWith(paths: readonly string[], schemas: JsonObject): JsonObject {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const stream = { type: 'object', properties: { stream: { type: 'boolean' } } };
  const post = {
    requestBody: { content: { 'application/json': { schema: stream } } },
    responses: { '200': { description: 'OK', content } },
  };
  const all = Object.fromEntries(
    paths.map((path) => [
      path,
      { parameters: parametersOf(path), post: { ...post, operationId: path } },
    ]),
  );
  const info = { title: 'An assistant', version: '1' };
  return { openapi: '3.1.0', info, paths: all, components: { schemas } };
}

function parametersOf(path: string): JsonObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

const event = { type: 'object', properties: { event: { type: 'string' }, data: {}, enabled: {} } };
const overlays = {
  'openai.yaml': documentWith(['/completions', '/threads/runs', '/threads/{thread_id}/runs'], {
    CreateCompletionResponse: { type: 'object' },
    AssistantStreamEvent: { $ref: '#/components/schemas/ThreadStreamEvent' },
    ThreadStreamEvent: { oneOf: [event] },
    Response: { allOf: [{}, {}, { properties: { output_text: { type: 'string' } } }] },
  }),
  'anthropic.yaml': documentWith(['/v1/messages', '/v1/complete'], {
    MessageStreamEvent: { type: 'object' },
    CompletionResponse: { type: 'object' },
  }),
};

for (const [name, described] of Object.entries(overlays)) {
  test(`the overlay ${name} is short, and adds streams to what JSON alone answers`, async (t) => {
    const file = fileURLToPath(new URL(`../../examples/overlays/${name}`, import.meta.url));
    t.true((await readFile(file, 'utf8')).trim().split('\n').length <= 30);
    const mock = await createMock({ document: described, overlay: [file] });
    t.teardown(() => mock.close());
    for (const path of Object.keys(described['paths'] ?? {})) {
      const response = await mock.fetch(path.replace('{thread_id}', 'one'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"stream": true}',
      });
      t.is(response.headers.get('content-type'), 'text/event-stream', path);
    }
  });
}

test('a replay sends the same bytes as a slow and broken stream', async (t) => {
  const { mock } = await startOpenAI(t);
  const session = mock.session('replay');
  await session.fixtures.add({
    name: 'slow',
    // The values of the response are of the moment of its request, and not of its end.
    answer: { fixedDelayMilliseconds: 1200, itemFault: { item: 3, type: 'INVALID_JSON' } },
  });
  const create = (fields: Record<string, string> = {}) =>
    mock.fetch('/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'mock-session': 'replay', ...fields },
      body: JSON.stringify({ ...chat, stream: true }),
    });
  const first = await create();
  const again = await create({ 'mock-replay': first.headers.get('mock-replay') ?? '' });
  t.is(await again.text(), await first.text());
});

test('a client that leaves in the middle of a stream is in the journal', async (t) => {
  const { mock, client } = await startOpenAI(t);
  const session = mock.session('left');
  await session.fixtures.add({ name: 'slow', answer: { pace: { each: 60_000 } } });
  const stream = await client.chat.completions.create(
    { ...chat, stream: true },
    { headers: { ...headers, 'mock-session': 'left' } },
  );
  for await (const _ of stream) break;
  const inProcess = await mock.fetch('/chat/completions', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mock-session': 'left',
      authorization: 'Bearer key',
    },
    body: JSON.stringify({ ...chat, stream: true }),
  });
  const reader = inProcess.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const match = { operationId: 'createChatCompletion', stream: 'left' } as const;
  for (let tries = 0; tries < 100 && (await session.journal.count(match)) < 2; tries++)
    await sleep(20);
  await session.journal.verify({ ...match, exactly: 2 });
  for (const { answer } of await session.journal.find({ operationId: match.operationId })) {
    t.is(answer.stream?.end, 'left');
    t.is(answer.stream?.items.length, 1);
  }
});

test('the client of OpenAI sees an error event as its own error', async (t) => {
  const { mock, client } = await startOpenAI(t);
  await mock.session('error').fixtures.add({
    name: 'error',
    answer: { itemFault: { item: 2, type: 'ERROR_EVENT' } },
  });
  const session = { headers: { ...headers, 'mock-session': 'error' } };
  const stream = await client.chat.completions.create({ ...chat, stream: true }, session);
  await t.throwsAsync(collect(stream), { instanceOf: OpenAI.APIError });
});

const streams = [
  ['/chat/completions', chat, 'ChatCompletionChunk'],
  ['/responses', question, 'ResponseEvent'],
  ['/v1/messages', { ...chat, max_tokens: 10 }, 'MessageEvent'],
] as const;

test('every item of a stream is valid, as another validator says', async (t) => {
  const { mock } = await start(t);
  const parsed = parseDocument('assistant.yaml', await readFile(document, 'utf8'));
  const judgeOf = openForJudging(t, parsed.at('') ?? null);
  for (const [path, body, schema] of streams) {
    const isValid = await judgeOf(`/components/schemas/${schema}`);
    for (let seed = 1; seed <= 10; seed++) {
      const response = await mock.fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: `seed=${seed}` },
        body: JSON.stringify({ ...body, stream: true }),
      });
      const items = (await response.text())
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => JSON.parse(line.slice('data: '.length)) as JsonObject);
      t.true(items.length > 2, `${path}: ${items.length} items`);
      for (const item of items) t.true(isValid(item), `${path}: ${JSON.stringify(item)}`);
    }
  }
});
