import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, withServer } from './server-process.ts';
import { baseServer, type Server, type ServerName } from './servers.ts';
import { formatFigure, formatNumber, formatTable } from './table.ts';
import type { Workplace } from './workplace.ts';

export interface StartupSettings {
  readonly servers: readonly Server[];
  readonly rounds: number;
  readonly report: (line: string) => void;
}

/** Milliseconds after which a server has stored its compiled code. */
const timeToStore = 2_000;

/** Milliseconds to the first answer; mebibytes resident at that moment and at most before it. */
type Quantity = 'milliseconds' | 'resident' | 'peak';

const quantities: readonly Quantity[] = ['milliseconds', 'resident', 'peak'];

type Figures = Map<ServerName, Record<Quantity, number[]>>;

/** Start to first answer and memory, measured in turns; the answer is the finished table. */
export async function measureStartup(
  workplace: Workplace,
  settings: StartupSettings,
): Promise<string> {
  const { servers, rounds, report } = settings;
  report(`Start-up: ${rounds} rounds`);
  const figures: Figures = new Map(
    servers.map(({ name }) => [name, { milliseconds: [], resident: [], peak: [] }]),
  );
  // These starts are not counted. They bring the files into the page cache, and store compiled code.
  for (const server of servers) {
    await withServer(workplace, server, [], () => sleep(timeToStore));
  }
  for (let round = 1; round <= rounds; round++) {
    for (const server of servers) {
      const measured = await withServer(workplace, server, [], async (running) => measure(running));
      for (const quantity of quantities) {
        figures.get(server.name)?.[quantity].push(...measured[quantity]);
      }
      report(`round ${round}/${rounds}  ${server.title}: ${tell(measured)}`);
    }
  }
  return startupTable(servers, figures);
}

type Measured = Record<Quantity, readonly number[]>;

function measure({ job, millisecondsToFirstAnswer }: RunningServer): Measured {
  const { resident, peak } = readMemory(job.child.pid);
  return { milliseconds: [millisecondsToFirstAnswer], resident, peak };
}

/** In MiB. Empty where there is no /proc, which is anywhere but on Linux. */
function readMemory(processId: number | undefined): Omit<Measured, 'milliseconds'> {
  if (process.platform !== 'linux' || processId === undefined) {
    return { resident: [], peak: [] };
  }
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return { resident: memoryField(status, 'VmRSS'), peak: memoryField(status, 'VmHWM') };
}

function memoryField(status: string, name: string): readonly number[] {
  const kibibytes = new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1];
  return kibibytes === undefined ? [] : [Number(kibibytes) / 1_024];
}

function tell({ milliseconds, resident }: Measured): string {
  const memory = resident.map((mebibytes) => `, ${formatNumber(mebibytes)} MiB`);
  return `${milliseconds.map(formatNumber).join()} ms${memory.join()}`;
}

function startupTable(servers: readonly Server[], figures: Figures): string {
  const base = figures.get(baseServer);
  const header = [
    'Start to first answer',
    ...['ms', 'min–max', 'of floor'],
    ...['resident MiB', 'min–max', 'of floor'],
    ...['peak MiB', 'min–max', 'of floor'],
  ];
  const rows = servers.map(({ name, title }) => [
    title,
    ...quantities.flatMap((quantity) =>
      formatFigure(figures.get(name)?.[quantity] ?? [], base?.[quantity]),
    ),
  ]);
  return formatTable([header, ...rows]);
}
