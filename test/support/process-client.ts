import type { Mock } from '../../src/index.ts';
import type { CaseRequest } from './case-request.ts';
import { measureSilence, type Patience, type Seen, type SeenFault } from './outcome.ts';

/** Sends a request without a port, as a program that embeds the mock does. */
export async function sendInProcess(
  mock: Mock,
  request: CaseRequest,
  patience: Patience,
): Promise<Seen> {
  if (request.kind === 'raw') throw new Error('raw bytes need a socket');
  const { method, target, fields, body } = request;
  const headers = new Headers();
  for (const [name, value] of fields) headers.append(name, value);
  const abort = new AbortController();
  let most = patience.head;
  const silence = measureSilence(
    () => most,
    () => abort.abort(new DOMException('nothing comes', 'TimeoutError')),
  );
  const init = {
    method,
    headers,
    signal: abort.signal,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  };
  try {
    const response = await mock.fetch(target, init).catch(toFault);
    most = patience.body;
    silence.heard();
    return response instanceof Response ? await readAnswer(response) : response;
  } finally {
    silence.stop();
  }
}

async function readAnswer(response: Response): Promise<Seen> {
  const parts: Uint8Array[] = [];
  const toAnswer = () => ({
    kind: 'answer' as const,
    status: response.status,
    fields: new Map(response.headers),
    body: Buffer.concat(parts),
  });
  try {
    for await (const part of response.body ?? []) parts.push(part);
    return toAnswer();
  } catch (error) {
    return { kind: 'fault', fault: nameFault(error, bodyFaults), part: toAnswer() };
  }
}

function toFault(error: unknown): Seen {
  return { kind: 'fault', fault: nameFault(error, connectionFaults), part: undefined };
}

/** By the code of the error's cause, as the platform's fetch has it, or by its own name. */
function nameFault(error: unknown, names: ReadonlyMap<string, SeenFault>): SeenFault {
  const { name, cause } = error as { name: string; cause?: { code?: string } };
  const fault = names.get(cause?.code ?? name);
  if (fault === undefined) throw error;
  return fault;
}

const connectionFaults: ReadonlyMap<string, SeenFault> = new Map([
  ['ECONNRESET', 'CONNECTION_RESET_BY_PEER'],
  ['UND_ERR_SOCKET', 'EMPTY_RESPONSE'],
  ['HPE_INVALID_CONSTANT', 'RANDOM_DATA_THEN_CLOSE'],
  ['TimeoutError', 'HANG'],
]);

const bodyFaults: ReadonlyMap<string, SeenFault> = new Map([
  ['ECONNRESET', 'CLOSE_MID_BODY'],
  ['UND_ERR_SOCKET', 'WRONG_CONTENT_LENGTH'],
  ['HPE_INVALID_CHUNK_SIZE', 'MALFORMED_RESPONSE_CHUNK'],
  ['TimeoutError', 'SLOW_CLOSE'],
]);
