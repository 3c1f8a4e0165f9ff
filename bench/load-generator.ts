import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillId, idsOf, type Requests } from './requests.ts';
import { lastWords, type Workplace } from './workplace.ts';

/** The counts of a load generator. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Answers with a status of 400 or more. */
  readonly refused: number;
  /** Failed connects, reads, writes and timeouts. */
  readonly socketErrors: number;
  /** Microseconds until the response to half of the requests, and to 99 of 100; wrk alone says it. */
  readonly p50?: number;
  readonly p99?: number;
}

export interface LoadSettings {
  readonly port: number;
  readonly requests: Requests;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests a second of all connections together, each with waits of its own as by chance; as fast
   * as they can where it is not said. For wrk alone.
   */
  readonly rate?: number;
  /** Besides those of every request. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export interface LoadGenerator {
  readonly title: string;
  readonly warning: string | undefined;
  readonly run: (settings: LoadSettings) => Promise<LoadResult>;
}

/** wrk where it is installed, else autocannon. */
export function createLoadGenerator(
  workplace: Workplace,
  pinning: readonly string[],
): LoadGenerator {
  return isInstalled('wrk') ? createWrk(workplace, pinning) : createAutocannon(workplace, pinning);
}

export const WARM_UP_SECONDS = 2;
/** `coldframe mock` lets V8 compile late (decision 82): a create gets faster until some 50,000. */
const WARM_REQUESTS = 60_000;
const MOST_WARM_UPS = 10;

/** Sends requests until V8 has compiled what is hot, also where the machine is slow. */
export async function warmUp(generator: LoadGenerator, settings: Omit<LoadSettings, 'seconds'>) {
  let requests = 0;
  for (let times = 0; times < MOST_WARM_UPS && requests < WARM_REQUESTS; times++) {
    requests += (await generator.run({ ...settings, seconds: WARM_UP_SECONDS })).requests;
  }
}

/** Whether it can be started; wrk exits with 1 even when it is asked for its version. */
function isInstalled(executable: string): boolean {
  return spawnSync(executable, ['--version'], { stdio: 'ignore' }).error === undefined;
}

function createWrk(workplace: Workplace, pinning: readonly string[]): LoadGenerator {
  const script = join(workplace.directory, 'load.lua');
  return {
    title: 'wrk',
    warning: undefined,
    run: ({ port, requests, connections, seconds, rate, fields }) => {
      const wait = rate === undefined ? undefined : (connections / rate) * 1_000;
      writeFileSync(script, wrkScript(requests, { ...requests.fields, ...fields }, wait));
      return runClient(workplace, seconds, [
        ...pinning,
        'wrk',
        '--threads=1',
        // What waits for the processor on a busy machine is late, not lost.
        '--timeout=10s',
        `--connections=${connections}`,
        `--duration=${seconds}s`,
        `--script=${script}`,
        `http://127.0.0.1:${port}`,
      ]);
    },
  };
}

/**
 * All requests are made before the clock starts, so that Lua does not limit the figures. There is
 * no `response` function for the same reason: wrk itself counts the statuses of 400 and more.
 *
 * @param wait milliseconds between two requests of a connection, on average
 */
function wrkScript(
  { method, path, body, ids, step = 1 }: Requests,
  fields: Readonly<Record<string, string>>,
  wait?: number,
): string {
  const delay = `function delay()\n  return math.floor(0.5 - math.log(1 - math.random()) * ${wait})\nend`;
  const headers = Object.entries(fields).map(([name, value]) => `["${name}"]="${value}"`);
  return `
local requests = {}
local turn = 0

function init()
  local headers = { ${headers.join(', ')} }
  for index = 1, ${ids} do
    local id = string.format('%d', (index - 1) * ${step} + 1)
    local path = string.gsub([[${path}]], '%$ID', id)
    local body = string.gsub([[${body}]], '%$ID', id)
    requests[index] = wrk.format('${method}', path, headers, body ~= '' and body or nil)
  end
end

function request()
  turn = turn % ${ids} + 1
  return requests[turn]
end

${wait === undefined ? '' : delay}

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"seconds":%.6f,"refused":%d,"socketErrors":%d,',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
  io.write(string.format('"p50":%d,"p99":%d}\\n', latency:percentile(50), latency:percentile(99)))
end
`;
}

const autocannonClient = fileURLToPath(new URL('autocannon-client.mjs', import.meta.url));

function createAutocannon(workplace: Workplace, pinning: readonly string[]): LoadGenerator {
  const input = join(workplace.directory, 'load.json');
  return {
    title: 'autocannon',
    warning:
      'wrk is not installed, so autocannon makes the load. It is slower than the faster servers ' +
      'here and limits their figures and ratios: install wrk (Debian: apt-get install wrk).',
    run: ({ port, requests, connections, seconds, fields }) => {
      const { method, path, body } = requests;
      const headers = { ...requests.fields, ...fields };
      const load = idsOf(requests).map((id) => ({
        method,
        path: fillId(path, id),
        headers,
        ...(body !== '' && { body: fillId(body, id) }),
      }));
      writeFileSync(input, JSON.stringify(load));
      return runClient(
        workplace,
        seconds,
        [
          ...pinning,
          process.execPath,
          ...[autocannonClient, String(port), String(connections), String(seconds)],
        ],
        input,
      );
    },
  };
}

/** Time that a client may take beyond its duration. */
const graceSeconds = 15;

async function runClient(
  workplace: Workplace,
  seconds: number,
  command: readonly string[],
  inputFile?: string,
): Promise<LoadResult> {
  const job = workplace.start(command, inputFile);
  const overdue = setTimeout(() => job.child.kill('SIGKILL'), (seconds + graceSeconds) * 1_000);
  try {
    await once(job.child, 'exit');
    if (job.child.exitCode !== 0) {
      const ending = job.child.exitCode ?? job.child.signalCode;
      throw new Error(`The load generator ended with ${ending}. ${lastWords(job)}`);
    }
    return parseResult(readFileSync(job.outputFile, 'utf8'));
  } finally {
    clearTimeout(overdue);
    await workplace.stop(job);
  }
}

/** The result is the last line; what a generator prints above it is for people. */
function parseResult(output: string): LoadResult {
  const line = output.trim().split('\n').at(-1) ?? '';
  const result: unknown = line.startsWith('{') ? JSON.parse(line) : undefined;
  if (!isLoadResult(result)) {
    throw new Error(`The load generator gave no result but: ${output}`);
  }
  return result;
}

function isLoadResult(value: unknown): value is LoadResult {
  const names = ['requests', 'seconds', 'refused', 'socketErrors'];
  const members = new Map(Object.entries(value ?? {}));
  return names.every((name) => typeof members.get(name) === 'number');
}

/** Requests per second, if every answer was the right one. */
export function checkedRate(
  result: LoadResult,
  { title, areRefused }: Requests,
  server: string,
): number {
  const { requests, seconds, refused, socketErrors } = result;
  if (requests === 0) {
    throw new Error(`${server} answered no ${title} in ${seconds} s`);
  }
  if (socketErrors > 0) {
    throw new Error(
      `${server}: ${socketErrors} socket errors in ${requests} times ${title}. Is something else ` +
        'using the machine, or does the server close its connections?',
    );
  }
  const expectedRefusals = areRefused ? requests : 0;
  if (refused !== expectedRefusals) {
    throw new Error(
      `${server} refused ${refused} of ${requests} times ${title}, expected ${expectedRefusals}: ` +
        'a figure for wrong answers means nothing, so look at the server first',
    );
  }
  return requests / seconds;
}
