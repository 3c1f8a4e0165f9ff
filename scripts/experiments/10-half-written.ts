import { open, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gardens } from './gardens.ts';
import { isSuccess, Ledger, readCollection } from './ledger.ts';
import { Pipeline } from './pipeline.ts';
import type { Program } from './program.ts';
import { conduct, type Trial } from './support.ts';

const PIECE_BYTES = 10;
const PAUSE_MILLISECONDS = 20;
/** After a longer pause a file may be taken to be whole. */
const LONGEST_PAUSE_MILLISECONDS = 150;
const LONGEST_RELOAD_MILLISECONDS = 5_000;
const NOT_RELOADED = 'not reloaded; the mock keeps serving the previous version';
/** That of what is written slowly: fewer pieces. */
const SLOW_TEXT_FROM = 'components:';

/** A way to save a document. @returns the longest pause in it: a busy machine makes longer ones */
type Save = (file: string, text: string) => Promise<number>;

const ways: Readonly<Record<string, Save>> = {
  'ten bytes at a time': writeSlowly,
  'emptied, then written': async (file, text) => {
    await writeFile(file, '');
    const started = performance.now();
    await sleep(60);
    await writeFile(file, text);
    return performance.now() - started;
  },
  'renamed over it': async (file, text) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
    return 0;
  },
  'deleted, then created': async (file, text) => {
    await rm(file);
    await sleep(400);
    await writeFile(file, text);
    return 0;
  },
};

/** Asks all the time which document answers, and whether what was created is there. */
class Watched {
  readonly #trial: Trial;
  readonly #url: string;
  readonly #line: Pipeline;
  readonly #ledger = new Ledger();
  #seen = new Set<string>();
  #lost = 0;
  #asking: Promise<void> | undefined;
  #isOver = false;

  constructor(trial: Trial, url: string) {
    this.#trial = trial;
    this.#url = url;
    this.#line = new Pipeline(url);
  }

