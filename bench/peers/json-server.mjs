// @ts-check
// json-server's own command line, with an empty file of plants that this writes into the working
// directory. Creates of the benchmark repeat their ids, and json-server refuses an id that it has:
// so it gives each plant a key of its own, and stores the id like any other member.
// Usage: node bench/peers/json-server.mjs PORT

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [node = 'node', , port] = process.argv;
if (port === undefined) {
  throw new Error('Usage: node bench/peers/json-server.mjs PORT');
}

const file = 'plants.json';
writeFileSync(file, '{ "plants": [] }');
const options = ['--port', port, '--host', '127.0.0.1', '--id', 'key', '--quiet'];
process.argv = [node, 'json-server', file, ...options];
createRequire(import.meta.url)('json-server/lib/cli/bin.js');
