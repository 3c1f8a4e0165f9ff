import { groupBy } from '../base/remember.ts';
import type { Operation } from '../contract/contract.ts';
import { silentLog } from '../events/log.ts';
import { handle } from '../handle.ts';
import { Fields } from '../http/message.ts';
import type { ReadyRequest } from '../request/ready-request.ts';
import type { Pipeline } from '../respond/pipeline.ts';
import { LocalSessions } from '../session/local-sessions.ts';
import type { SessionBeginning } from '../session/session.ts';
import { UsedItems } from '../session/used-items.ts';
import { MemoryStores } from '../state/memory-stores.ts';
import type { Loaded } from './load.ts';
import { assemblePipeline, type Lasting } from './pipeline.ts';

/** More would take seconds, for operations that are called less often. */
const MOST_REQUESTS = 300;

/** One session, which lasts as long as the rehearsal. */
const BOUNDS = { maximum: 1, idleMilliseconds: Number.POSITIVE_INFINITY };

/**
 * Sends requests to a document before clients do. The first call of an operation reads schemas and
 * makes the resources that its collection begins with, which all later calls share.
 *
 * The requests have a pipeline, a session and an empty store of their own, without rules, journal,
 * log, coverage and callbacks, so that nobody sees them and nothing of what they create stays.
 */
export class Rehearsal {
  readonly #operations: Iterator<Operation>;
  readonly #pipeline: Pipeline;
  readonly #sessions: LocalSessions;

  constructor(loaded: Loaded, lasting: Lasting, beginning: SessionBeginning) {
    this.#operations = chooseOperations(loaded).values();
    this.#pipeline = createPipeline(loaded, lasting);
    this.#sessions = createSessions(this.#pipeline, beginning);
  }

  /** Sends the next request. Returns false if none is left. */
  async next(): Promise<boolean> {
    const { done, value } = this.#operations.next();
    if (done === true) return false;
    const ready = this.#pipeline.ready().of(value);
    if (ready !== undefined) await this.#send(ready);
    return true;
  }

  async #send({ operation, target, fields, body }: ReadyRequest): Promise<void> {
    const { method } = operation;
    const request = { method, target, fields: new Fields(fields), rawBody: Buffer.from(body) };
    await handle(this.#pipeline, this.#sessions, { id: undefined, request });
  }
}

/** By method, `{` where the path has parameters: lists, creates, and then what changes a resource. */
const ORDER = ['GET', 'POST', 'POST {', 'PATCH {', 'PUT {', 'GET {'];

/** Returns the operations to call, the ones that clients call first before the others. */
function chooseOperations({ contract }: Loaded): readonly Operation[] {
  const groups = groupBy(contract.operations, ({ method, path }) =>
    path.includes('{') ? `${method} {` : method,
  );
  return ORDER.flatMap((one) => groups.get(one) ?? []).slice(0, MOST_REQUESTS);
}

function createPipeline(loaded: Loaded, lasting: Lasting): Pipeline {
  const settings = { ...lasting.settings, coverage: false };
  const unseen = { listen() {}, publish() {}, log: silentLog, used: new UsedItems() };
  const withoutRules = { ...loaded, fixtures: loaded.fixtures.withoutRules() };
  const pipeline = assemblePipeline(withoutRules, { ...lasting, ...unseen, settings });
  return { ...pipeline, callBack() {} };
}

/** The resources of files are left out: there may be a million of them, and no later call shares them. */
function createSessions({ fixtures }: Pipeline, usual: SessionBeginning): LocalSessions {
  const journal = { ...usual.journal, maximumExchanges: 0 };
  const own = { ...usual, fixtures: () => fixtures, journal, replay: undefined };
  return new LocalSessions(own, BOUNDS, new MemoryStores());
}
