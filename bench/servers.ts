import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { once } from '../src/base/remember.ts';
import { largeDocumentOperations, writeLargeDocument } from './large-document.ts';

export type ServerName =
  | 'bare-node'
  | 'floor'
  | 'coldframe'
  | 'coldframe-silent'
  | 'coldframe-no-journal'
  | 'coldframe-no-coverage'
  | 'coldframe-session'
  | 'coldframe-stateless'
  | 'coldframe-large'
  | 'prism';

export type Part =
  | 'throughput'
  | 'latency'
  | 'startup'
  | 'in-process'
  | 'large-documents'
  | 'first-calls'
  | 'flatness';

export const parts: readonly Part[] = [
  'throughput',
  'latency',
  'startup',
  'in-process',
  'large-documents',
  'first-calls',
  'flatness',
];

export interface Server {
  readonly name: ServerName;
  readonly title: string;
  readonly parts: readonly Part[];
  /** The arguments of the plain `node` that it runs under. */
  readonly nodeArguments: (port: number) => readonly string[];
  /** Fields that its load has besides those of every create. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Every ratio is to this one. */
export const baseServer: ServerName = 'floor';

const executable = fromProject('dist/main.js');
const plantStore = fromProject('spec/plant-store.openapi.yaml');

/** Returns the path of the large document, which is written for the first server that needs it. */
const largeDocument = once(() => writeLargeDocument(plantStore));

/** The difference between these two is the cost of the journal. */
export const journalServers: readonly [on: ServerName, off: ServerName] = [
  'coldframe-silent',
  'coldframe-no-journal',
];

/** In the order in which they take turns. */
export const servers: readonly Server[] = [
  {
    name: 'bare-node',
    title: 'bare node:http',
    parts: ['startup'],
    nodeArguments: (port) => [fromProject('bench/bare-node.mjs'), String(port)],
  },
  {
    name: 'floor',
    title: 'floor (bare Hono, Ajv, Map)',
    parts: ['throughput', 'latency', 'startup'],
    nodeArguments: (port) => [fromProject('bench/floor.mjs'), String(port)],
  },
  {
    name: 'coldframe',
    title: 'Coldframe, default settings',
    parts: ['throughput', 'latency', 'startup'],
    nodeArguments: (port) => [executable, 'mock', '-p', String(port)],
  },
  {
    name: 'coldframe-silent',
    title: 'Coldframe, --verboseLevel silent',
    parts: ['throughput'],
    nodeArguments: silentMock,
  },
  {
    name: 'coldframe-no-journal',
    title: 'Coldframe, silent, no journal',
    parts: ['throughput'],
    nodeArguments: (port) => [...silentMock(port), '--journal-limit', '0'],
  },
  {
    name: 'coldframe-no-coverage',
    title: 'Coldframe, silent, no coverage',
    parts: ['throughput'],
    nodeArguments: (port) => [...silentMock(port), '--no-coverage'],
  },
  {
    name: 'coldframe-session',
    title: 'Coldframe, silent, in a session',
    parts: ['throughput'],
    nodeArguments: silentMock,
    fields: { 'mock-session': 'bench' },
  },
  {
    name: 'coldframe-stateless',
    title: 'Coldframe, silent, --mode example',
    parts: ['throughput'],
    nodeArguments: (port) => [...silentMock(port), '--mode', 'example'],
  },
  {
    name: 'coldframe-large',
    title: `Coldframe, silent, ${largeDocumentOperations} operations`,
    parts: ['throughput', 'startup'],
    nodeArguments: (port) => [
      ...[executable, 'mock', largeDocument()],
      ...['-p', String(port), '--verboseLevel', 'silent'],
    ],
  },
  {
    name: 'prism',
    title: 'Prism server, log silent',
    parts: ['throughput', 'startup'],
    nodeArguments: (port) => [fromProject('bench/prism.mjs'), String(port), plantStore],
  },
];

/** Returns the servers that a part measures. */
export function serversOf(part: Part): readonly Server[] {
  return servers.filter((server) => server.parts.includes(part));
}

/** The servers that take part, all of them present on disk. */
export function selectServers(part: Part, only: readonly ServerName[]): readonly Server[] {
  const selected = serversOf(part).filter(({ name }) => only.includes(name));
  if (selected.some(({ name }) => name.startsWith('coldframe')) && !existsSync(executable)) {
    throw new Error('dist/main.js is missing: run npm run build first');
  }
  return selected;
}

function silentMock(port: number): readonly string[] {
  return [executable, 'mock', '-p', String(port), '--verboseLevel', 'silent'];
}

function fromProject(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
