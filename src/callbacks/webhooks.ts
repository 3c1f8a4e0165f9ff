import type { Awaitable } from '../base/awaitable.ts';
import type { Contract } from '../contract/contract.ts';
import type { DrawChance, DrawValue } from '../respond/generated.ts';
import { readWebhooks } from './outgoing.ts';
import { composeRequest, type OutgoingRequest } from './outgoing-request.ts';
import type { IncomingResponse, Sender } from './sender.ts';

/** A webhook that was sent, and what came back. */
export interface WebhookExchange {
  readonly request: OutgoingRequest;
  readonly response: IncomingResponse;
}

/** Sends one webhook of the document. */
export type FireWebhook = (name: string, url: string | URL) => Promise<WebhookExchange>;

export interface WebhookMaterial {
  readonly contract: Contract;
  readonly draw: DrawValue;
  /** Returns the random seed and the time of the next webhook. */
  readonly nextChance: () => Awaitable<DrawChance>;
  readonly sender: Sender;
}

/**
 * Returns a function that sends a webhook to a URL of the caller. It throws for a name that the
 * document does not have, and the error of `fetch`.
 */
export function createFireWebhook({
  contract,
  draw,
  nextChance,
  sender,
}: WebhookMaterial): FireWebhook {
  return async (name, url) => {
    const webhooks = readWebhooks(contract);
    const webhook = webhooks.find((one) => one.name === name);
    if (webhook === undefined) {
      const names = [...new Set(webhooks.map((one) => one.name))].join(', ');
      throw new Error(
        `the document has no webhook ${JSON.stringify(name)}, it has ${names || 'none'}`,
      );
    }
    const request = await composeRequest(webhook, new URL(url).href, draw, await nextChance());
    return { request, response: await sender.send(request) };
  };
}
