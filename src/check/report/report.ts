import type { Operation } from '../../contract/contract.ts';
import type { Severity } from '../../document/diagnostic.ts';
import type { Finding } from '../finding.ts';

export interface CheckedOperation extends Pick<Operation, 'id' | 'method' | 'path'> {
  /** The document that it belongs to, as the user named it. */
  readonly file: string;
  readonly isServed: boolean;
  /** The findings that are new with this operation. */
  readonly findings: readonly Finding[];
}

export interface Report {
  /** The documents, as the user named them. */
  readonly documents: readonly string[];
  /** Empty where the documents cannot be read. */
  readonly operations: readonly CheckedOperation[];
  /** The number of rules that fit the document. */
  readonly fixtures: number;
  /** All findings, those of operations too, by file and line. */
  readonly findings: readonly Finding[];
}

export function countOf({ findings }: Pick<Report, 'findings'>, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

/** Returns `1 error`, `2 errors`. */
export function inWords(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Sorts findings by file and place, those of the documents first. */
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
