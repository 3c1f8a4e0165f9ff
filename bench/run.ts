import { loadavg } from 'node:os';
import { measureFirstCalls } from './first-calls.ts';
import { measureFlatness } from './flatness.ts';
import { measureInProcess } from './in-process.ts';
import { measureLargeDocuments } from './large-documents.ts';
import { measureLatency } from './latency.ts';
import { defaultRounds, help, type Options, readOptions, UsageError } from './options.ts';
import { type Part, type Server, selectServers } from './servers.ts';
import { measureStartup } from './startup.ts';
import { measureThroughput } from './throughput.ts';
import { Workplace } from './workplace.ts';

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

async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  if (options.help) {
    process.stdout.write(help);
    return;
  }
  // Before anything starts: what is missing should not be found out after minutes.
  const plan = options.parts.map((part) => ({ part, servers: selectServers(part, options.only) }));
  const workplace = new Workplace();
  process.once('exit', () => workplace.clear());
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(exitCode));
  }
  const load = (loadavg()[0] ?? 0).toFixed(1);
  report(`Node ${process.version}, load average ${load}; other work on this machine adds noise`);
  for (const { part, servers } of plan) {
    if (servers.length > 0 || WITHOUT_SERVERS.has(part)) {
      process.stdout.write(`\n${await measure(part, workplace, servers, options)}\n\n`);
    }
  }
  process.stdout.write(
    '"of floor" is the median over the rounds of the ratio to the floor in the same round.\n',
  );
}

function measure(
  part: Part,
  workplace: Workplace,
  servers: readonly Server[],
  options: Options,
): Promise<string> | string {
  const rounds = options.rounds ?? defaultRounds[part];
  const { seconds, connections, documents } = options;
  if (part === 'in-process') return measureInProcess(workplace, { rounds, report });
  if (part === 'first-calls') return measureFirstCalls(workplace, { documents, rounds, report });
  if (part === 'large-documents') {
    return measureLargeDocuments(workplace, { documents, rounds, report });
  }
  if (part === 'flatness') return measureFlatness(workplace, { rounds, report });
  if (part === 'latency') return measureLatency(workplace, { servers, rounds, report });
  return part === 'throughput'
    ? measureThroughput(workplace, { servers, rounds, seconds, connections, report })
    : measureStartup(workplace, { servers, rounds, report });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isUsageError = error instanceof UsageError;
  report(error instanceof Error ? error.message : String(error));
  if (isUsageError) {
    report('Run tsx bench/run.ts --help for the options.');
  }
  process.exit(isUsageError ? 2 : 1);
}
