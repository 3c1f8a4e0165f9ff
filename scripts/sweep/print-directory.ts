import { countSteps, steps, type Walk, wrongs } from '../crud/figures.ts';
import { addFigures, type DocumentResult, noFigures } from './figures.ts';
import { list } from './print-table.ts';

/** Processor time in milliseconds that no request and no step of the check may take. */
const LONGEST_BLOCK = 1_000;

/** @returns what became of the documents of a directory, and of their resources, as text */
export function formatDirectory(results: readonly DocumentResult[], folder: string): string {
  const nameOf = ({ document }: DocumentResult) => document.slice(folder.length + 1);
  const loaded = results.filter(({ refused, fault }) => (refused ?? fault) === undefined);
  const examined = loaded.flatMap(({ examined }) => examined ?? []);
  const walks = examined.flatMap((one) => one.walks);
  const sum = noFigures();
  for (const { figures } of results) addFigures(sum, figures);
  const does = new Map<string, number>();
  for (const one of examined) {
    for (const [name, times] of Object.entries(one.does)) {
      does.set(name, (does.get(name) ?? 0) + times);
    }
  }
  return [
    `${results.length} documents: ${loaded.length} loaded, ${count(results, 'refused')} refused, ${count(results, 'fault')} ended the sweep`,
    ...list(groupReasons(results)),
    `${examined.filter(({ isChecked }) => isChecked).length} checked to the end; slow:`,
    ...loaded.flatMap((one) => formatBlock(nameOf(one), one)),
    '',
    `Answers: ${sum.valid} of ${sum.judged} valid, ${sum.accepted} of ${sum.made} requests accepted, ${sum.hangs} hangs, ${sum.deaths} deaths`,
    ...list(groupFailures(loaded)),
    '',
    `Resources of ${walks.length} collections:`,
    ...steps.map((step) => formatStep(walks, step)),
    '',
    'Operations, by what explain says they do:',
    ...list(does),
    '',
    'Walks that went wrong:',
    ...loaded.flatMap((one) =>
      (one.examined?.walks ?? []).flatMap(wrongs).map((line) => `  ${nameOf(one)}: ${line}`),
    ),
  ].join('\n');
}

function count(results: readonly DocumentResult[], member: 'refused' | 'fault'): number {
  return results.filter((result) => result[member] !== undefined).length;
}

/** Texts of one document are in quotes or follow the first colon. */
function groupReasons(results: readonly DocumentResult[]): ReadonlyMap<string, number> {
  const reasons = results.flatMap(({ refused, fault }) => refused ?? fault ?? []);
  return countEach(reasons.map((one) => one.split('\n')[0]?.replace(/^\S+:\d+:\d+:? /, '') ?? ''));
}

function groupFailures(results: readonly DocumentResult[]): ReadonlyMap<string, number> {
  return countEach(results.flatMap(({ failures }) => failures.map(({ kind }) => kind)));
}

function countEach(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function formatBlock(name: string, { examined }: DocumentResult): readonly string[] {
  if (examined === undefined || examined.longestBlock < LONGEST_BLOCK) return [];
  return [`  ${name}: ${(examined.longestBlock / 1000).toFixed(1)} s: ${examined.longestIn}`];
}

function formatStep(walks: readonly Walk[], step: (typeof steps)[number]): string {
  const { done, possible } = countSteps(walks, step);
  const share = possible === 0 ? '' : ` (${((100 * done) / possible).toFixed(1)} %)`;
  return `  ${step}: ${done} of ${possible}${share}`;
}
