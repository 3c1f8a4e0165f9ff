import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { Problem, type ProblemName } from '../base/problem.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Source } from '../document/source.ts';

/** As the body of the request is called where files are named: no file on this machine is. */
export const BODY_FILE = '(body).json';

/**
 * Tells what is wrong with a rule, or a question, that came as a body.
 *
 * @param source the body; a place in it is told in place of that in what was made of it
 * @param toPointer finds a place of what was made in what came
 */
export function refuseRule(
  name: ProblemName,
  error: DiagnosticError,
  source: Source | undefined,
  toPointer: (pointer: string) => string = (pointer) => pointer,
): Problem {
  const diagnostics = error.diagnostics.map((diagnostic): Diagnostic => {
    const pointer = toPointer(diagnostic.pointer);
    const position = source?.locate(pointer) ?? { line: 1, column: 1 };
    return { ...diagnostic, file: 'body', pointer, position };
  });
  const told = diagnostics.map(
    ({ position, pointer, message }) =>
      `body:${position.line}:${position.column} ${pointer === '' ? '' : `${pointer}: `}${message}`,
  );
  return new Problem(name, told.join('; '), { cause: new DiagnosticError(diagnostics) });
}

/** @returns what is wrong and where, of a problem that has places; undefined for any other */
export function describeRefusedRule({ cause }: Problem): JsonValue | undefined {
  if (!(cause instanceof DiagnosticError)) return undefined;
  return cause.diagnostics.map(({ message, pointer, position, remedy }) => {
    const described: JsonObject = {
      message,
      pointer,
      line: position.line,
      column: position.column,
    };
    if (remedy !== undefined) described['remedy'] = remedy;
    return described;
  });
}
