// @ts-check
// Serves the floor on a port.
// Usage: node bench/floor.mjs PORT

import { serve } from '@hono/node-server';
import { app } from './floor-app.mjs';

serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' });
