// @ts-check
// What Node itself costs: node:http, no framework, no validator. Start-up and memory only.
// Usage: node bench/bare-node.mjs PORT

import { createServer } from 'node:http';

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const { name, tag } = JSON.parse(text);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ name, tag }));
  });
});

server.listen(Number(process.argv[2]), '127.0.0.1');
