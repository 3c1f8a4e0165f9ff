import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { Contract } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { parseSource } from '../document/source.ts';
import { SourceDocument } from '../document/source-document.ts';
import type { RequestPattern } from '../request/request-pattern.ts';
import { FormReader } from '../rules/form-reader.ts';
import { compileMatch } from '../rules/match/compile-match.ts';
import { readMatch } from '../rules/match/match-form.ts';

/**
 * Compiles what is asked of requests, as the `match` of a rule is.
 *
 * @param pointers of the matches in the body; one that is not there matches every request
 * @throws {DiagnosticError} with everything that is wrong
 */
export function compileQuestions(
  body: JsonValue,
  pointers: readonly string[],
  contract: Contract,
): readonly RequestPattern[] {
  // What came is written anew: places are found again by their pointers.
  const document = new SourceDocument(parseSource('body', stringifyJson(body), true));
  const faults: Diagnostic[] = [];
  const definitions = pointers.map((pointer) => {
    const match = document.at(pointer) ?? {};
    return readMatch(new FormReader(document, pointer, match, faults));
  });
  if (faults.length > 0) throw new DiagnosticError(faults);
  return definitions.map((definition) => compileMatch(document, definition, contract));
}
