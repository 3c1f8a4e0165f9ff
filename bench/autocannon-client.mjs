// @ts-check
// The load generator where wrk is not installed. A process of its own, so that it can have a CPU of
// its own. Usage: node bench/autocannon-client.mjs PORT CONNECTIONS SECONDS < {headers, bodies}

import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';

const [port, connections, seconds] = process.argv.slice(2).map(Number);
if (port === undefined || connections === undefined || seconds === undefined) {
  throw new Error(
    'Usage: node bench/autocannon-client.mjs PORT CONNECTIONS SECONDS < {headers, bodies}',
  );
}

/** @type {{ headers: Record<string, string>, bodies: string[] }} */
const { headers, bodies } = JSON.parse(await text(process.stdin));
const bodiesPerClient = Math.max(1, Math.floor(bodies.length / connections));
let clients = 0;

const result = await autocannon({
  url: `http://127.0.0.1:${port}/plants`,
  connections,
  duration: seconds,
  method: 'POST',
  headers,
  body: bodies[0] ?? '',
  // Each connection goes round a share of the ids: one list for all would be copied for each.
  setupClient: (client) => {
    const first = (clients++ * bodiesPerClient) % bodies.length;
    const share = bodies.slice(first, first + bodiesPerClient);
    client.setRequests(share.map((body) => ({ method: 'POST', headers, body })));
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
