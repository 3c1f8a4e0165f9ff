import { formatFigure, formatTable } from './table.ts';
import type { Workplace } from './workplace.ts';

interface InProcessSettings {
  readonly rounds: number;
  readonly report: (line: string) => void;
}

/** The programs to measure. Ratios are to the first one. */
const STARTS = [
  ['imports', 'import of Hono and Ajv alone'],
  ['floor', 'floor, first response'],
  ['coldframe', 'Coldframe, import, createMock() and first response'],
  ['uncompiled', 'the same without compiled code of an earlier process'],
] as const;

type Start = (typeof STARTS)[number][0];

/** Of one process. */
interface Measured {
  /** Milliseconds of processor time. */
  readonly processor: number;
  /** MiB. */
  readonly resident: number;
}

/**
 * Measures what a test file pays for a mock in its own process: processor time from the start of the
 * process until the first valid create, in turns; a finished table.
 */
export function measureInProcess(
  workplace: Workplace,
  { rounds, report }: InProcessSettings,
): string {
  report(`In process: ${rounds} rounds`);
  const all = new Map(STARTS.map(([start]): [Start, Measured[]] => [start, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [start, measured] of all) {
      measured.push(workplace.runProgram('in-process.mjs', [start]) as Measured);
    }
  }
  const figures = (start: Start, quantity: keyof Measured) =>
    (all.get(start) ?? []).map((one) => one[quantity]);
  const header = ['First response in process'];
  for (const name of ['cpu ms', 'MiB']) header.push(name, 'min–max', 'of imports');
  const rows = STARTS.map(([start, title]) => [
    title,
    ...formatFigure(figures(start, 'processor'), figures('imports', 'processor')),
    ...formatFigure(figures(start, 'resident'), figures('imports', 'resident')),
  ]);
  return formatTable([header, ...rows, ['aim', '', '', '≤ 1.5', '', '', '']]);
}
