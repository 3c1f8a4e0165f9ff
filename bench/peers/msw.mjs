// @ts-check
// MSW as an HTTP server of its own, with the handlers that @msw/source makes from a document.
// Usage: node bench/peers/msw.mjs PORT DOCUMENT

import { readFileSync } from 'node:fs';
import { fromOpenApi } from '@msw/source/open-api';
import { createServer } from '@mswjs/http-middleware';

const [port, document] = process.argv.slice(2);
if (port === undefined || document === undefined) {
  throw new Error('Usage: node bench/peers/msw.mjs PORT DOCUMENT');
}

/** @typedef {Parameters<typeof createServer>} Handlers */

// One of the packages uses the ES modules of msw and the other CommonJS, whose types differ.
const handlers = /** @type {Handlers} */ (
  /** @type {unknown} */ (await fromOpenApi(readFileSync(document, 'utf8')))
);
createServer(...handlers).listen(Number(port), '127.0.0.1');
