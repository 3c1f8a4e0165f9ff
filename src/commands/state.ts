import { createMock } from '../assemble/mock.ts';
import { isJsonObject } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import type { AnyApi } from '../client/api-types.ts';
import { ControlError } from '../client/control-channel.ts';
import type { MockSession } from '../client/session.ts';
import type { StateOf } from '../client/state-control.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { readTextFile } from '../document/read.ts';
import { parseSource } from '../document/source.ts';
import { SourceDocument } from '../document/source-document.ts';
import { DEFAULT_SESSION } from '../session/session-id.ts';
import { UsageError } from '../settings/options.ts';
import { type Invocation, reachRunning, report, writeOut } from './console.ts';

/**
 * Exports the state of a session as a fixture file, or imports one: of a running mock or, with a
 * document or a store, of a new mock.
 */
export async function runState(given: Invocation): Promise<number> {
  const { console } = given;
  const [verb] = given.operands;
  if (verb !== 'export' && verb !== 'import') {
    throw new UsageError('state needs export or import: coldframe state export > seed.yaml');
  }
  const mock = await reachMock(given, verb);
  return report(console, async () =>
    verb === 'export'
      ? writeOut(await mock.session.state.export(), given)
      : importState(mock, given),
  ).finally(mock.close);
}

/** A session of a mock, in this process or at a URL. */
interface ReachedMock {
  readonly session: MockSession;
  readonly close: () => Promise<void>;
}

async function reachMock(given: Invocation, verb: 'export' | 'import'): Promise<ReachedMock> {
  const { settings, hasDocument, url, session = DEFAULT_SESSION } = given;
  const isKept = settings.store !== 'memory';
  if (url === undefined && (hasDocument || isKept)) {
    if (!isKept && verb === 'import') {
      throw new UsageError('import needs --url of a running mock, or --store of a stopped one');
    }
    const mock = await createMock({ ...settings, workers: 1 });
    return { session: mock.session(session), close: () => mock.close() };
  }
  return { session: reachRunning(given).session(session), close: () => Promise.resolve() };
}

async function importState({ session }: ReachedMock, given: Invocation): Promise<number> {
  const { adds, console } = given;
  const [, file] = given.operands;
  if (file === undefined) throw new UsageError('import needs a file: coldframe state import FILE');
  const document = await readSeedFile(file);
  const state = document.at('/resources') as Partial<StateOf<AnyApi>>;
  try {
    await (adds ? session.state.add(state) : session.state.seed(state));
    return 0;
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    const { detail, violations = [] } = error.problem;
    if (violations.length > 0) {
      throw new DiagnosticError(violations.map((one) => toDiagnostic(one, document)));
    }
    console.writeError(`coldframe: ${file}: ${detail}\n`);
    return 1;
  }
}

async function readSeedFile(file: string): Promise<SourceDocument> {
  const { text } = await readTextFile(file, 'fixture file');
  const document = new SourceDocument(parseSource(file, text));
  if (isJsonObject(document.at('/resources'))) return document;
  throw document.fail('', 'the file must have the member "resources", an object');
}

/** Locates a violation of the sent state in the file. */
function toDiagnostic({ pointer, message }: Violation, document: SourceDocument): Diagnostic {
  return document.diagnose('error', `/resources${pointer}`, message.replace(/^body\//, ''));
}
