import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { createDrill, type DrillFailure } from '../assemble/drill.ts';
import { loadContract, loadFixtures } from '../assemble/load.ts';
import { createMock } from '../assemble/mock.ts';
import { systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json/value.ts';
import { reasonOf } from '../base/problem.ts';
import type { MockSession } from '../client/session.ts';
import {
  DrillText,
  describeEnding,
  formatDrillJson,
  formatDrillJunit,
  lastLines,
} from '../report/drill/forms.ts';
import {
  type Drill,
  type DrillReport,
  type Ending,
  isBad,
  runBaseline,
  runDrill,
  type Trial,
  type TrialResult,
} from '../report/drill/run-drill.ts';
import { UsageError } from '../settings/options.ts';
import {
  type Console,
  chooseForm,
  type Invocation,
  reachRunning,
  report,
  writeOut,
} from './console.ts';

/**
 * Runs a command of the user once for each failure, and prints which of them it survived. Returns 1
 * when the command fails where a client can succeed.
 */
export async function runDrillCommand(given: Invocation): Promise<number> {
  const { console, lists, format } = given;
  chooseForm('drill', format, FORMS);
  const [name, ...words] = given.operands;
  if (name === undefined && !lists) {
    throw new UsageError('drill needs your command after --: coldframe drill api.yaml -- npm test');
  }
  const reached = await reach(given);
  const { failures } = reached;
  return report(console, async () => {
    if (name !== undefined && !lists) return drill(reached, [name, ...words], given);
    console.write(new DrillText(failures, console.hasColor).list(failures));
    return 0;
  }).finally(reached.close);
}

/** A mock that listens, and the failures to try. */
interface Reached {
  readonly failures: readonly DrillFailure[];
  readonly session: () => MockSession;
  readonly close: () => Promise<void>;
}

/** The least limit of the journal: a drill reads the requests of a command from it. */
const FEWEST_KEPT = 10_000;

/** Starts a mock of the document, or connects to the one at `--url`. */
async function reach({ settings, url, only = [], hasDocument }: Invocation): Promise<Reached> {
  if (url === undefined) {
    const journalLimit = Math.max(settings.journalLimit, FEWEST_KEPT);
    const alone = { workers: 1, watch: false, log: 'silent', journalLimit } as const;
    const mock = await createMock({ ...settings, ...alone });
    const session = () => mock.session();
    const close = () => mock.close();
    try {
      await mock.listen({ port: 0 });
      return { failures: mock.drill(...only), session, close };
    } catch (error) {
      await close();
      throw error;
    }
  }
  const mock = reachRunning({ settings, url });
  const document = hasDocument
    ? settings.document
    : [await fetchDocument(mock.url, settings.adminToken)];
  const { contract } = await loadContract({ ...settings, document });
  // The rules of that mock's own files are not known here.
  const { fixtures } = await loadFixtures(contract, { document, fixtures: [], fixture: [] });
  const session = () => mock.session();
  const failures = createDrill({ contract, fixtures }, session, only);
  return { failures, session, close: () => Promise.resolve() };
}

async function fetchDocument(url: string, token: string): Promise<JsonObject> {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${url}/__admin/openapi.json`, { headers });
    if (response.ok) return (await response.json()) as JsonObject;
    throw new Error(`it responds with ${response.status}`);
  } catch (error) {
    throw new UsageError(`there is no mock at ${url}: ${reasonOf(error)}`);
  }
}

async function drill(reached: Reached, program: Program, given: Invocation): Promise<number> {
  const { failures } = reached;
  const { console, format, jobs = 1, timeout } = given;
  const command = program.join(' ');
  const text = new DrillText(failures, console.hasColor);
  const screen = format === 'text' ? console : SILENT;
  const stopped = new AbortController();
  void console.ended.then(() => stopped.abort());
  screen.write(`${command}: first without a failure, then with each\n\n${text.head()}`);
  const { result: baseline, called } = await runBaseline(
    reached.session(),
    createRun(program, console, timeout ?? LONGEST_BASELINE),
  );
  if (stopped.signal.aborted) return 1;
  const refusal = refuseBaseline(baseline, command);
  if (refusal !== undefined) {
    console.writeError(`coldframe: ${refusal}\n`);
    return 1;
  }
  screen.write(text.row(baseline));
  const isCalled = ({ operationId }: Trial): boolean =>
    operationId === undefined || called.has(operationId);
  const trials = failures.filter(isCalled);
  const run = createRun(program, console, timeout ?? allowanceAfter(baseline));
  const progress = showProgress(screen, trials.length, text);
  const drill: Drill = { trials, jobs, stopped: stopped.signal, perform: run, ...progress };
  const results = await runDrill(drill);
  if (stopped.signal.aborted) return 1;
  const uncalled = failures.filter((failure) => !isCalled(failure));
  const write = chooseForm('drill', format, FORMS);
  const sum = write({ command, baseline, results, uncalled }, text);
  // The rows before it are on the screen.
  const out = format === 'text' ? undefined : given.out;
  const code = await writeOut(sum, { ...given, out });
  return results.some(isBad) ? 1 : code;
}

/** Seconds that a command may take without a failure. */
const LONGEST_BASELINE = 600;

/** Returns the seconds that a command may take: slow responses and pauses before retries add up. */
function allowanceAfter({ seconds, requests }: TrialResult): number {
  return seconds + 30 + 3 * requests;
}

/** Returns what runs the command in a session, which it names by its URL and as baggage. */
function createRun(program: Program, console: Console, seconds: number): Drill['perform'] {
  return ({ id, url }) => {
    const baggage = [console.environment['BAGGAGE'] ?? [], `mock-session=${id}`].flat().join(',');
    const environment = { COLDFRAME_URL: url, BAGGAGE: baggage };
    return perform(program, { console, environment, timeoutMilliseconds: seconds * 1000 });
  };
}

/** Returns why a drill says nothing; undefined if the command passes and uses the mock. */
function refuseBaseline(baseline: TrialResult, command: string): string | undefined {
  const { result, requests, output } = baseline;
  if (result !== 'passed') {
    const end = lastLines(output).join('\n');
    return `${command} has to pass without a failure first. ${describeEnding(baseline)}\n${end}`;
  }
  if (requests > 0) return undefined;
  return `${command} sent no request to the mock. The variable COLDFRAME_URL has its base URL: create your client with it`;
}

type Screen = Pick<Console, 'isTerminal' | 'write'>;

const SILENT: Screen = { isTerminal: false, write: () => {} };

/** Shows each result and, on a terminal, what runs. */
function showProgress({ isTerminal, write }: Screen, total: number, text: DrillText) {
  let ended = 0;
  const clear = isTerminal ? '\r\u001b[K' : '';
  return {
    onBegin({ name }: Trial): void {
      if (isTerminal) write(`${clear}  ${ended + 1} of ${total}: ${name}`);
    },
    onEnd(result: TrialResult): void {
      ended += 1;
      write(clear + text.row(result));
    },
  };
}

/** The whole report for programs; for people, what follows the rows. */
const FORMS = {
  text: (report: DrillReport, text: DrillText) => text.sum(report),
  json: formatDrillJson,
  junit: formatDrillJunit,
};

/** A program of the user, with its arguments. */
type Program = readonly [name: string, ...words: string[]];

interface Surroundings {
  readonly console: Console;
  /** Variables besides those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
}

/** The end of the output that is kept. */
const LONGEST_OUTPUT = 64 * 1024;
/** A process that is still running this long after SIGTERM is killed. */
const GRACE_MILLISECONDS = 2000;

/** Runs a program to its end, and keeps the end of its output. */
async function perform(program: Program, surroundings: Surroundings): Promise<Ending> {
  const { console, environment, timeoutMilliseconds } = surroundings;
  const [name, ...words] = program;
  const began = systemClock.monotonic();
  const child = spawn(name, words, {
    cwd: console.folder,
    env: { ...console.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the program starts ends with it.
    detached: true,
    // On Windows, npm is a script.
    shell: platform() === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-LONGEST_OUTPUT);
    });
  }
  const over = new AbortController();
  const end = async (): Promise<void> => {
    console.endGroup(child.pid, 'SIGTERM');
    await systemClock.sleep(GRACE_MILLISECONDS, over.signal);
    console.endGroup(child.pid, 'SIGKILL');
  };
  const ended = new Promise<number | undefined>((resolve, reject) => {
    child.once('error', ({ message }) => reject(new UsageError(`cannot run ${name}: ${message}`)));
    child.once('close', (code) => resolve(code ?? undefined));
    child.once('exit', async (code) => {
      // Its background processes keep its output open.
      console.endGroup(child.pid, 'SIGKILL');
      await systemClock.sleep(GRACE_MILLISECONDS, over.signal);
      resolve(code ?? undefined);
    });
  }).finally(() => over.abort());
  let isLate = false;
  void console.ended.then(end);
  void systemClock.sleep(timeoutMilliseconds, over.signal).then(() => {
    isLate = !over.signal.aborted;
    return isLate ? end() : undefined;
  });
  const code = await ended;
  const seconds = (systemClock.monotonic() - began) / 1000;
  const result = isLate ? 'timed out' : code === 0 ? 'passed' : 'failed';
  return { result, code, seconds, output };
}
