import { request } from 'node:http';
import { fillId, type Requests } from './requests.ts';

/** A valid create is answered with 200, an invalid one with 400. */
export type CreateKind = 'valid' | 'invalid';

export const createKinds: readonly CreateKind[] = ['valid', 'invalid'];

export const expectedStatus: Readonly<Record<CreateKind, number>> = { valid: 200, invalid: 400 };

export const createPath = '/plants';

export const createHeaders: Readonly<Record<string, string>> = {
  authorization: 'Bearer bench',
  'content-type': 'application/json',
};

/** The ids go round: a store that grew without bound would measure the garbage collector. */
const idCount = 10_000;

export function createBody(kind: CreateKind, id: number): string {
  return fillId(bodyTemplate(kind), id);
}

/** The creates of a kind. */
export function createRequests(kind: CreateKind): Requests {
  return {
    title: `${kind} create`,
    method: 'POST',
    path: createPath,
    body: bodyTemplate(kind),
    fields: createHeaders,
    ids: idCount,
    areRefused: kind === 'invalid',
  };
}

/** The invalid one has a string for an id. */
function bodyTemplate(kind: CreateKind): string {
  const id = kind === 'valid' ? '$ID' : '"$ID"';
  return `{"name":"Monstera deliciosa","tag":"tropical","id":${id}}`;
}

export interface CreateAnswer {
  readonly status: number;
  readonly body: string;
}

const answerTimeout = 5_000;

/** Sends one create on a connection of its own; rejects when there is no whole answer. */
export function sendCreate(port: number, kind: CreateKind): Promise<CreateAnswer> {
  const body = createBody(kind, 1);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: createPath,
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(answerTimeout),
      headers: { ...createHeaders, 'content-length': Buffer.byteLength(body) },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', reject);
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: text }));
    });
    outgoing.end(body);
  });
}
