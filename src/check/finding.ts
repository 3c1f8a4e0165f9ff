import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Operation } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { Diagnostic } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { type RuleName, rules } from './rules.ts';

export interface Finding extends Diagnostic {
  readonly rule: RuleName;
  /** Id of the first operation that has it. */
  readonly operation?: string;
}

export function createFinding(
  document: OpenAPIDocument,
  rule: RuleName,
  place: Place,
  message: string,
  remedy: string = rules[rule].remedy,
): Finding {
  return { ...document.diagnose(rules[rule].severity, place, message, remedy), rule };
}

/** Converts diagnostics to findings of a rule; references that lead to nothing have their own. */
export function toFindings(diagnostics: readonly Diagnostic[], rule: RuleName): Finding[] {
  return diagnostics.map((diagnostic) => {
    const actual = diagnostic.pointer.endsWith('/$ref') ? 'reference' : rule;
    return { remedy: rules[actual].remedy, ...diagnostic, rule: actual };
  });
}

export function keyOf({ rule, file, pointer, message }: Finding): string {
  return `${rule} ${file} ${pointer} ${message}`;
}

/** Finds one kind of problem, one operation at a time. */
export interface Inspector {
  /**
   * Returns the findings of an operation that can be served; nothing where the inspector only
   * counts.
   */
  inspect?(operation: Operation): Iterable<Finding> | undefined;
  /** Returns the findings that need all operations. */
  conclude?(): Iterable<Finding>;
}

interface Entry {
  readonly rule: RuleName;
  readonly place: Place;
  readonly message: string;
  readonly remedy: string | undefined;
  count: number;
}

/** Counts what many places have in common, and reports it once, at the first of them. */
export class Tally {
  readonly #document: OpenAPIDocument;
  readonly #entries = new Map<string, Entry>();

  constructor(document: OpenAPIDocument) {
    this.#document = document;
  }

  /** Places with the same message are reported together. */
  add(rule: RuleName, place: Place, message: string, remedy?: string): void {
    const entry = { rule, place, message, remedy, count: 0 };
    remember(this.#entries, `${rule} ${message}`, () => entry).count++;
  }

  /** Adds something that the mock reads and does not enforce. */
  addUnsupported(place: Place, message: string, remedy?: string): void {
    this.add('unsupported-feature', place, message, remedy);
  }

  *findings(): Generator<Finding> {
    for (const { rule, place, message, remedy, count } of this.#entries.values()) {
      const others = count === 2 ? ' (and in 1 more place)' : ` (and in ${count - 1} more places)`;
      const text = count === 1 ? message : message + others;
      yield createFinding(this.#document, rule, place, text, remedy);
    }
  }
}

export function requestSchemas({ parameters, body }: Operation): readonly Schema[] {
  return [...parameters, ...(body?.contents ?? [])].flatMap(({ schema }) => schema ?? []);
}

export function responseSchemas({ contents, headers }: DeclaredResponse): readonly Schema[] {
  const ofContents = contents.map(({ schema }) => schema);
  return [...headers.schemas.values(), ...ofContents].filter((schema) => schema !== undefined);
}

export function messageSchemas(operation: Operation): readonly Schema[] {
  return [...requestSchemas(operation), ...operation.responses.all.flatMap(responseSchemas)];
}

/** Returns the Parameter Objects of an operation: those of its path, then its own. */
export function findParameterObjects(
  document: OpenAPIDocument,
  { root, path, pointer }: Operation,
): readonly Located<JsonObject>[] {
  const place = `${root}/paths${toPointer([path])}`;
  // Parameters may be next to the reference of a Path Item Object, and in its target.
  const items = new Set([place, document.resolveObject(place)?.pointer ?? place]);
  return [...items, pointer]
    .flatMap((owner) => document.items(`${owner}/parameters`))
    .flatMap(({ value, pointer: at }) => (isJsonObject(value) ? [{ value, pointer: at }] : []));
}
