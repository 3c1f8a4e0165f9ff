import type { Severity } from '../../document/diagnostic.ts';
import type { Finding } from '../finding.ts';

/** An operation that was checked. */
export interface CheckedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Of the description that it belongs to, as a person named it. */
  readonly file: string;
  readonly isServed: boolean;
  /** Those that were found in it and not before. */
  readonly findings: readonly Finding[];
}

/** What a check has found out. */
export interface Report {
  /** The descriptions, as a person named them. */
  readonly documents: readonly string[];
  /** None where the documents could not be read. */
  readonly operations: readonly CheckedOperation[];
  /** How many failure fixtures fit. */
  readonly fixtures: number;
  /** All of them, those of operations too; by file and line. */
  readonly findings: readonly Finding[];
}

/** @returns how many findings of a severity there are */
export function countOf({ findings }: Pick<Report, 'findings'>, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** @returns `1 error`, `2 errors` */
export function inWords(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/**
 * @param documents whose findings come first, in this order
 * @returns the findings by file and place
 */
export function sortFindings(
  findings: readonly Finding[],
  documents: readonly string[],
): readonly Finding[] {
  const files = [...new Set([...documents, ...findings.map(({ file }) => file)])];
  const rank = new Map(files.map((file, index) => [file, index] as const));
  const rankOf = ({ file }: Finding): number => rank.get(file) ?? 0;
  return [...findings].sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      a.position.line - b.position.line ||
      a.position.column - b.position.column,
  );
}
