import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Startable } from '../server-process.ts';

/** A server of the comparison. */
export interface Peer extends Startable {
  readonly name: string;
  /** The folders of the packages that it runs from; the version of the first is its own. */
  readonly packages: readonly [string, ...string[]];
  /** A sentence that is printed below its figures. */
  readonly note?: string;
}

const DOCUMENT = fromProject('spec/plant-store.openapi.yaml');

/** Each as its documentation starts it, without what it writes about each request. */
export const PEERS: readonly Peer[] = [
  {
    name: 'coldframe',
    title: 'Coldframe',
    packages: [fromProject('.')],
    nodeArguments: (port) => [
      ...[fromProject('dist/main.js'), DOCUMENT, '-p', String(port)],
      ...['--log', 'silent'],
    ],
    note: 'Coldframe has the value of this document from its build: its start parses no YAML.',
  },
  {
    name: 'prism',
    title: 'Prism',
    packages: [fromProject('node_modules/@stoplight/prism-http-server')],
    nodeArguments: (port) => [fromProject('bench/prism.mjs'), String(port), DOCUMENT],
  },
  {
    name: 'steady',
    title: 'Steady',
    packages: [installed('@stdy/cli')],
    nodeArguments: (port) => [
      ...[installed('.bin/steady'), DOCUMENT, '-p', String(port)],
      ...['--host', '127.0.0.1'],
    ],
  },
  {
    name: 'scalar',
    title: 'Scalar',
    packages: [installed('@scalar/mock-server'), installed('@hono/node-server')],
    nodeArguments: (port) => [fromProject('bench/peers/scalar.mjs'), String(port), DOCUMENT],
  },
  {
    name: 'mockoon',
    title: 'Mockoon',
    packages: [installed('@mockoon/cli')],
    nodeArguments: (port) => [
      ...[installed('.bin/mockoon-cli'), 'start', '--data', DOCUMENT, '--port', String(port)],
      ...['--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '0'],
    ],
  },
  {
    name: 'msw',
    title: 'MSW',
    packages: [installed('msw'), installed('@mswjs/http-middleware'), installed('@msw/source')],
    nodeArguments: (port) => [fromProject('bench/peers/msw.mjs'), String(port), DOCUMENT],
  },
  {
    name: 'json-server',
    title: 'json-server',
    packages: [installed('json-server')],
    nodeArguments: (port) => [fromProject('bench/peers/json-server.mjs'), String(port)],
    validStatus: 201,
    note:
      'json-server reads no document. It answers with 201, stores each create as one more plant, and ' +
      'serialises all plants for its file after each: the longer it is measured, the slower it is.',
  },
  {
    name: 'wiremock',
    title: 'WireMock, a stub',
    packages: [installed('wiremock')],
    nodeArguments: (port) => [
      ...[installed('.bin/wiremock'), '--port', String(port), '--no-request-journal'],
      ...['--root-dir', fromProject('bench/peers/wiremock')],
    ],
  },
];

/** @returns such as "Scalar 0.14.4 (@hono/node-server 2.1.8)" */
export function versionOf({ title, packages: [own, ...others] }: Peer): string {
  const [name] = title.split(',');
  const inside = others.map(manifestOf).map((one) => `${one.name} ${one.version}`);
  const addition = inside.length === 0 ? '' : ` (${inside.join(', ')})`;
  return `${name} ${manifestOf(own).version}${addition}`;
}

function manifestOf(folder: string): { name: string; version: string } {
  const manifest: unknown = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const members = new Map(Object.entries(manifest ?? {}));
  return { name: String(members.get('name')), version: String(members.get('version')) };
}

function fromProject(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

function installed(path: string): string {
  return fromProject(`bench/peers/node_modules/${path}`);
}
