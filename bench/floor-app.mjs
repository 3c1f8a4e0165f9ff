// @ts-check
// The floor: the least that a Hono server does to read, validate, store and answer a create, a read,
// a list and a replace.
// It is plain JavaScript because a loader for TypeScript would distort its start-up and memory.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { Hono } from 'hono';

/** @typedef {{ id: number, name: string, tag?: string }} NewPlant */

const ajv = new Ajv2020();
// All that a validator can tell of an int64 once JSON.parse has made a number of it.
ajv.addFormat('int64', { type: 'number', validate: Number.isInteger });

/** @type {import('ajv').ValidateFunction<NewPlant>} */
const isNewPlant = ajv.compile({
  allOf: [
    {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, tag: { type: 'string' } },
    },
    {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'integer', format: 'int64' } },
    },
  ],
});

/** @type {Map<number, NewPlant>} */
const plants = new Map();

export const app = new Hono();
app.post('/plants', async (c) => {
  const body = await c.req.json();
  if (!isNewPlant(body)) {
    return c.json({ error: 422, message: ajv.errorsText(isNewPlant.errors) }, 400);
  }
  plants.set(body.id, body);
  return c.json({ name: body.name, tag: body.tag });
});

app.get('/plants/:id', (c) => {
  const plant = plants.get(Number(c.req.param('id')));
  return plant === undefined ? c.json({ error: 404, message: 'not found' }, 404) : c.json(plant);
});
app.get('/plants', (c) => {
  const offset = Number(c.req.query('offset') ?? 0);
  const limit = Number(c.req.query('limit') ?? 100);
  return c.json([...plants.values()].slice(offset, offset + limit));
});
app.put('/plants/:id', async (c) => {
  const body = await c.req.json();
  if (!isNewPlant(body)) {
    return c.json({ error: 422, message: ajv.errorsText(isNewPlant.errors) }, 400);
  }
  plants.set(Number(c.req.param('id')), body);
  return c.json(body);
});
