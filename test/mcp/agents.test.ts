import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import test, { type ExecutionContext } from 'ava';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import { createPlant } from '../support/plants.ts';
import { program } from '../support/program.ts';

type Mode = 'legacy' | 'auto' | { readonly pin: string };

/** An agent that is connected, and closed with its test. */
async function connectAgent(t: ExecutionContext, transport: Transport, mode: Mode = 'legacy') {
  const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  t.teardown(() => client.close());
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return { isError: isError === true, text };
  };
  const read = async (name: string, input: Record<string, unknown> = {}) => {
    const { text, isError } = await use(name, input);
    t.false(isError, text);
    return JSON.parse(text);
  };
  return { client, use, read };
}

async function listen(t: ExecutionContext, options: MockOptions = {}) {
  const mock = await createMock({ port: 0, ...options });
  t.teardown(() => mock.close());
  const { url } = await mock.listen();
  return { mock, url };
}

const overHttp = (url: string, headers: Record<string, string> = {}) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });

const overStdio = (...words: readonly string[]) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...words],
    stderr: 'pipe',
  });

async function listSessions(mock: Mock): Promise<readonly string[]> {
  const response = await mock.fetch('/__admin/sessions');
  const { sessions } = (await response.json()) as { sessions: { id: string }[] };
  return sessions.map(({ id }) => id);
}

test('the description of a tool says that nothing changes where its annotation does', async (t) => {
  const { url } = await listen(t);
  const { client } = await connectAgent(t, overHttp(`${url}/__admin/mcp`));
  const { tools } = await client.listTools();
  for (const { name, description = '', annotations } of tools) {
    t.is(annotations?.readOnlyHint, /Changes nothing\./.test(description), name);
    t.is(annotations?.openWorldHint, false, name);
  }
  const lossy = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
  t.deepEqual(lossy.map(({ name }) => name).sort(), [
    'add_resources',
    'remove_rule',
    'reset_session',
    'seed_state',
    'send_request',
  ]);
});

test('an agent finds an operation, calls it, is refused and reads why', async (t) => {
  const { url } = await listen(t);
  const { read, use, client } = await connectAgent(t, overHttp(`${url}/__admin/mcp`));
  t.regex(client.getInstructions() ?? '', /session of your own/);
  const { operations, total, ...reached } = await read('list_operations', { search: 'PLANT' });
  t.is(total, 1);
  t.like(operations, [{ operationId: 'createPlant', method: 'POST', path: '/plants' }]);
  t.is((await read('list_operations', { search: 'tree' })).total, 0);
  const described = await read('describe_operation', { operationId: 'createPlant' });
  t.like(described, { does: 'create', resource: 'plants', document: { openapi: '3.1.0' } });
  t.deepEqual(described.document.servers, [{ url: reached.url }]);
  t.deepEqual(Object.keys(described.document.components.schemas).sort(), [
    'Error',
    'NewPlant',
    'Plant',
  ]);
  const request = await read('make_request', { operationId: 'createPlant' });
  t.like(await read('send_request', request), { status: 200, body: { name: request.body.name } });
  const wrong = await read('send_request', { ...request, body: { id: 1 } });
  t.is(wrong.status, 400);
  t.like(await read('explain_refusal'), {
    number: 2,
    status: 400,
    violations: [{ pointer: '/name', keyword: 'required' }],
  });
  t.like(await read('explain_refusal', { number: 1 }), { message: 'this request was not refused' });
  t.regex((await use('describe_operation', { operationId: 'createPlan' })).text, /did you mean/);
  const outside = await use('send_request', { method: 'GET', path: '/__session/other/plants' });
  t.true(outside.isError);
  t.is((await use('fail_next', { state: 503 })).text.replace(/^.*: /, ''), 'state is not allowed');
  // The code under test reaches the same session.
  const response = await fetch(`${reached.url}/plants`, createPlant({ id: 7, name: 'Fern' }));
  t.is(response.status, 200);
  t.like(await read('read_state', { collection: 'plants', key: '7' }), { id: 7, name: 'Fern' });
});

