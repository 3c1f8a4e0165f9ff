// @ts-check
// The load generator where wrk is not installed. A process of its own, so that it can have a CPU of
// its own. Usage: node bench/autocannon-client.mjs PORT CONNECTIONS SECONDS < REQUESTS

import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';

const [port, connections, seconds] = process.argv.slice(2).map(Number);
if (port === undefined || connections === undefined || seconds === undefined) {
  throw new Error('Usage: node bench/autocannon-client.mjs PORT CONNECTIONS SECONDS < REQUESTS');
}

/** @type {{ method: 'GET' | 'POST' | 'PUT', path: string, headers: Record<string, string>, body?: string }[]} */
const requests = JSON.parse(await text(process.stdin));
const requestsPerClient = Math.max(1, Math.floor(requests.length / connections));
let clients = 0;

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  // Each connection goes round a share of the ids: one list for all would be copied for each.
  setupClient: (client) => {
    const first = (clients++ * requestsPerClient) % requests.length;
    client.setRequests(requests.slice(first, first + requestsPerClient));
  },
});

const refused = Object.entries(result.statusCodeStats ?? {})
  .filter(([status]) => Number(status) >= 400)
  .reduce((sum, [, { count }]) => sum + Number(count), 0);

process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    refused,
    // `errors` counts the timeouts, too.
    socketErrors: result.errors,
  }),
);
