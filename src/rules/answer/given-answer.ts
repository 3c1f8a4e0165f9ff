import type { JsonValue } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Fault } from '../../delivery/transmission.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { joinFieldValues } from '../../http/message.ts';
import type { DelayMembers, PaceMembers, StreamMembers } from './delays.ts';
import type { TemplateEngine } from './template.ts';

/** The `answer` of a rule, of the form that the schema of fixture files requires. */
export interface AnswerJson extends DelayMembers, PaceMembers, StreamMembers {
  readonly status?: number;
  readonly fail?: number;
  /** The name of an example in the document. */
  readonly example?: string;
  readonly body?: JsonValue;
  /** A file next to the fixture file that contains the body. */
  readonly bodyFile?: string;
  /** True for a body and header fields with templates. */
  readonly template?: boolean;
  readonly headers?: Readonly<Record<string, FieldValue | readonly FieldValue[]>>;
  readonly fault?: Fault;
  readonly offContract?: boolean;
  /** True treats a failure that is not declared as `undeclaredFailures: declared` does. */
  readonly contractOnly?: boolean;
  /** Of a callback: how often it is sent. */
  readonly deliveries?: number;
}

/** A whole number is written without quotes: `Retry-After: 5`. */
type FieldValue = string | number;

/** Several values of a field become one text. */
export function fieldsOf({ headers = {} }: AnswerJson): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, joinFieldValues(name, [value].flat().map(String))] as const,
  );
  return Object.fromEntries(entries);
}

/** Whether an undeclared failure is sent, replaced by the nearest declared error, or refused. */
export type UndeclaredFailures = 'send' | 'declared' | 'refuse';

/** An `answer` with the status that it has, and where it is written. */
export interface GivenAnswer extends AnswerJson {
  readonly place: FilePlace;
  /** The status that the rule names. */
  readonly cause: number;
  /** The operations that the rule names. None for all: one that declares no error is left out. */
  readonly operations: readonly Operation[];
}

export interface RuleMaterial {
  readonly contract: Contract;
  readonly undeclaredFailures: UndeclaredFailures;
  readonly engine: TemplateEngine;
  /** Returns undefined for a file that does not exist, or may not be read. */
  readonly readBodyFile: (fixtureFile: string, name: string) => Uint8Array | undefined;
  readonly readProfiles: () => readonly { readonly file: string; readonly text: string }[];
}

export interface AnswerPlace {
  readonly answer: GivenAnswer;
  readonly operation: Operation;
  readonly material: RuleMaterial;
}
