import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from './client.ts';

const PROGRAM = fileURLToPath(new URL('serve.mjs', import.meta.url));

/** A mock that listens in a process of its own. */
export interface Server {
  readonly client: Client;
  /** True when the process ended by itself. */
  readonly hasDied: () => boolean;
  readonly errors: () => string;
  close(): Promise<void>;
}

/** The mock would not serve the document, and said why. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** @throws {Refused}; also where the process dies or says nothing for as long as it is given */
export async function startServer(document: string, milliseconds: number): Promise<Server> {
  const child = fork(PROGRAM, [document], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-4_000);
  });
  const message = await waitForMessage(child, milliseconds, () => errors);
  if (message.port === undefined) {
    await stop(child);
    throw new Refused(message.refused ?? 'no reason given');
  }
  const client = new Client(message.port);
  let isClosing = false;
  return {
    client,
    hasDied: () => !isClosing && (child.exitCode !== null || child.signalCode !== null),
    errors: () => errors,
    async close() {
      isClosing = true;
      client.close();
      await stop(child);
    },
  };
}

interface Message {
  readonly port?: number;
  readonly refused?: string;
}

async function waitForMessage(
  child: ChildProcess,
  milliseconds: number,
  errors: () => string,
): Promise<Message> {
  const stopWaiting = new AbortController();
  const { signal } = stopWaiting;
  const timer = setTimeout(() => stopWaiting.abort(), milliseconds);
  try {
    const died = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`died at start (exit ${code}): ${errors().slice(-500)}`);
    });
    const [message] = await Promise.race([once(child, 'message', { signal }), died]);
    return message as Message;
  } catch (error) {
    await stop(child);
    if (signal.aborted) throw new Error(`hung at start for ${milliseconds} ms`);
    throw error;
  } finally {
    clearTimeout(timer);
    stopWaiting.abort();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
