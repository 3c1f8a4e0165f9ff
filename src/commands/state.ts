import { createMock } from '../assemble/mock.ts';
import { tryParseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject } from '../base/json/value.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { readTextFile } from '../document/read.ts';
import { parseSource } from '../document/source.ts';
import { SourceDocument } from '../document/source-document.ts';
import { type CommandLine, UsageError } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import { type Console, localUrl, reasonOf, writeOut } from './console.ts';

/** The arguments of `coldframe state`. */
export interface StateCall extends Pick<CommandLine, 'url' | 'session' | 'adds' | 'out'> {
  /** `export` or `import`. */
  readonly verb: string | undefined;
  /** The file to import. */
  readonly file: string | undefined;
  /** True where the command line names a document. */
  readonly hasDocument: boolean;
}

/**
 * Exports the state of a session as a fixture file, or imports one: of a running mock or, with a
 * document or a store, of a new mock.
 *
 * @returns 0, or 1 when it fails
 * @throws {UsageError} for missing or contradictory arguments
 * @throws {DiagnosticError} for an invalid fixture file
 */
export async function runState(
  call: StateCall,
  settings: Settings,
  console: Console,
): Promise<number> {
  const { verb } = call;
  if (verb !== 'export' && verb !== 'import') {
    throw new UsageError('state needs export or import: coldframe state export > seed.yaml');
  }
  const mock = await reachMock(call, settings, verb);
  try {
    return verb === 'export'
      ? await exportState(mock, call, console)
      : await importState(mock, call, console);
  } catch (error) {
    if (error instanceof UsageError || error instanceof DiagnosticError) throw error;
    console.writeError(`coldframe: ${reasonOf(error)}\n`);
    return 1;
  } finally {
    await mock.close();
  }
}

/** A control API, in this process or at a URL. */
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
      throw new UsageError('import needs --url of a running mock, or --store of a stopped one');
    }
    const mock = await createMock({ ...settings, admin: true, adminToken: '', workers: 1 });
    return {
      ask: (init) => mock.fetch('/__admin/state', withHeaders(init, headers)),
      close: () => mock.close(),
    };
  }
  const local = localUrl(settings, settings.adminPort ?? settings.port);
  const origin = (url ?? local).replace(/\/+$/, '');
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
  if (file === undefined) throw new UsageError('import needs a file: coldframe state import FILE');
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
    throw new DiagnosticError(violations.map((one) => toDiagnostic(one, document)));
  console.writeError(`coldframe: ${file}: ${detail}\n`);
  return 1;
}

/** @throws {DiagnosticError} for a fixture file without valid resources */
async function readSeedFile(file: string): Promise<SourceDocument> {
  const { text } = await readTextFile(file, 'fixture file');
  const document = new SourceDocument(parseSource(file, text));
  if (isJsonObject(document.at('/resources'))) return document;
  throw document.fail('', 'the file must have the member "resources", an object');
}

/** The problem of a refusal (RFC 9457). */
interface Refusal {
  readonly detail: string;
  readonly violations: readonly JsonObject[];
}

const LONGEST = 500;

function readRefusal({ status, statusText }: Response, text: string): Refusal {
  const problem = tryParseJson(text);
  const detail = isJsonObject(problem) ? getMember(problem, 'detail') : undefined;
  const violations = isJsonObject(problem) ? getMember(problem, 'violations') : undefined;
  return {
    detail:
      typeof detail === 'string'
        ? detail
        : `the mock responds with ${status} ${statusText}: ${text.slice(0, LONGEST)}`,
    violations: Array.isArray(violations) ? violations.filter(isJsonObject) : [],
  };
}

/** Locates a violation of the sent state in the file. */
function toDiagnostic(violation: JsonObject, document: SourceDocument): Diagnostic {
  const pointer = `/resources${String(getMember(violation, 'pointer') ?? '')}`;
  const message = String(getMember(violation, 'message') ?? '').replace(/^body\//, '');
  return document.diagnose('error', pointer, message);
}
