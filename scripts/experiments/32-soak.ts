import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gardens } from './gardens.ts';
import { Pipeline, type Reply, type Sending } from './pipeline.ts';
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
  trial.measured('requests', clients.reduce((sum, { requests }) => sum + requests, 0));
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
    const contents = new Map<string, Map<number, string>>();
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
  async #act(session: string, plants: Map<number, string>, turn: number): Promise<void> {
    const id = (turn * 7) % MAXIMUM_PLANTS;
    const name = `plant ${id} of ${session} in turn ${turn}`;
    const held = plants.get(id);
    const body = JSON.stringify({ id, name });
    const send = (path: string, status: number, includes = '', sending: Sending = {}) =>
      this.#send(session, path, status, includes, sending);
    switch (turn % 8) {
      case 0:
      case 1:
      case 2: {
        const status = held === undefined ? 201 : 409;
        await send('/plants', status, held === undefined ? name : '', { method: 'POST', body });
        if (held === undefined) plants.set(id, name);
        return;
      }
      case 3:
        return send(`/plants/${id}`, held === undefined ? 404 : 200, held);
      case 4:
        await send(`/plants/${id}`, held === undefined ? 404 : 200, held && name, {
          method: 'PUT',
          body,
        });
        if (held !== undefined) plants.set(id, name);
        return;
      case 5: {
        const all = [...plants].map(([key, value]) => ({ id: key, name: value }));
        const reply = await this.#request(session, '/plants?limit=100', {});
        const listed = reply?.status === 200 ? (JSON.parse(reply.body) as { id: number }[]) : [];
        const byId = (left: { id: number }, right: { id: number }) => left.id - right.id;
        if (JSON.stringify(listed.toSorted(byId)) !== JSON.stringify(all.toSorted(byId))) {
          this.wrong.push(`${session}: the list is ${reply?.status} ${reply?.body}`);
        }
        return;
      }
      case 6:
        return send('/plants', 422, '', { method: 'POST', body: '{"id":"x"}' });
      default:
        await send(`/plants/${id}`, held === undefined ? 404 : 204, '', { method: 'DELETE' });
        plants.delete(id);
    }
  }

  async #send(
    session: string,
    path: string,
    status: number,
    includes: string | undefined,
    sending: Sending,
  ): Promise<void> {
    const reply = await this.#request(session, path, sending);
    if (reply?.status === status && reply.body.includes(includes ?? '')) return;
    const { method = 'GET', body = '' } = sending;
    this.wrong.push(
      `${session}: ${method} ${path} ${body}: ${reply?.status} ${reply?.body}, not ${status}`,
    );
  }

  async #request(session: string, path: string, sending: Sending): Promise<Reply | undefined> {
    this.requests++;
    if (this.#line.isOver) this.#line = new Pipeline(this.#url);
    return this.#line.send(path, { ...sending, fields: { 'Mock-Session': session } });
  }
}

await conduct(
  `32: ${minutes} minutes of requests in ${sessions} sessions, with a save every 5 s`,
  soak,
  (minutes + 2) * 60_000,
);
