import { isDeepStrictEqual } from 'node:util';
import {
  type Expectation,
  type ExpectedAnswer,
  type ExpectedBody,
  type ExpectedField,
  tagNumbers,
} from './expectation.ts';
import type { Outcome, ReceivedAnswer } from './outcome.ts';

/**
 * Holds what came against what a case expects.
 *
 * @param earlier the outcomes of the exchanges before
 * @returns a sentence for each difference; none when all is as expected
 */
export function findDifferences(
  expected: Expectation,
  outcome: Outcome,
  earlier: readonly Outcome[],
): readonly string[] {
  if (expected.kind === 'answer' && outcome.kind === 'answer') {
    return compareAnswers(expected, outcome, earlier);
  }
  if (expected.kind === 'fault' && outcome.kind === 'fault' && expected.fault === outcome.fault) {
    if (expected.part === undefined) return [];
    return outcome.part === undefined
      ? ['nothing came of the answer']
      : compareAnswers(expected.part, outcome.part, earlier);
  }
  return [`expected ${nameOf(expected)}, got ${nameOf(outcome)}`];
}

function nameOf(one: Expectation | Outcome): string {
  return one.kind === 'fault' ? one.fault : `a response with the status ${one.status}`;
}

function compareAnswers(
  expected: ExpectedAnswer,
  answer: ReceivedAnswer,
  earlier: readonly Outcome[],
): readonly string[] {
  const { status, delayMilliseconds } = expected;
  const differences = [
    ...(status === answer.status ? [] : [`status: expected ${status}, got ${answer.status}`]),
    ...(delayMilliseconds === answer.delayMilliseconds
      ? []
      : [`delay: expected ${delayMilliseconds} ms, got ${answer.delayMilliseconds} ms`]),
    ...expected.fields.flatMap((field) => compareField(field, answer)),
    ...compareBody(expected.body, answer, earlier),
  ];
  return differences.length === 0 ? [] : [...differences, `the body was ${answer.body.toString()}`];
}

function compareField({ name, value }: ExpectedField, { fields }: ReceivedAnswer): string[] {
  const actual = fields.get(name.toLowerCase());
  const got = actual === undefined ? 'none' : JSON.stringify(actual);
  if (value === null) return actual === undefined ? [] : [`${name}: expected none, got ${got}`];
  const isExpected =
    actual !== undefined && (value instanceof RegExp ? value.test(actual) : value === actual);
  return isExpected ? [] : [`${name}: expected ${String(value)}, got ${got}`];
}

function compareBody(
  expected: ExpectedBody,
  { body }: ReceivedAnswer,
  earlier: readonly Outcome[],
): string[] {
  switch (expected.kind) {
    case 'any':
      return [];
    case 'empty':
      return body.length === 0 ? [] : ['body: expected none'];
    case 'json':
      return isSameJson(expected.text, body.toString()) ? [] : [`body: expected ${expected.text}`];
    case 'text':
      return expected.text === body.toString().trimEnd() ? [] : [`body: expected ${expected.text}`];
    case 'patterns':
      return expected.patterns.flatMap((pattern) =>
        pattern.test(body.toString()) ? [] : [`body: expected ${String(pattern)}`],
      );
    case 'same':
    case 'another': {
      const other = earlier[expected.answer - 1];
      const isSame = other?.kind === 'answer' && other.body.equals(body);
      const isExpected = isSame === (expected.kind === 'same');
      return isExpected ? [] : [`body: expected ${expected.kind} as answer ${expected.answer}`];
    }
  }
}

function isSameJson(expected: string, actual: string): boolean {
  try {
    return isDeepStrictEqual(tagNumbers(actual), tagNumbers(expected));
  } catch {
    return false;
  }
}
