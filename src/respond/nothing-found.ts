import { Problem } from '../base/problem.ts';
import type { Operation } from '../contract/contract.ts';
import type { Declared } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Contradiction } from '../generate/space/constraints.ts';
import { findContradictions } from '../generate/space/contradictions.ts';
import { NO_FIELDS } from '../http/message.ts';
import type { Answer, ResponseSource } from './answer.ts';

/** Tells why a response has neither a valid example nor a value. */
export interface Reasons {
  /** @returns what contradicts itself in a schema; none where that cannot be proven */
  of(schema: string): readonly Contradiction[];
  /** @returns the refusal of a request that nothing was found for */
  explain(operation: Operation, declared: Declared): Problem;
}

const MOST_TOLD = 3;

export function createReasons(document: OpenAPIDocument): Reasons {
  const known = new Map<string, readonly Contradiction[]>();
  const of = (schema: string): readonly Contradiction[] => {
    const reasons = known.get(schema) ?? findContradictions(document, schema);
    known.set(schema, reasons);
    return reasons;
  };
  const tell = ({ pointer, message }: Contradiction): string => {
    const { file, position } = document.diagnose('error', pointer, message);
    return `${message} (${file}:${position.line}:${position.column})`;
  };
  return {
    of,
    explain({ id }, { status, response }) {
      const reasons = response.contents
        .flatMap(({ schema }) => (schema === undefined ? [] : of(schema.pointer)))
        .slice(0, MOST_TOLD)
        .map(tell);
      return new Problem(
        'NOT_GENERATED',
        `no answer could be found that ${id} allows for the status ${status}: ` +
          'no example of it is valid, and ' +
          (reasons.length > 0
            ? `nothing conforms to its schema: ${reasons.join('; ')}`
            : 'no value was found that its schema admits'),
      );
    },
  };
}

/** What stands behind all sources: it says why they have found nothing. */
export function nothingFoundSource(reasons: Reasons): ResponseSource {
  return ({ operation }) => {
    const { success } = operation.responses;
    if (success !== undefined) throw reasons.explain(operation, success);
    return undefined;
  };
}

/** Nothing is declared, so nothing is known to be in it. */
const EMPTY_SUCCESS: Answer = Object.freeze({
  source: 'undeclared',
  declared: undefined,
  status: 200,
  fields: NO_FIELDS,
  payload: { kind: 'none' } as const,
  isMandatory: false,
});

/**
 * The source for operations that declare no response, as OAS 3.1 §4.8.10 allows, or none but
 * interim ones: a bare success.
 */
export function undeclaredSource(): ResponseSource {
  return ({ operation }) => (operation.responses.success === undefined ? EMPTY_SUCCESS : undefined);
}
