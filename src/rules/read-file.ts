import { toPointer } from '../base/json/pointer.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Diagnostic } from '../document/diagnostic.ts';
import { parseSource } from '../document/source.ts';
import { FilePlace, SourceDocument } from '../document/source-document.ts';
import type { AnswerJson } from './answer/given-answer.ts';
import type { MatchJson } from './match/compile-match.ts';
import { checkForm } from './schema/check-form.ts';
import type { TurnMembers } from './turn/compile-turn.ts';
import type { RateLimitMembers } from './turn/conditions.ts';

/** The text of a fixture file from disk, or from the control API. */
export interface FixtureFile {
  readonly file: string;
  readonly text: string;
}

/** A rule as `fixtures/fixtures.schema.json` requires. Conditions in `turn/` have the rest. */
export interface RuleJson extends TurnMembers, RateLimitMembers {
  readonly name: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly priority?: number;
  readonly match?: MatchJson;
  readonly answer?: AnswerJson;
}

interface FileJson {
  readonly rules?: readonly RuleJson[];
  readonly resources?: JsonObject;
}

export interface GivenRule {
  readonly place: FilePlace;
  readonly rule: RuleJson;
}

/** The resources of one collection in a fixture file, not yet checked against the document. */
export interface SeedDefinition {
  readonly file: SourceDocument;
  readonly pointer: string;
  readonly name: string;
  readonly value: JsonValue;
}

export interface ReadFile {
  readonly document: SourceDocument;
  readonly rules: readonly GivenRule[];
  readonly seeds: readonly SeedDefinition[];
}

/** Returns the rules of a file that are of the published form; what else is wrong is recorded. */
export function readFixtureFile({ file, text }: FixtureFile, faults: Diagnostic[] = []): ReadFile {
  const document = new SourceDocument(parseSource(file, text));
  const whole = new FilePlace(document);
  const found = checkForm(whole, 'file');
  faults.push(...found);
  const isSound = (pointer: string): boolean =>
    found.every((one) => one.pointer !== pointer && !one.pointer.startsWith(`${pointer}/`));
  const isForm = found.every(({ pointer }) => /^\/rules\/\d/.test(pointer));
  const { rules = [], resources = {} } = (isForm ? document.root : {}) as unknown as FileJson;
  return {
    document,
    rules: rules
      .map((rule, index) => ({ place: whole.at('rules', index), rule }))
      .filter(({ place }) => isSound(place.pointer)),
    seeds: Object.entries(resources).map(([name, value]) => {
      return { file: document, pointer: `/resources${toPointer([name])}`, name, value };
    }),
  };
}
