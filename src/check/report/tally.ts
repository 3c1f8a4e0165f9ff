import type { OpenAPIDocument } from '../../document/document.ts';
import type { Place } from '../../document/place.ts';
import { createFinding, type Finding } from '../finding.ts';
import type { RuleName } from '../rules.ts';

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
