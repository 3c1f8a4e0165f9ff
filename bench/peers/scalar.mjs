// @ts-check
// Scalar's mock server on Hono's adapter for Node, with its default settings.
// Usage: node bench/peers/scalar.mjs PORT DOCUMENT

import { serve } from '@hono/node-server';
import { createMockServer } from '@scalar/mock-server';

const [port, document] = process.argv.slice(2);
if (port === undefined || document === undefined) {
  throw new Error('Usage: node bench/peers/scalar.mjs PORT DOCUMENT');
}

const app = await createMockServer({ document });
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
