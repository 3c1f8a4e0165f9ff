import { Problem } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import type { Operation } from '../contract/contract.ts';
import type { Declared } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Contradiction } from '../generate/space/constraints.ts';
import { findContradictions } from '../generate/space/contradictions.ts';
import { NO_FIELDS } from '../http/message.ts';
import type { Candidate, ResponseSource } from './response.ts';

const MOST_TOLD = 3;

/** Explains why there is neither a valid example nor a value for a response. */
export type Reasons = ReturnType<typeof createReasons>;

export function createReasons(document: OpenAPIDocument) {
  const known = new Map<string, readonly Contradiction[]>();
  /** Returns the contradictions in a schema; none if they cannot be proven. */
  const of = (schema: string): readonly Contradiction[] =>
    remember(known, schema, () => findContradictions(document, schema));
  const explain = ({ id }: Operation, { status, response }: Declared): Problem => {
    const reasons = response.contents
      .flatMap(({ schema }) => (schema === undefined ? [] : of(schema.pointer)))
      .slice(0, MOST_TOLD)
      .map(({ pointer, message }) => {
        const { file, position } = document.diagnose('error', pointer, message);
        return `${message} (${file}:${position.line}:${position.column})`;
      });
    return new Problem(
      'NOT_GENERATED',
      `no response could be found that ${id} allows for the status ${status}: ` +
        'no example of it is valid, and ' +
        (reasons.length > 0
          ? `nothing conforms to its schema: ${reasons.join('; ')}`
          : 'no value was found that its schema admits'),
    );
  };
  return { of, explain };
}

/** The last source: refuses, and says why. OAS 3.1 §4.8.10 allows no final response. */
export function nothingFoundSource(reasons: Reasons): ResponseSource {
  return ({ operation }) => {
    const { success } = operation.responses;
    if (success === undefined) return EMPTY_SUCCESS;
    throw reasons.explain(operation, success);
  };
}

const EMPTY_SUCCESS: Candidate = Object.freeze({
  source: 'undeclared',
  declared: undefined,
  status: 200,
  fields: NO_FIELDS,
  payload: { kind: 'none' } as const,
  isMandatory: false,
});
