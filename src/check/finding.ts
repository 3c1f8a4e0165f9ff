import type { Diagnostic } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { type RuleName, rules } from './rules.ts';

/** What a check has found, and by which rule. */
export interface Finding extends Diagnostic {
  readonly rule: RuleName;
  /** The id of the operation in which it was first found. */
  readonly operation?: string;
}

/** @returns a finding with the severity of its rule, and its remedy unless there is a better one */
export function createFinding(
  document: OpenAPIDocument,
  rule: RuleName,
  place: Place,
  message: string,
  remedy: string = rules[rule].remedy,
): Finding {
  return { ...document.diagnose(rules[rule].severity, place, message, remedy), rule };
}

/**
 * What a reader of the document has complained about, as findings.
 *
 * @param rule of all but references that lead to nothing, which have their own
 */
export function toFindings(diagnostics: readonly Diagnostic[], rule: RuleName): Finding[] {
  return diagnostics.map((diagnostic) => {
    const actual = diagnostic.pointer.endsWith('/$ref') ? 'reference' : rule;
    return { remedy: rules[actual].remedy, ...diagnostic, rule: actual };
  });
}

/** @returns a key that the same finding has, wherever it was come upon */
export function keyOf({ rule, file, pointer, message }: Finding): string {
  return `${rule} ${file} ${pointer} ${message}`;
}
