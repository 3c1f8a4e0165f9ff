// Serves a document in this process, and prints what the first call of each operation costs it.
//
//   node bench/first-calls.mjs DOCUMENT REQUESTS [ahead]
//
// REQUESTS is the file that first-calls.ts writes. With `ahead`, the mock listens as the program does,
// and the calls begin once it has done what it does before the first request.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMock } from '../dist/library.js';

const [document, file, when] = process.argv.slice(2);
const requests = JSON.parse(readFileSync(file, 'utf8'));

/** Milliseconds of processor time, of all threads. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const mock = await createMock({
  document,
  verboseLevel: 'silent',
  frozenAt: '2026-01-01T00:00:00Z',
});
if (when === 'ahead') {
  await mock.listen({ port: 0, worksAhead: true });
  for (let before = -Infinity; processorTime() - before > 100; await sleep(2_000)) {
    before = processorTime();
  }
}
const calls = [];
const hash = createHash('sha256');
let first;
for (const { method, target, fields, body } of requests) {
  const before = processorTime();
  const sent = body === '' ? {} : { body };
  const response = await mock.fetch(target, { method, headers: fields, ...sent });
  const text = await response.text();
  calls.push(processorTime() - before);
  first ??= processorTime();
  hash.update(`${method} ${target} ${response.status}\n${text}\n`);
}
const resident = process.memoryUsage.rss() / 1_024 ** 2;
console.log(JSON.stringify({ first, calls, resident, responses: hash.digest('hex') }));
await mock.close();
