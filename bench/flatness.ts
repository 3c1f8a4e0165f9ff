import { medianOf, ratiosByRound } from './statistics.ts';
import { formatNumber, formatTable } from './table.ts';
import type { Workplace } from './workplace.ts';

interface FlatnessSettings {
  readonly rounds: number;
  readonly report: (line: string) => void;
}

/** What a mock has, and how many; the first is what the others are compared with. */
const SIZES = {
  rules: [1, 100, 10_000],
  operations: [1, 1_000, 10_000],
  sessions: [1, 100, 10_000],
  resources: [10, 10_000, 1_000_000],
} as const;
const AIM = 1.2;

type What = keyof typeof SIZES;

/**
 * Measures the processor time of a request in process, Node's server included, by how many rules,
 * operations, sessions and resources there are. In turns; a finished table.
 */
export function measureFlatness(
  workplace: Workplace,
  { rounds, report }: FlatnessSettings,
): string {
  const kinds = Object.keys(SIZES) as What[];
  const measured = new Map(
    kinds.map((what): [What, number[][]] => [what, SIZES[what].map(() => [])]),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const what of kinds) {
      const taken = SIZES[what].map((size) => measure(workplace, what, size));
      for (const [index, figure] of taken.entries()) measured.get(what)?.[index]?.push(figure);
      const shown = taken.map((one) => one.toFixed(1)).join(', ');
      report(
        `round ${round}/${rounds}  ${SIZES[what].map(formatNumber).join(', ')} ${what}: ${shown} µs`,
      );
    }
  }
  const header = ['µs a request', 'few', 'µs', 'more', 'µs', 'of few', 'many', 'µs', 'of few'];
  const rows = kinds.map((what) => describe(what, measured.get(what) ?? []));
  const aims = ['aim', '', '', '', '', `≤ ${AIM}`, '', '', `≤ ${AIM}`];
  return formatTable([header, ...rows, aims]);
}

function measure(workplace: Workplace, what: What, size: number): number {
  return workplace.runProgram('flatness.mjs', [what, String(size)]) as number;
}

function describe(what: What, measured: readonly (readonly number[])[]): readonly string[] {
  const [base = []] = measured;
  return [
    what,
    ...measured.flatMap((values, index) => [
      formatNumber(SIZES[what][index] ?? 0),
      medianOf(values).toFixed(1),
      ...(index === 0 ? [] : [medianOf(ratiosByRound(values, base)).toFixed(2)]),
    ]),
  ];
}
