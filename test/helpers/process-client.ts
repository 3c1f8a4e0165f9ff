import type { Mock } from '../../src/index.ts';
import type { CaseRequest } from './case-request.ts';
import type { Outcome, ReceivedAnswer } from './outcome.ts';

type Seen = Omit<ReceivedAnswer, 'delayMilliseconds'> | Exclude<Outcome, ReceivedAnswer>;

/** Sends a request without a port, as a program that embeds the mock does. */
export async function sendInProcess(mock: Mock, request: CaseRequest): Promise<Seen> {
  if (request.kind === 'raw') throw new Error('raw bytes need a socket');
  const { method, target, fields, body } = request;
  const headers = new Headers();
  for (const [name, value] of fields) headers.append(name, value);
  try {
    const hasBody = body.length > 0;
    return await toAnswer(
      await mock.fetch(target, { method, headers, ...(hasBody && { body: new Uint8Array(body) }) }),
    );
  } catch (error) {
    return toFault(error);
  }
}

async function toAnswer(response: Response): Promise<Seen> {
  const body = Buffer.from(await response.arrayBuffer());
  return { kind: 'answer', status: response.status, fields: new Map(response.headers), body };
}

/** What the platform's fetch throws for a connection that broke, by the code of its cause. */
function toFault(error: unknown): Seen {
  const cause = error instanceof TypeError ? (error.cause as { code?: string } | undefined) : null;
  if (cause?.code === 'ECONNRESET') return { kind: 'fault', fault: 'CONNECTION_RESET_BY_PEER' };
  if (cause?.code === 'UND_ERR_SOCKET') return { kind: 'fault', fault: 'EMPTY_RESPONSE' };
  throw error;
}
