import { existsSync, realpathSync } from 'node:fs';
import { METHODS } from 'node:http';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDocuments } from '../../scripts/sweep/find-documents.ts';
import { loadContract } from '../../src/assemble/load.ts';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { testWith } from '../support/needs.ts';
import { createStillClock } from '../support/still-clock.ts';

const beside = fileURLToPath(new URL('../../../shared/documents', import.meta.url));
const shared = existsSync(beside) ? realpathSync(beside) : beside;

/** The outcome for a client: a status, or how the request ended without one; and how long it waited. */
interface Seen {
  readonly status: number | 'broken' | 'silent';
  readonly text: string;
  readonly waited: number;
}

/** Sends requests to a document in a session with one profile. */
interface Client {
  readonly clock: ReturnType<typeof createStillClock>;
  /** @param patience milliseconds before a request is given up */
  send(session: string, count: number, patience?: number): Promise<readonly Seen[]>;
}

/** A request without parameters, credentials or body: profiles act before those are checked. */
interface Target {
  readonly method: string;
  readonly path: string;
}

/** The first requests of a large document take a moment on a busy machine. */
const PATIENCE = 20_000;
const SHORT_PATIENCE = 250;

function createClient(url: string, targets: readonly Target[], clock: Client['clock']): Client {
  const one = async (
    session: string,
    { method, path }: Target,
    patienceMilliseconds: number,
  ): Promise<Seen> => {
    const before = clock.slept;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), patienceMilliseconds);
    const { signal } = patience;
    const headers = { 'mock-session': session };
    const seen = (status: Seen['status'], text = ''): Seen => {
      return { status, text, waited: clock.slept - before };
    };
    try {
      const response = await fetch(url + path, { method, signal, headers });
      const { status } = response;
      return await response.text().then(
        (text) => seen(status, text),
        () => seen('broken'),
      );
    } catch {
      return seen(signal.aborted ? 'silent' : 'broken');
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    clock,
    async send(session, count, patience = PATIENCE) {
      const all: Seen[] = [];
      for (let index = 0; index < count; index++) {
        const target = targets[index % targets.length];
        if (target !== undefined) all.push(await one(session, target, patience));
      }
      return all;
    },
  };
}

type Check = (client: Client, profile: string, mock: Mock) => Promise<boolean>;

const countOf = (seen: readonly Seen[], status: Seen['status']): number =>
  seen.filter((one) => one.status === status).length;

const isSlow: Check = async (client, profile) => {
  const seen = await client.send(profile, 10);
  return seen.every(({ waited }) => waited > 0);
};

/** The promise of each profile, for every document. */
const promises: Readonly<Record<string, Check>> = {
  'slow-api': isSlow,
  'mobile-3g': isSlow,
  'mobile-edge': isSlow,
  async flaky(client, profile) {
    const seen = await client.send(profile, 60);
    const failed = countOf(seen, 503);
    const broken = countOf(seen, 'broken');
    return failed > 1 && broken > 0 && failed + broken < 30;
  },
  async overloaded(client, profile, mock) {
    await client.send(profile, 1);
    await mock.session(profile).clock.advance('30s');
    const seen = await client.send(profile, 30);
    return countOf(seen, 503) > 3 && seen.every(({ waited }) => waited > 0);
  },
  async maintenance(client, profile) {
    return countOf(await client.send(profile, 40), 503) === 40;
  },
  async 'brief-outage'(client, profile, mock) {
    const during = await client.send(profile, 5);
    await mock.session(profile).clock.advance('10s');
    const after = await client.send(profile, 5);
    return countOf(during, 'broken') === 5 && countOf(after, 'broken') === 0;
  },
  async offline(client, profile) {
    return countOf(await client.send(profile, 5), 'broken') === 5;
  },
  async timeouts(client, profile) {
    const silent = countOf(await client.send(profile, 20, SHORT_PATIENCE), 'silent');
    return silent > 0 && silent < 10;
  },
  async 'rate-limited'(client, profile) {
    const seen = await client.send(profile, 12);
    return seen.every(({ status }, index) => (status === 429) === index >= 10);
  },
  async corrupt(client, profile) {
    const intact = await client.send('intact', 40);
    const seen = await client.send(profile, 40);
    const isSpoiled = ({ status, text }: Seen, index: number): boolean =>
      status !== intact[index]?.status || text !== intact[index]?.text;
    const spoiled = seen.filter(isSpoiled).length;
    return spoiled > 0 && spoiled < 20;
  },
};

/** Returns undefined for a document that no mock serves. */
async function readContract(document: string) {
  try {
    return (await loadContract({ document })).contract;
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** Returns the profiles that do not do what their names say. */
async function tryProfiles(document: string): Promise<readonly string[]> {
  const clock = createStillClock();
  const contract = await readContract(document);
  const targets = (contract?.operations ?? [])
    .filter(({ fault, method }) => fault === undefined && METHODS.includes(method))
    .slice(0, 10)
    .map(({ method, path }) => ({ method, path: path.replaceAll(/\{[^{}]*\}/g, '1') }));
  if (targets.length === 0) return [];
  const mock = await createMock({ document, clock });
  const broken: string[] = [];
  try {
    const { url } = await mock.listen({ port: 0 });
    const client = createClient(url, targets, clock);
    for (const [profile, isKept] of Object.entries(promises)) {
      await mock.session(profile).fixtures.switch(profile, true);
      if (!(await isKept(client, profile, mock))) broken.push(profile);
    }
  } finally {
    await mock.close();
  }
  return broken;
}

testWith(shared)('every profile does what its name says, whatever the document', async (t) => {
  t.timeout(600_000);
  const broken: string[] = [];
  const documents = findDocuments(shared).values();
  const tryRest = async (): Promise<void> => {
    for (const document of documents) {
      const profiles = await tryProfiles(document);
      if (profiles.length > 0) broken.push(`${relative(shared, document)}: ${profiles.join(', ')}`);
    }
  };
  // Most of the time is waited for responses that do not come.
  await Promise.all(Array.from({ length: 4 }, tryRest));
  t.deepEqual(broken, []);
});
