import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gardens } from './gardens.ts';
import { Pipeline } from './pipeline.ts';
import { conduct, type Trial } from './support.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    sessions: { type: 'string', default: '10000' },
    short: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const sessions = Number(values.sessions);

const CLIENTS = 32;
const MILLISECONDS_BETWEEN_SAVES = 5_000;
const LARGEST_RESIDENT_MIB = 500;
/** Plants that a session has at most. */
const MAXIMUM_PLANTS = 20;
const MILLISECONDS_BETWEEN_READINGS = 1_000;

async function soak(trial: Trial): Promise<void> {
  const text = await readFile(gardens, 'utf8');
  const folder = await trial.createFolder({ 'api.yaml': text });
  // One more for the default session.
  const words = ['mock', 'api.yaml', '--port', '0', '--session-limit', String(sessions + 1)];
  const program = trial.start(words, { folder });
  const url = await program.url();
  const ends = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() >= ends || program.hasEnded;
  const clients = Array.from({ length: CLIENTS }, (_, number) => new Client(url, number));
  const memory: number[] = [];
  let saves = 0;
  const save = async (): Promise<void> => {
    while (!isOver()) {
      await sleep(MILLISECONDS_BETWEEN_SAVES);
      const next = join(folder, 'next.yaml');
      await writeFile(next, text.replace('version: first', `version: save-${++saves}`));
      await rename(next, join(folder, 'api.yaml'));
    }
  };
  const watchMemory = async (): Promise<void> => {
    while (!isOver()) {
      memory.push(program.residentBytes() / 1024 / 1024);
      if (memory.length % 30 === 0) {
        trial.measured(`after ${memory.length} s`, `${memory.at(-1)?.toFixed(0)} MiB resident`);
      }
      await sleep(MILLISECONDS_BETWEEN_READINGS);
    }
  };
  await Promise.all([...clients.map((client) => client.run(isOver)), save(), watchMemory()]);
  const wrong = clients.flatMap((client) => client.wrong);
  trial.measured(
    'requests',
    clients.reduce((sum, { requests }) => sum + requests, 0),
  );
  trial.measured('saves', saves);
  trial.measured('reloads', program.log.filter(({ event }) => event === 'reloaded').length);
  trial.measured('largest resident memory', `${Math.max(...memory).toFixed(0)} MiB`);
  for (const one of wrong.slice(0, 10)) trial.measured('wrong', one);
  trial.expect(!program.hasEnded, 'the mock runs');
  trial.expect(wrong.length === 0, `no response is wrong (${wrong.length} are)`);
  trial.expect(
    Math.max(...memory) <= LARGEST_RESIDENT_MIB,
    `at most ${LARGEST_RESIDENT_MIB} MiB are resident`,
  );
}

/** A client that uses its share of the sessions in turn, and knows what each of them contains. */
class Client {
  readonly wrong: string[] = [];
  requests = 0;
  readonly #url: string;
  readonly #number: number;
  #line: Pipeline;

  constructor(url: string, number: number) {
    this.#url = url;
    this.#number = number;
    this.#line = new Pipeline(url);
  }

  async run(isOver: () => boolean): Promise<void> {
    const contents = new Map<string, Plants>();
    for (let turn = 0; !isOver(); turn++) {
      for (let index = this.#number; index < sessions && !isOver(); index += CLIENTS) {
        const session = `soak-${index}`;
        const plants = contents.get(session) ?? new Map<number, string>();
        contents.set(session, plants);
        await this.#act(session, plants, turn);
      }
    }
    this.#line.close();
  }

  /** Sends a request of this turn to a session, and compares the response. */
  async #act(session: string, plants: Plants, turn: number): Promise<void> {
    const id = (turn * 7) % MAXIMUM_PLANTS;
    const name = `plant ${id} of ${session} in turn ${turn}`;
    const act = acts[turn % acts.length] ?? listPlants;
    const { path, status, includes = '', ...sending } = act(plants, id, name);
    this.requests++;
    if (this.#line.isOver) this.#line = new Pipeline(this.#url);
    const fields = { 'Mock-Session': session };
    const reply = await this.#line.send(path, { ...sending, fields });
    if (reply?.status === status && reply.body.includes(includes)) return;
    const { method = 'GET', body = '' } = sending;
    this.wrong.push(
      `${session}: ${method} ${path} ${body}: ${reply?.status} ${reply?.body}, not ${status} ${includes}`,
    );
  }
}

/** A request and the response that it must get. */
interface Act {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly status: number;
  readonly includes?: string;
}

type Plants = Map<number, string>;

/** The requests of a session in turn; each changes the plants as its request does. */
const acts: readonly ((plants: Plants, id: number, name: string) => Act)[] = [
  createPlant,
  createPlant,
  createPlant,
  (plants, id) => {
    const held = plants.get(id);
    if (held === undefined) return { path: `/plants/${id}`, status: 404 };
    return { path: `/plants/${id}`, status: 200, includes: held };
  },
  (plants, id, name) => {
    const request = { path: `/plants/${id}`, method: 'PUT', body: JSON.stringify({ id, name }) };
    if (!plants.has(id)) return { ...request, status: 404 };
    plants.set(id, name);
    return { ...request, status: 200, includes: name };
  },
  listPlants,
  () => ({ path: '/plants', method: 'POST', body: '{"id":"x"}', status: 422 }),
  (plants, id) => {
    const status = plants.delete(id) ? 204 : 404;
    return { path: `/plants/${id}`, method: 'DELETE', status };
  },
];

function createPlant(plants: Plants, id: number, name: string): Act {
  const request = { path: '/plants', method: 'POST', body: JSON.stringify({ id, name }) };
  if (plants.has(id)) return { ...request, status: 409 };
  plants.set(id, name);
  return { ...request, status: 201, includes: name };
}

/** Plants are listed in the order in which they were created, also those that were replaced. */
function listPlants(plants: Plants): Act {
  const all = [...plants].map(([id, name]) => ({ id, name }));
  return { path: '/plants', status: 200, includes: JSON.stringify(all) };
}

await conduct(
  `32: ${minutes} minutes of requests in ${sessions} sessions, with a save every 5 s`,
  soak,
  (minutes + 2) * 60_000,
);