test('an agent announces failures, sets the state and verifies what was called', async (t) => {
  const { url } = await listen(t);
  const { read, use } = await connectAgent(t, overHttp(`${url}/__admin/mcp`));
  const request = await read('make_request', { operationId: 'createPlant' });
  const planned = await read('fail_next', { operationId: 'createPlant', status: 503 });
  t.like(planned.answers, [{ operationId: 'createPlant', status: 503 }]);
  t.is((await read('send_request', request)).status, 503);
  t.is((await read('send_request', request)).status, 200);
  await read('fail_next', { fault: 'CONNECTION_RESET_BY_PEER' });
  t.deepEqual(await use('send_request', request), {
    isError: true,
    text: 'fetch failed: read ECONNRESET',
  });
  const rule = { name: 'busy', match: { operationId: 'createPlant' }, answer: { fail: 429 } };
  await read('add_rule', { rule });
  t.is((await read('send_request', request)).status, 429);
  await read('switch_rule', { name: 'busy', enabled: false });
  t.is((await read('send_request', request)).status, 200);
  await read('remove_rule', { name: 'busy' });
  const { fixtures } = await read('list_rules');
  t.false(fixtures.some(({ name }: { name: string }) => name === 'busy'));
  await read('seed_state', { state: { plants: [{ id: 1, name: 'Fern' }] } });
  await read('add_resources', { state: { plants: [{ id: 2, name: 'Ivy' }] } });
  t.deepEqual(await read('read_state', { collection: 'plants', limit: 1 }), [
    { id: 1, name: 'Fern' },
  ]);
  t.is((await read('read_state')).plants.length, 2);
  const match = { operationId: 'createPlant' };
  t.true((await read('verify_requests', { match, status: 200, exactly: 2 })).verified);
  t.false((await read('verify_requests', { match, exactly: 2 })).verified);
  t.is((await read('read_journal', { match, status: 429 })).exchanges.length, 1);
  t.regex((await use('read_coverage')).text, /createPlant/);
  const { rules } = await read('judge_client', { rules: ['retry-after'] });
  t.is(rules[0].rule, 'retry-after');
  await read('reset_session', { only: ['journal'] });
  t.is((await read('read_journal')).exchanges.length, 0);
  t.is((await read('read_state')).plants.length, 2);
});

test('each agent has a session of its own, which ends with it', async (t) => {
  const { mock, url } = await listen(t);
  const transports = [overHttp(`${url}/__admin/mcp`), overHttp(`${url}/__admin/mcp`)] as const;
  const one = await connectAgent(t, transports[0]);
  // A client that prefers a revision without sessions falls back to one that has them.
  const two = await connectAgent(t, transports[1], 'auto');
  await one.read('seed_state', { state: { plants: [{ id: 1, name: 'Fern' }] } });
  t.deepEqual(await two.read('read_state'), { plants: [] });
  t.deepEqual(await one.read('read_state'), { plants: [{ id: 1, name: 'Fern' }] });
  t.true((await listSessions(mock)).includes(transports[0].sessionId ?? ''));
  await transports[0].terminateSession();
  t.false((await listSessions(mock)).includes(one.client.transport?.sessionId ?? ''));
});

for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
  const revision = mode === 'legacy' ? '2025-11-25' : mode.pin;
  test(`an agent can name its session, with the revision ${revision}`, async (t) => {
    const { mock, url } = await listen(t);
    const agent = await connectAgent(t, overHttp(`${url}/__session/mine/__admin/mcp`), mode);
    t.is(agent.client.getNegotiatedProtocolVersion(), revision);
    await agent.read('seed_state', { state: { plants: [{ id: 1, name: 'Fern' }] } });
    t.deepEqual(await mock.session('mine').state.all(), { plants: [{ id: 1, name: 'Fern' }] });
    t.is((await agent.read('list_operations')).url, `${url}/__session/mine`);
  });
}

test('the tools over HTTP need the admin token, and refuse foreign pages', async (t) => {
  const { url } = await listen(t, { adminToken: 'secret' });
  const ask = (headers: Record<string, string>) =>
    fetch(`${url}/__admin/mcp`, { method: 'POST', headers, body: '{}' });
  t.is((await ask({})).status, 401);
  t.is((await ask({ authorization: 'Bearer wrong' })).status, 401);
  const credential = { authorization: 'Bearer secret' };
  t.is((await ask({ ...credential, origin: 'https://evil.example' })).status, 403);
  const agent = await connectAgent(t, overHttp(`${url}/__admin/mcp`, credential));
  t.is((await agent.read('list_operations')).total, 1);
});

test('coldframe mcp serves a mock of its own on stdio, on a free port if it must', async (t) => {
  const { url: taken } = await listen(t);
  const transport = overStdio('--port', new URL(taken).port);
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const { read } = await connectAgent(t, transport);
  const { url } = await read('list_operations');
  t.false(url.startsWith(`${taken}/`));
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
  t.is((await read('read_journal')).exchanges.length, 1);
  t.regex(log, /"event":"listening"/);
});

test('coldframe mcp --url serves a session of a running mock, and drops it at the end', async (t) => {
  const { mock, url } = await listen(t, { adminToken: 'secret' });
  const transport = overStdio('--url', url, '--admin-token', 'secret');
  const { read, client } = await connectAgent(t, transport, 'auto');
  const request = await read('make_request', { operationId: 'createPlant' });
  t.is((await read('send_request', request)).status, 200);
  const { headers } = await read('list_operations');
  const admin = mock.session(headers['Mock-Session']);
  t.is((await admin.journal.list()).length, 1);
  await client.close();
  t.is((await admin.journal.list()).length, 0);
});
