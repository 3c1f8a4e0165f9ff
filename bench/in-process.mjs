// @ts-check
// Prints the milliseconds of processor time from the start of this process until it has its first
// response in process, and MiB resident then.
// Usage: node bench/in-process.mjs imports|floor|coldframe|uncompiled

/** @param {{ fetch: (request: Request) => Response | Promise<Response> }} server */
async function create({ fetch }) {
  const body = '{"id":1,"name":"Monstera deliciosa","tag":"tropical"}';
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };
  const request = new Request('http://localhost/plants', { method: 'POST', headers, body });
  const response = await fetch(request);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  await response.json();
}

const starts = {
  imports: () => Promise.all([import('hono'), import('ajv')]),
  floor: async () => create((await import('./floor-app.mjs')).app),
  // As an installed package, which takes the compiled code of an earlier process.
  coldframe: async () => create(await (await import('coldframe')).createMock()),
  // As in a bundle.
  uncompiled: async () => create(await (await import('../dist/library.js')).createMock()),
};
await starts[/** @type {keyof typeof starts} */ (process.argv[2])]();
const { user, system } = process.cpuUsage();
const resident = process.memoryUsage.rss() / 1_024 ** 2;
console.log(JSON.stringify({ processor: (user + system) / 1_000, resident }));
process.exit();
