import { findNearestName } from '../base/nearest-name.ts';
import { Problem } from '../base/problem.ts';
import { listOutgoing } from '../contract/callbacks.ts';
import type { Contract } from '../contract/contract.ts';
import { drawSeed } from '../respond/generated.ts';
import { Call } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import type { Deliver, WebhookExchange } from './deliver.ts';
import type { GivenPayload } from './outgoing.ts';

interface Wanted {
  readonly name: string;
  readonly url: string | URL;
  readonly body?: GivenPayload | undefined;
}

/**
 * Sends a webhook or a callback of the document to a URL of the caller.
 *
 * @param hosts the hosts that it may go to
 * @throws {Problem} UNKNOWN_CALLBACK, CALLBACK_NOT_SENT, or INVALID_REQUEST for a body that the
 *   document does not allow
 */
export type SendByHand = (
  wanted: Wanted,
  session: Session,
  hosts: readonly string[],
) => Promise<WebhookExchange>;

export function createSendByHand(contract: Contract, deliver: Deliver): SendByHand {
  return async ({ name, url, body }, session, hosts) => {
    const declared = findByName(contract, name);
    const call = new Call(session);
    return deliver({
      ...declared,
      callback: { name, cause: undefined },
      session,
      number: call.number,
      chance: { seed: drawSeed(call.random), now: call.now() },
      findUrl: () => new URL(url),
      hosts,
      body,
    });
  };
}

/** Returns the webhook of a name, else the callback of the first operation that has one. */
function findByName(contract: Contract, name: string) {
  const all = listOutgoing(contract);
  const found = all.find(({ outgoing }) => outgoing.name === name);
  if (found !== undefined) return found;
  const names = [...new Set(all.map(({ outgoing }) => outgoing.name))];
  const meant = findNearestName(name, names);
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new Problem(
    'UNKNOWN_CALLBACK',
    `the document has no webhook or callback ${JSON.stringify(name.slice(0, 80))}, ` +
      `it has ${names.join(', ') || 'none'}${question}`,
  );
}
