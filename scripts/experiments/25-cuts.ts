import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger, type Plant, readCollection } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import { explains, type Run } from './runs.ts';
import { conduct, type Trial } from './support.ts';

const WRITERS = 6;
/** A writer has so many ids of its own. */
const IDS = 1_000_000;

/** Each creates 1, 2, 3… of its own, so that a write that is lost or comes back leaves a trace. */
class Writers {
  readonly ledger = new Ledger();
  readonly #told = Array.from({ length: WRITERS }, () => 0);
  readonly #sent = Array.from({ length: WRITERS }, () => 0);
  readonly #writers: Promise<void>[];
  #isOver = false;
  #fault: unknown;

  constructor(url: string) {
    this.#writers = this.#told.map(async (_, writer) => {
      try {
        await this.#write(url, writer);
      } catch (fault) {
        this.#isOver = true;
        this.#fault = fault;
      }
    });
  }

  get told(): readonly number[] {
    return [...this.#told];
  }

  get sent(): readonly number[] {
    return [...this.#sent];
  }

  /** Waits until each has written more than it has sent by now; throws what went wrong with one. */
  async goOn(): Promise<void> {
    const { sent } = this;
    while (!this.#isOver && this.#told.some((told, writer) => told <= (sent[writer] ?? 0) + 2)) {
      await sleep(5);
    }
    if (this.#fault !== undefined) throw this.#fault;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writers);
  }

  async #write(url: string, writer: number): Promise<void> {
    const line = new Pipeline(url);
    for (let number = 1; !this.#isOver; number++) {
      this.#sent[writer] = number;
      const reply = await this.ledger.create(line, writer * IDS + number);
      if (!isSuccess(reply)) throw new Error(`a create: ${reply?.status} ${reply?.body}`);
      this.#told[writer] = number;
      await sleep(1);
    }
    line.close();
  }
}

/** When something was done: what was told before it began, and sent before it was over. */
interface Moment {
  readonly told: readonly number[];
  readonly sent: readonly number[];
}

/** A fixture file of resources. */
interface Exported {
  readonly resources?: Readonly<Record<string, readonly Plant[]>>;
}

/** The expected content of a session: complete runs of numbers for each writer. */
class WrittenSession {
  readonly writers: Writers;
  readonly #trial: Trial;
  readonly #name: string;
  readonly #url: string;
  /** The content when the session was last reset or restored. */
  #kept: readonly (readonly Run[])[] = Array.from({ length: WRITERS }, () => []);
  /** Since when all that is written stays. */
  #since: Moment = {
    told: Array.from({ length: WRITERS }, () => 0),
    sent: Array.from({ length: WRITERS }, () => 0),
  };
  readonly #snapshots = new Map<string, readonly (readonly Run[])[]>();

  constructor(trial: Trial, name: string, url: string) {
    this.#trial = trial;
    this.#name = name;
    this.#url = url;
    this.writers = new Writers(url);
  }

  async reset(): Promise<void> {
    this.#since = await this.#during(() => this.#ask('POST', '/reset'));
    this.#kept = this.#kept.map(() => []);
    await this.read('reset');
  }

  async takeSnapshot(name: string): Promise<void> {
    const moment = await this.#during(() => this.#ask('PUT', `/snapshots/${name}`));
    this.#snapshots.set(name, this.#runsAt(moment));
  }

  async restore(name: string): Promise<void> {
    this.#since = await this.#during(() => this.#ask('POST', `/snapshots/${name}/restore`));
    this.#kept = this.#snapshots.get(name) ?? [];
    await this.read(`${name} restored`);
  }

  /** Takes all that is there, and puts it in place of what is there later. */
  async exportAndImport(): Promise<void> {
    let text = '';
    const moment = await this.#during(async () => {
      text = await this.#ask('GET', '/state');
    });
    const { plants = [] } = JSON.parse(text) as { readonly plants?: readonly Plant[] };
    await this.#import(moment, plants, 'as JSON', () => this.#ask('PUT', '/state', text));
  }

  /** The same with the commands for it, and a fixture file between them. */
  async exportAndImportFile(file: string): Promise<void> {
    const moment = await this.#during(() => this.#run('export', '--out', file));
    const { resources } = parse(await readFile(file, 'utf8')) as Exported;
    const plants = resources?.['plants'] ?? [];
    await this.#import(moment, plants, 'as a file', () => this.#run('import', file));
  }

  async #import(
    exported: Moment,
    plants: readonly Plant[],
    how: string,
    act: () => Promise<unknown>,
  ): Promise<void> {
    const runs = this.#runsAt(exported);
    this.#judge(plants, runs, `exported ${how}`);
    this.#since = await this.#during(act);
    this.#kept = runs;
    await this.read(`imported ${how}`);
  }

  async #run(...words: readonly string[]): Promise<void> {
    const program = this.#trial.start(['state', ...words, '--url', this.#url]);
    const { code } = await program.ended;
    if (code !== 0) throw new Error(`state ${words[0]}: ${code} ${program.stderr}`);
  }

  async read(when: string): Promise<void> {
    let plants: readonly Plant[] = [];
    const moment = await this.#during(async () => {
      plants = await readCollection(this.#url);
    });
    this.#judge(plants, this.#runsAt(moment), when);
  }

  #judge(plants: readonly Plant[], runs: readonly (readonly Run[])[], when: string): void {
    const faults = runs.flatMap((own, writer) => {
      const ids = plants.map(({ id }) => id).filter((id) => Math.floor(id / IDS) === writer);
      const fault = explains(
        own,
        ids.map((id) => id % IDS),
      );
      return fault === undefined ? [] : [`writer ${writer}: ${fault}`];
    });
    const half = plants.filter(({ id, name }) => name !== this.writers.ledger.nameOf(id));
    this.#trial.expect(
      faults.length === 0 && half.length === 0,
      `${this.#name}, ${when}: each of ${plants.length} is wholly before or after` +
        `${faults.length + half.length === 0 ? '' : `: ${half.length} half; ${faults.join('; ')}`}`,
    );
  }

  /** @returns what a session holds that was looked at then */
  #runsAt({ told, sent }: Moment): readonly (readonly Run[])[] {
    return this.#kept.map((runs, writer) => [
      ...runs,
      {
        from: [(this.#since.told[writer] ?? 0) + 1, (this.#since.sent[writer] ?? 0) + 1],
        to: [told[writer] ?? 0, sent[writer] ?? 0],
      },
    ]);
  }

  async #during(act: () => Promise<unknown>): Promise<Moment> {
    await this.writers.goOn();
    const { told } = this.writers;
    await act();
    return { told, sent: this.writers.sent };
  }

  async #ask(method: string, path: string, body?: string): Promise<string> {
    const response = await fetch(`${this.#url}/__admin${path}`, {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }
}

