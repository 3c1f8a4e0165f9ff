import { loadContract, loadFixtures, loadSeeds } from '../assemble/load.ts';
import { inspectContract } from '../check/check.ts';
import { type Finding, toFindings } from '../check/finding.ts';
import {
  type CheckedOperation,
  countOf,
  formatCheckJunit,
  formatJson,
  formatLines,
  formatSarif,
  formatTable,
  type Report,
  sortFindings,
} from '../check/report.ts';
import type { RuleName } from '../check/rules.ts';
import { findStructureFaults } from '../check/structure.ts';
import type { Contract } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { noteUndeclared } from '../rules/fixture-set.ts';
import { readVersion, type Settings } from '../settings/settings.ts';
import { type Console, chooseForm, type Invocation } from './console.ts';

/** Prints a report. Returns 1 for errors, with `strict` also for warnings. */
export async function runCheck(given: Invocation): Promise<number> {
  const { settings, console, format } = given;
  const write = chooseForm<(report: Report) => string>('check', format, {
    text: (report) =>
      console.isTerminal ? formatTable(report, console.hasColor) : formatLines(report),
    json: formatJson,
    sarif: (report) => formatSarif(report, readVersion()),
    junit: (report) => formatCheckJunit(report, settings.strict),
  });
  const showsProgress = format === 'text' && console.isTerminal;
  const report = await inspect(settings, showsProgress ? showProgress(console) : () => {});
  console.write(write(report));
  const warnings = settings.strict ? countOf(report, 'warning') : 0;
  return countOf(report, 'error') + warnings > 0 ? 1 : 0;
}

type Progress = (done: number, total: number) => void;

async function inspect(settings: Settings, progress: Progress): Promise<Report> {
  const findings: Finding[] = [];
  // Turns diagnostics into findings of a rule, and continues.
  const attempt = async <Value>(rule: RuleName, find: () => Promise<Value>) => {
    try {
      return await find();
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      findings.push(...toFindings(error.diagnostics, rule));
      return undefined;
    }
  };
  const loaded = await attempt('document', () => loadContract(settings));
  if (loaded === undefined) {
    return {
      documents: [settings.document].flat().map(String),
      operations: [],
      fixtures: 0,
      findings,
    };
  }
  const { contract } = loaded;
  findings.push(...(await findStructureFaults(contract.document)));
  const operations = inspectOperations(contract, settings, findings, progress);
  const faults: Diagnostic[] = [];
  const loadedFixtures = await attempt('fixture', () => loadFixtures(contract, settings, faults));
  findings.push(...toFindings(faults, 'fixture'));
  const fixtures = loadedFixtures?.fixtures;
  if (fixtures !== undefined) {
    await attempt('fixture', () => loadSeeds(contract, fixtures, settings));
    findings.push(...toFindings(noteUndeclared(fixtures.rules, contract), 'undeclared-failure'));
  }
  const documents = contract.document.entries.map(({ file }) => file);
  return {
    documents,
    operations,
    fixtures: fixtures?.rules.length ?? 0,
    findings: sortFindings(withoutRepeats(findings), documents),
  };
}

/** Returns the operations with their findings, which it also adds to `findings`. */
function inspectOperations(
  contract: Contract,
  { undeclared }: Settings,
  findings: Finding[],
  progress: Progress,
): readonly CheckedOperation[] {
  const operations: CheckedOperation[] = [];
  const files = new Map(contract.document.entries.map(({ place, file }) => [place, file]));
  for (const inspection of inspectContract(contract, undeclared)) {
    const { operation, isServed } = inspection;
    findings.push(...inspection.findings);
    if (operation === undefined) continue;
    const { id, method, path, root } = operation;
    const file = files.get(root) ?? '';
    operations.push({ id, method, path, file, isServed, findings: inspection.findings });
    progress(operations.length, contract.operations.length);
  }
  return operations;
}

/** Drops findings of other rules where the structure is already wrong. */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const placeOf = ({ file, pointer }: Finding): string => `${file} ${pointer}`;
  const places = new Set(findings.filter(({ rule }) => rule === 'structure').map(placeOf));
  return findings.filter((finding) => !(REPEATS.has(finding.rule) && places.has(placeOf(finding))));
}

const REPEATS: ReadonlySet<RuleName> = new Set(['malformed-keyword', 'unsupported-feature']);

/** Smaller documents are checked at once. */
const FEWEST_SHOWN = 200;
const OPERATIONS_A_STEP = 25;

function showProgress({ write }: Console): Progress {
  return (done, total) => {
    if (total < FEWEST_SHOWN) return;
    if (done === total) write('\r\u001b[K');
    else if (done % OPERATIONS_A_STEP === 0) write(`\r\u001b[K${done} of ${total} operations`);
  };
}
