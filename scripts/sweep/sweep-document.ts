import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, NoAnswer, type Sent } from './client.ts';
import { Description, NotJudged } from './description.ts';
import type { DocumentResult } from './figures.ts';
import { Judge } from './judge.ts';
import type { Operation } from './operation.ts';
import { createProductSource } from './product-samples.ts';
import { readOperations } from './read-operations.ts';
import { createSampleSource } from './samples.ts';
import { Refused, type Server, startServer } from './server.ts';
import { sweepOperation } from './sweep-operation.ts';
import { Tally } from './tally.ts';
import { XmlValues } from './xml-values.ts';

const START_MILLISECONDS = 30_000;

type StartServer = typeof startServer;

export interface Limits {
  /** After these no further operation is begun. */
  readonly seconds: number;
  /** How many operations are swept; all if it is left out. */
  readonly operations?: number | undefined;
}

/**
 * Sweeps one document.
 *
 * @param start gives the server that is swept
 */
export async function sweepDocument(
  document: string,
  limits: Limits,
  start: StartServer = startServer,
): Promise<DocumentResult> {
  const begin = performance.now();
  const tally = new Tally();
  const result = (more: Partial<DocumentResult>): DocumentResult => ({
    document,
    version: '?',
    figures: tally.figures,
    failures: tally.failures,
    notJudged: tally.notJudged,
    notes: tally.notes,
    seconds: (performance.now() - begin) / 1000,
    ...more,
  });
  let description: Description;
  try {
    description = new Description(document);
  } catch (error) {
    return result({ fault: `cannot be read: ${String(error).slice(0, 200)}` });
  }
  const { version } = description;
  const keeper = new ServerKeeper(() => start(document, START_MILLISECONDS));
  try {
    await keeper.start();
    await sweepOperations(description, keeper, tally, {
      ...limits,
      end: begin + limits.seconds * 1000,
    });
    return result({ version });
  } catch (error) {
    if (error instanceof Refused) return result({ version, refused: error.message });
    return result({ version, fault: error instanceof Error ? (error.stack ?? '') : String(error) });
  } finally {
    await keeper.close();
  }
}

async function sweepOperations(
  description: Description,
  keeper: ServerKeeper,
  tally: Tally,
  { end, operations: most }: Limits & { readonly end: number },
): Promise<void> {
  const { operations, unread } = readOperations(description);
  tally.figures.operations = operations.length + unread.length;
  for (const { id, reason } of unread) tally.skip(`an operation: ${reason}`, id);
  const xml = new XmlValues(description);
  const sweeping = {
    tally,
    judge: new Judge(description),
    xml,
    reading: { xml },
    sources: [createSampleSource(description), await createProductSource(description)],
    send: createSend(keeper),
  };
  for (const operation of spread(operations).slice(0, most)) {
    if (performance.now() > end) {
      tally.skip('an operation: the time ran out');
      continue;
    }
    tally.figures.swept += 1;
    await sweepOperation(sweeping, operation).catch((error: unknown) => {
      if (!(error instanceof NotJudged)) throw error;
      tally.skip(error.message, `${operation.method} ${operation.path}`);
    });
  }
}

/** Refusals that depend on what was done before, which is not for a sweep to know. */
const BY_STATE = /problem=(?:RESOURCE_|PRECONDITION_|INVALID_PATCH|INVALID_CURSOR|IDEMPOTENCY_)/;

/** Repeats a request that the state refuses, in a session without changes. */
function createSend(keeper: ServerKeeper): (sent: Sent) => Promise<Answer> {
  let fresh = 0;
  return async (sent) => {
    const answer = await keeper.send(sent);
    if (!BY_STATE.test(answer.fields['mock-source'] ?? '')) return answer;
    const fields = { ...sent.fields, 'Mock-Session': `fresh-${fresh++}` };
    return keeper.send({ ...sent, fields });
  };
}

/** Takes the operations in steps, so that those swept before the time runs out are of all kinds. */
function spread(operations: readonly Operation[]): readonly Operation[] {
  const stride = 17;
  return Array.from({ length: Math.min(stride, operations.length) }, (_, offset) =>
    operations.filter((_, index) => index % stride === offset),
  ).flat();
}

/** Keeps a server running: after a hang or a death there is a new one. */
class ServerKeeper {
  readonly #start: () => Promise<Server>;
  #server: Server | undefined;

  constructor(start: () => Promise<Server>) {
    this.#start = start;
  }

  async start(): Promise<void> {
    this.#server = await this.#start();
  }

  async send(sent: Sent) {
    const server = this.#server;
    if (server === undefined) throw new Error('there is no server');
    try {
      return await server.client.send(sent);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await delay(100);
      const hasDied = server.hasDied();
      const said = `${error.message}${hasDied ? `, and the process died: ${server.errors().slice(-300)}` : ''}`;
      await server.close();
      await this.start();
      throw new NoAnswer(error.isHang, said);
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}
