import type { Requests } from './requests.ts';

/** The requests to a store. */
export type StateKind = 'create' | 'read' | 'list' | 'replace';

export const stateKinds: readonly StateKind[] = ['create', 'read', 'list', 'replace'];

/** As many as a load generator has at hand. */
const MOST_IDS = 10_000;
const PAGE = 20;
/** How many are put there at once. */
const FILLING = 5_000;

const credentials: Readonly<Record<string, string>> = { authorization: 'Bearer bench' };

/** Requests that go round a store of this size, all over it, and leave it as large as it is. */
export function createStateRequests(kind: StateKind, stored: number): Requests {
  const reach = Math.max(1, kind === 'list' ? stored - PAGE : stored);
  const ids = Math.min(reach, MOST_IDS);
  const round = { title: kind, ids, step: Math.floor(reach / ids), areRefused: false };
  const body = plantOf('$ID');
  const written = { body, fields: { ...credentials, 'content-type': 'application/json' } };
  const read = { body: '', fields: credentials };
  switch (kind) {
    case 'create':
      return { ...round, ...written, method: 'POST', path: '/plants' };
    case 'replace':
      return { ...round, ...written, method: 'PUT', path: '/plants/$ID' };
    case 'read':
      return { ...round, ...read, method: 'GET', path: '/plants/$ID' };
    case 'list':
      return { ...round, ...read, method: 'GET', path: `/plants?limit=${PAGE}&offset=$ID` };
  }
}

/** @returns requests that put so many plants there, with the ids from 1 on */
export function* createFilling(stored: number): Generator<string> {
  for (let first = 1; first <= stored; first += FILLING) {
    const count = Math.min(FILLING, stored + 1 - first);
    const plants = Array.from({ length: count }, (_, index) => plantOf(String(first + index)));
    yield `{"plants":[${plants.join(',')}]}`;
  }
}

function plantOf(id: string): string {
  return `{"id":${id},"name":"Monstera deliciosa","tag":"tropical"}`;
}
