import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { createMock, type Mock, type MockOptions } from '../../src/index.ts';
import type { CaseFile, Transport } from './case-file.ts';
import type { CaseRequest } from './case-request.ts';
import type { Expectation } from './expectation.ts';
import { type Outcome, type Patience, patienceFor, type Seen } from './outcome.ts';
import { sendInProcess } from './process-client.ts';
import { sendOverSocket } from './socket-client.ts';
import { createStillClock, type StillClock } from './still-clock.ts';

/** A mock that is up; it goes down with the test that it was made for. */
export interface RunningMock {
  /** Sends one request and waits for what becomes of it, as long as what is expected needs. */
  send(request: CaseRequest, expected: Expectation): Promise<Outcome>;
}

/**
 * Starts the mock that a case is about.
 *
 * @param options of {@link prepareOptions}: two mocks of the same options differ in nothing
 */
export async function startMock(
  t: ExecutionContext,
  options: MockOptions,
  transport: Transport,
): Promise<RunningMock> {
  const clock = createStillClock();
  const mock = await createMock({ ...options, clock });
  t.teardown(() => mock.close());
  return watchClock(await openMock(mock, transport), clock);
}

/** Sends a request, and tells what becomes of it. */
export type Exchange = (request: CaseRequest, patience: Patience) => Promise<Seen>;

/** @returns a mock that is asked so, and whose clock tells how long it has waited */
export function watchClock(exchange: Exchange, clock: StillClock): RunningMock {
  return {
    async send(request, expected) {
      const before = clock.slept;
      const patience = patienceFor(expected.kind === 'fault' ? expected.fault : undefined);
      const seen = await exchange(request, patience);
      const delayMilliseconds = clock.slept - before;
      if (seen.kind === 'answer') return { ...seen, delayMilliseconds };
      return { ...seen, part: seen.part && { ...seen.part, delayMilliseconds } };
    },
  };
}

/** @returns the case's settings; its document and fixtures as files that go with the test */
export async function prepareOptions(
  t: ExecutionContext,
  { settings, document, fixtures }: CaseFile,
): Promise<MockOptions> {
  if (document === undefined && fixtures.length === 0) return settings;
  const folder = await mkdtemp(join(tmpdir(), 'coldframe-case-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const paths = fixtures.map((text, index) => write(`fixtures-${index + 1}.yaml`, text));
  return {
    ...settings,
    ...(document !== undefined && { document: await write('document.yaml', document) }),
    fixtures: await Promise.all(paths),
  };
}

/** @returns how a mock is asked by a transport */
export async function openMock(mock: Mock, transport: Transport): Promise<Exchange> {
  if (transport === 'in process')
    return (request, patience) => sendInProcess(mock, request, patience);
  const { port } = await mock.listen({ port: 0, host: '127.0.0.1' });
  return (request, patience) => sendOverSocket(port, request, patience);
}
