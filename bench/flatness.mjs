// Serves plants in this process, and prints the processor time of a request; microseconds.
//
//   node bench/flatness.mjs WHAT NUMBER, as flatness.ts says

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import { parse } from 'yaml';
import { createMock } from '../dist/library.js';

const [what, text] = process.argv.slice(2);
const number = Number(text);
const CHUNK = 2_000;
const CHUNKS = 30;
const FILLING = 5_000;

/** Differs in the last one alone from the requests that are sent: each other one is looked at. */
function createRules() {
  const match = (index) => ({ operationId: 'createPlant', body: { name: `Plant ${index}` } });
  return Array.from({ length: number }, (_, index) => ({
    name: `rule-${index}`,
    match: match(index),
    answer: { status: 200 },
  }));
}

function createDocument() {
  const document = parse(readFileSync(new URL('plants.openapi.yaml', import.meta.url), 'utf8'));
  if (what !== 'operations') return document;
  const read = document.paths['/plants/{id}'].get;
  for (let index = 2; index < number; index++) {
    const parameters = document.paths['/plants/{id}'].parameters;
    document.paths[`/gardens/{id}/beds${index % 50}/rows${index}`] = {
      parameters,
      get: { ...read, operationId: `readRow${index}` },
    };
  }
  if (number === 1) {
    delete document.paths['/plants'].get;
    delete document.paths['/plants/{id}'];
  }
  return document;
}

const fixtures = [];
if (what === 'rules') {
  writeFileSync('rules.json', JSON.stringify({ rules: createRules() }));
  fixtures.push('rules.json');
}
const mock = await createMock({
  document: createDocument(),
  fixtures,
  verboseLevel: 'silent',
  sessionLimit: 20_000,
});
const stored = what === 'resources' ? number : 1_000;
const authorization = 'Bearer bench';
const json = { authorization, 'content-type': 'application/json' };
const plantOf = (id) => `{"id":${id},"name":"Monstera deliciosa","tag":"tropical"}`;

async function send(target, settings) {
  const response = await mock.fetch(target, settings);
  if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
for (let first = 1; first <= stored; first += FILLING) {
  const plants = Array.from({ length: Math.min(FILLING, stored + 1 - first) }, (_, index) =>
    plantOf(first + index),
  );
  await send('/__admin/state', { method: 'POST', headers: json, body: `{"plants":[${plants}]}` });
}

/** A connection without a system: what is written to it is the response. */
class Connection extends Duplex {
  _read() {}
  _write(bytes, _, done) {
    done();
    // Node ends a response with an empty write.
    if (bytes.length === 0) this.answered();
    else if (/^HTTP\S+ (?!200)/.test(bytes.toString('latin1', 0, 12))) {
      throw new Error(bytes.toString());
    }
  }
}

/** Visits all of them, in an order that no cache foresees. */
const spread = (turn, size) => (turn * 7_919) % size;
const connection = new Connection();
createServer(mock.handler).emit('connection', connection);
let turn = 0;
function request() {
  const session = what === 'sessions' ? `mock-session: s-${spread(turn, number)}\r\n` : '';
  const id = 1 + spread(turn++, what === 'sessions' ? 10 : stored);
  const fields = `HTTP/1.1\r\nhost: plants.test\r\nauthorization: Bearer bench\r\n${session}`;
  const body = plantOf(id);
  const isCreate = turn % 2 === 0 || what === 'operations' || what === 'sessions';
  return isCreate
    ? `POST /plants ${fields}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    : `GET /plants/${id} ${fields}\r\n`;
}
function exchange(count) {
  const requests = Array.from({ length: count }, request);
  return new Promise((resolve) => {
    const next = () => {
      const text = requests.pop();
      if (text === undefined) resolve();
      else connection.push(text);
    };
    connection.answered = () => setImmediate(next);
    next();
  });
}

function processorTime() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

await exchange(Math.max(40_000, what === 'sessions' ? 2 * number : 0));
const costs = [];
for (let chunk = 0; chunk < CHUNKS; chunk++) {
  const before = processorTime();
  await exchange(CHUNK);
  costs.push((processorTime() - before) / CHUNK);
}
console.log(costs.sort((one, other) => one - other)[CHUNKS / 10]);
process.exit();
