import { loadavg } from 'node:os';
import { measureFirstCalls } from './first-calls.ts';
import { count, files, namesOf, readFlags } from './flags.ts';
import { measureFlatness } from './flatness.ts';
import { measureInProcess } from './in-process.ts';
import { measureLargeDocuments } from './large-documents.ts';
import { measureLatency } from './latency.ts';
import { type Part, parts, type Server, selectServers, servers } from './servers.ts';
import { measureStartup } from './startup.ts';
import { measureThroughput } from './throughput.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

/** These parts start what they measure themselves. */
const WITHOUT_SERVERS: ReadonlySet<Part> = new Set([
  'in-process',
  'large-documents',
  'first-calls',
  'flatness',
]);

/** Progress goes to standard error, so that standard output holds the tables alone. */
function report(line: string): void {
  process.stderr.write(`${line}\n`);
}

const ROUNDS: Readonly<Record<Part, number>> = {
  throughput: 5,
  latency: 5,
  startup: 10,
  'in-process': 10,
  'large-documents': 3,
  'first-calls': 3,
  flatness: 3,
};

const usualRounds = parts.map((part) => `${ROUNDS[part]} (${part})`).join(', ');

const serverNames = servers.map(({ name }) => name);

function readCommandLine() {
  return readFlags('npm run bench --', {
    part: namesOf('parts', parts),
    only: namesOf('servers', serverNames),
    rounds: count(`turns that each server gets; default ${usualRounds}`, 1_000, undefined),
    seconds: count('length of one measurement of the throughput', 600, 4),
    connections: count('connections of the load generator', 1_000, 32),
    document: files('a document to measure starts with and first calls of'),
  });
}

type CommandLine = ReturnType<typeof readCommandLine>;

async function main(commandLine: CommandLine): Promise<void> {
  // Before anything starts: what is missing should not be found out after minutes.
  const plan = commandLine.part.map((part) => ({
    part,
    servers: selectServers(part, commandLine.only),
  }));
  const workplace = openWorkplace();
  const load = (loadavg()[0] ?? 0).toFixed(1);
  report(`Node ${process.version}, load average ${load}; other work on this machine adds noise`);
  for (const step of plan) {
    if (step.servers.length > 0 || WITHOUT_SERVERS.has(step.part)) {
      process.stdout.write(`\n${await measure(workplace, step, commandLine)}\n\n`);
    }
  }
  process.stdout.write(
    '"of floor" is the median over the rounds of the ratio to the floor in the same round.\n',
  );
}

function measure(
  workplace: Workplace,
  step: { readonly part: Part; readonly servers: readonly Server[] },
  { seconds, connections, document: documents, ...given }: CommandLine,
): Promise<string> | string {
  const { part } = step;
  const rounds = given.rounds ?? ROUNDS[part];
  if (part === 'in-process') return measureInProcess(workplace, { rounds, report });
  if (part === 'first-calls') return measureFirstCalls(workplace, { documents, rounds, report });
  if (part === 'large-documents') {
    return measureLargeDocuments(workplace, { documents, rounds, report });
  }
  if (part === 'flatness') return measureFlatness(workplace, { rounds, report });
  if (part === 'latency')
    return measureLatency(workplace, { servers: step.servers, rounds, report });
  return part === 'throughput'
    ? measureThroughput(workplace, { servers: step.servers, rounds, seconds, connections, report })
    : measureStartup(workplace, { servers: step.servers, rounds, report });
}

const commandLine = readCommandLine();
try {
  await main(commandLine);
} catch (error) {
  report(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