  async begin(): Promise<void> {
    if (!isSuccess(await this.#ledger.create(this.#line, 1))) throw new Error('not created');
    this.#asking = this.#ask();
  }

  async #ask(): Promise<void> {
    while (!this.#isOver) {
      this.#seen.add(await this.version());
      const plant = await this.#line.send('/plants/1');
      if (plant?.status !== 200 || !plant.body.includes(this.#ledger.nameOf(1))) this.#lost++;
      await sleep(5);
    }
  }

  /** @returns what the document that answers says of itself */
  async version(): Promise<string> {
    const reply = await this.#line.send('/version');
    return /"version":"(.*?)"/.exec(reply?.body ?? '')?.[1] ?? `${reply?.status} ${reply?.body}`;
  }

  /** Does something, and waits until a document answers. @returns what it gave */
  async during<Result>(wanted: string, act: () => Promise<Result>): Promise<Result> {
    this.#seen = new Set();
    const result = await act();
    const started = performance.now();
    while (!this.#seen.has(wanted)) {
      if (performance.now() - started > LONGEST_RELOAD_MILLISECONDS) break;
      await sleep(10);
    }
    return result;
  }

  judge(when: string, versions: readonly string[]): void {
    const others = [...this.#seen].filter((version) => !versions.includes(version));
    const wanted = versions.at(-1) ?? '';
    this.#trial.expect(this.#seen.has(wanted), `${when}: the new document answers`);
    this.#trial.expect(
      others.length === 0,
      `${when}: no part of one ever did${others.length === 0 ? '' : `: ${others.join(', ')}`}`,
    );
    this.#trial.expect(this.#lost === 0, `${when}: what was created was there all the time`);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
    this.#ledger.judge(this.#trial, await readCollection(this.#url), 'after all that');
    this.#line.close();
  }
}

await conduct('10: the document is saved in every way while it is served', async (trial) => {
  const text = await readFile(gardens, 'utf8');
  const folder = await trial.createFolder({ 'api.yaml': versionOf(text, 'v0') });
  const file = join(folder, 'api.yaml');
  const program = trial.start(['mock', file, '--port', '0']);
  const watched = new Watched(trial, await program.url());
  await watched.begin();
  let version = 0;
  for (const [name, save] of Object.entries(ways)) {
    for (let attempt = 1; attempt <= 3; attempt++) {
      const [before, after] = [`v${version}`, `v${++version}`];
      const pause = await watched.during(after, () => save(file, versionOf(text, after)));
      if (pause <= LONGEST_PAUSE_MILLISECONDS || attempt === 3) {
        watched.judge(name, [before, after]);
        break;
      }
    }
  }
  await saveOften(trial, watched, file, text);
  await keepOnError(trial, watched, program, file);
  await watched.end();
  await turnLink(trial, text);
});

/** An editor that saves with every key. */
async function saveOften(
  trial: Trial,
  watched: Watched,
  file: string,
  text: string,
): Promise<void> {
  const before = await watched.version();
  const names = Array.from({ length: 100 }, (_, index) => `often-${index}`);
  await watched.during('often-99', async () => {
    for (const name of names) {
      await writeFile(file, versionOf(text, name));
      await sleep(8);
    }
  });
  watched.judge('saved a hundred times in a second', [before, ...names]);
  trial.measured('then answers', await watched.version());
}

async function keepOnError(
  trial: Trial,
  watched: Watched,
  program: Program,
  file: string,
): Promise<void> {
  const before = await watched.version();
  await writeFile(file, 'openapi: 3.1.0\npaths: [}\n');
  const isTold = (): boolean =>
    program.log.some(
      (line) => line['event'] === NOT_RELOADED && /api\.yaml.*"line":2/.test(JSON.stringify(line)),
    );
  for (let waited = 0; waited < 250 && !isTold(); waited++) await sleep(20);
  trial.expect(isTold(), 'an error is told with its line');
  trial.expect((await watched.version()) === before, 'and the last good document answers on');
}

/** A folder that a link leads to is exchanged, as Kubernetes does with a ConfigMap. */
async function turnLink(trial: Trial, text: string): Promise<void> {
  const one = await trial.createFolder({ 'api.yaml': versionOf(text, 'one') });
  const two = await trial.createFolder({ 'api.yaml': versionOf(text, 'two') });
  const folder = await trial.createFolder();
  await symlink(one, join(folder, 'data'));
  await symlink(join('data', 'api.yaml'), join(folder, 'api.yaml'));
  const program = trial.start(['mock', join(folder, 'api.yaml'), '--port', '0']);
  const watched = new Watched(trial, await program.url());
  await watched.begin();
  await watched.during('two', async () => {
    await symlink(two, join(folder, 'data.new'));
    await rename(join(folder, 'data.new'), join(folder, 'data'));
  });
  watched.judge('a link is turned', ['one', 'two']);
  await watched.end();
}

async function writeSlowly(file: string, text: string): Promise<number> {
  // As if an editor had the first part written: that which follows is what makes it whole.
  const whole = text.indexOf(SLOW_TEXT_FROM);
  const handle = await open(file, 'w');
  await handle.write(text.slice(0, whole));
  let longest = 0;
  let last = performance.now();
  for (let at = whole; at < text.length; at += PIECE_BYTES) {
    await handle.write(text.slice(at, at + PIECE_BYTES));
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    await sleep(PAUSE_MILLISECONDS);
  }
  await handle.close();
  return longest;
}

/** @returns the document with an operation that tells which one it is */
function versionOf(text: string, version: string): string {
  const operation = [
    '  /version:',
    '    get:',
    '      responses:',
    "        '200':",
    '          description: Which document it is',
    '          content:',
    '            application/json:',
    '              schema: { type: object, required: [version], properties: { version: { type: string } } }',
    `              example: { version: ${version} }`,
    '',
  ];
  return text.replace('components:\n', `${operation.join('\n')}components:\n`);
}
