import { createMock } from '../assemble/mock.ts';
import { JsonError, parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { readTextFile } from '../document/read.ts';
import { parseSource } from '../document/source.ts';
import { SourceDocument } from '../document/source-document.ts';
import { readSeedDefinitions } from '../rules/answer/seed-form.ts';
import { FormReader } from '../rules/form-reader.ts';
import { UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';
import { writeOut } from './write-out.ts';

/** Which state, and where it is. */
export interface StateCall {
  /** `export` or `import`. */
  readonly verb: string | undefined;
  /** Of an import. */
  readonly file: string | undefined;
  /** True where the words name a document. */
  readonly hasDocument: boolean;
  /** Where a mock runs; undefined where it runs as the settings say, or there is none. */
  readonly url: string | undefined;
  readonly session: string | undefined;
  /** True where an import leaves what is stored. */
  readonly adds: boolean;
  /** The file of an export; undefined prints it. */
  readonly out: string | undefined;
}

/**
 * Writes the state of a session as a fixture file, or puts one in its place: of a mock that runs,
 * or, where a document or a store is named, of one that is made for it.
 *
 * @returns 0, or 1 when it could not be done
 * @throws {UsageError} when it is not said what to do
 * @throws {DiagnosticError} with all that is wrong with the file
 */
export async function runState(
  call: StateCall,
  settings: Settings,
  console: Console,
): Promise<number> {
  const { verb } = call;
  if (verb !== 'export' && verb !== 'import') {
    throw new UsageError('state wants export or import: coldframe state export > seed.yaml');
  }
  const mock = await reachMock(call, settings, verb);
  try {
    return verb === 'export'
      ? await exportState(mock, call, console)
      : await importState(mock, call, console);
  } catch (error) {
    if (error instanceof UsageError || error instanceof DiagnosticError) throw error;
    console.complain(`coldframe: ${reasonOf(error)}\n`);
    return 1;
  } finally {
    await mock.close();
  }
}

/** A control API, wherever it is. */
interface ReachedMock {
  ask(init: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

async function reachMock(
  { hasDocument, url, session }: StateCall,
  settings: Settings,
  verb: 'export' | 'import',
): Promise<ReachedMock> {
  const isKept = settings.store !== 'memory';
  const headers = { ...(session !== undefined && { 'Mock-Session': session }) };
  if (url === undefined && (hasDocument || isKept)) {
    if (!isKept && verb === 'import') {
      throw new UsageError(
        'an import wants --url of a mock that runs, or --store of what it keeps',
      );
    }
    const mock = await createMock({ ...settings, admin: true, adminToken: '', workers: 1 });
    return {
      ask: (init) => mock.fetch('/__admin/state', withHeaders(init, headers)),
      close: () => mock.close(),
    };
  }
  const origin = (url ?? urlOf(settings)).replace(/\/+$/, '');
  if (!URL.canParse(origin)) throw new UsageError(`--url must be a URL, got "${origin}"`);
  const token = settings.adminToken;
  const all = { ...headers, ...(token !== '' && { Authorization: `Bearer ${token}` }) };
  return {
    ask: (init) => fetch(`${origin}/__admin/state`, withHeaders(init, all)),
    close: () => Promise.resolve(),
  };
}

function withHeaders(init: RequestInit, headers: Readonly<Record<string, string>>): RequestInit {
  return { ...init, headers: { ...init.headers, ...headers } };
}

function urlOf({ host, port, adminPort }: Settings): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${adminPort ?? port}`;
}

async function exportState(
  mock: ReachedMock,
  { out }: StateCall,
  console: Console,
): Promise<number> {
  const response = await mock.ask({ headers: { Accept: 'application/yaml' } });
  const text = await response.text();
  if (response.ok) return writeOut(text, out, console);
  throw new Error(readRefusal(response, text).detail);
}

async function importState(
  mock: ReachedMock,
  { adds, file }: StateCall,
  console: Console,
): Promise<number> {
  if (file === undefined)
    throw new UsageError('an import wants a file: coldframe state import FILE');
  const document = await readSeedFile(file);
  const response = await mock.ask({
    method: adds ? 'POST' : 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: stringifyJson(document.at('/resources') ?? {}),
  });
  const text = await response.text();
  if (response.ok) return 0;
  const { detail, violations } = readRefusal(response, text);
  if (violations.length > 0)
    throw new DiagnosticError(violations.map((one) => place(one, document)));
  console.complain(`coldframe: ${file}: ${detail}\n`);
  return 1;
}

/** @throws {DiagnosticError} for a file that is none of resources */
async function readSeedFile(file: string): Promise<SourceDocument> {
  const { text } = await readTextFile(file, 'fixture file');
  const document = new SourceDocument(parseSource(file, text));
  const faults: Diagnostic[] = [];
  const root = new FormReader(document, '', document.root, faults);
  root.require('resources');
  readSeedDefinitions(document, root);
  if (faults.length > 0) throw new DiagnosticError(faults);
  return document;
}

/** Why a mock refuses, as it says itself (RFC 9457). */
interface Refusal {
  readonly detail: string;
  readonly violations: readonly JsonObject[];
}

const LONGEST = 500;

function readRefusal({ status, statusText }: Response, text: string): Refusal {
  const told = readJson(text);
  const detail = isJsonObject(told) ? getMember(told, 'detail') : undefined;
  const violations = isJsonObject(told) ? getMember(told, 'violations') : undefined;
  return {
    detail:
      typeof detail === 'string'
        ? detail
        : `the mock answers ${status} ${statusText}: ${text.slice(0, LONGEST)}`,
    violations: Array.isArray(violations) ? violations.filter(isJsonObject) : [],
  };
}

function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** A place in what was sent is one in the file. */
function place(violation: JsonObject, document: SourceDocument): Diagnostic {
  const pointer = `/resources${String(getMember(violation, 'pointer') ?? '')}`;
  const message = String(getMember(violation, 'message') ?? '').replace(/^body\//, '');
  return document.diagnose('error', pointer, message);
}

/** The platform's fetch says why it failed in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
