import type { Operation } from '../contract/contract.ts';
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

/** Looks for one kind of thing, an operation at a time. */
export interface Inspector {
  /**
   * @param operation one that can be served
   * @returns what it has against it; undefined for what only counts
   */
  inspect?(operation: Operation): Iterable<Finding> | undefined;
  /** What can only be said when every operation was seen. */
  conclude?(): Iterable<Finding>;
}

interface Entry {
  readonly rule: RuleName;
  readonly place: Place;
  readonly message: string;
  readonly remedy: string | undefined;
  count: number;
}

/** Counts what is the case in many places: it is told once, at the first of them. */
export class Tally {
  readonly #document: OpenAPIDocument;
  readonly #entries = new Map<string, Entry>();

  constructor(document: OpenAPIDocument) {
    this.#document = document;
  }

  /** @param message the same in every place that is to be told with this one */
  add(rule: RuleName, place: Place, message: string, remedy?: string): void {
    const key = `${rule} ${message}`;
    const known = this.#entries.get(key);
    if (known !== undefined) known.count++;
    else this.#entries.set(key, { rule, place, message, remedy, count: 1 });
  }

  *findings(): Generator<Finding> {
    for (const { rule, place, message, remedy, count } of this.#entries.values()) {
      const others = count === 2 ? ' (and in 1 more place)' : ` (and in ${count - 1} more places)`;
      const text = count === 1 ? message : message + others;
      yield createFinding(this.#document, rule, place, text, remedy);
    }
  }
}