await conduct(
  '25: exports, imports, snapshots and resets while it is written to',
  async (trial) => {
    const folder = await trial.createFolder();
    await tryStore(trial, 'memory', 'memory', folder);
    await tryStore(trial, 'file', `file:${join(folder, 'plants.db')}`, folder);
    if (!trial.hasCommand('redis-server')) return;
    const redis = await trial.startRedis();
    await tryStore(trial, 'redis', redis.url, folder);
  },
);

async function tryStore(trial: Trial, name: string, store: string, folder: string): Promise<void> {
  const { program, url } = await trial.startMock([gardens, '--store', store]);
  const session = new WrittenSession(trial, name, url);
  const rounds = trial.isShort ? 1 : 10;
  for (let round = 0; round < rounds; round++) {
    await session.takeSnapshot(`early-${round}`);
    await session.exportAndImport();
    await session.exportAndImportFile(join(folder, `${name}.yaml`));
    await session.takeSnapshot(`late-${round}`);
    await session.reset();
    await session.restore(`early-${round}`);
  }
  await session.writers.stop();
  for (let round = 0; round < rounds; round++) {
    await session.restore(`late-${round}`);
    await session.restore(`early-${round}`);
  }
  trial.expect(program.isRunning && program.stderr === '', `${name}: it lives`);
  await program.end();
}
