// @ts-check
// Prism's own HTTP server as published, with the settings that `prism mock` gives it by default,
// but without the command line around it and with a logger that does nothing (`-v silent`). Both
// are in Prism's favour: its command line starts more slowly, and its log halves its throughput.
// Usage: node bench/prism.mjs PORT DOCUMENT

import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

const [port, document] = process.argv.slice(2);
if (port === undefined || document === undefined) {
  throw new Error('Usage: node bench/prism.mjs PORT DOCUMENT');
}

/** @typedef {Parameters<typeof createServer>[1]['components']['logger']} Logger */

// Prism asks for a whole pino; it calls only these.
const ignore = () => undefined;
const silentLogger = {
  level: 'silent',
  trace: ignore,
  debug: ignore,
  info: ignore,
  success: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  child: () => silentLogger,
};

const server = createServer(await getHttpOperationsFromSpec(document), {
  cors: true,
  config: {
    isProxy: false,
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false, ignoreExamples: false },
  },
  components: { logger: /** @type {Logger} */ (/** @type {unknown} */ (silentLogger)) },
});

await server.listen(Number(port), '127.0.0.1');
