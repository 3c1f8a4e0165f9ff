import { parseJson } from '../../src/base/json/parse.ts';
import { type Block, CaseFileError, readFieldLines, splitAtBlankLine } from './case-request.ts';
import type { SeenFault } from './outcome.ts';

/** The expectation of a case: a response, or a broken connection. */
export type Expectation =
  | {
      readonly kind: 'fault';
      readonly fault: SeenFault;
      /** The part of the response before the break; undefined to ignore it. */
      readonly part: ExpectedAnswer | undefined;
    }
  | ({ readonly kind: 'answer' } & ExpectedAnswer);

export interface ExpectedAnswer {
  readonly status: number;
  /** How long it was held back before it was given. */
  readonly delayMilliseconds: number;
  readonly fields: readonly ExpectedField[];
  readonly body: ExpectedBody;
}

export interface ExpectedField {
  readonly name: string;
  /** Null for a field that must not be there. */
  readonly value: string | RegExp | null;
}

/** The expectation for a response's body. */
export type ExpectedBody =
  /** Nothing is said of it. */
  | { readonly kind: 'any' }
  | { readonly kind: 'empty' }
  /** The same JSON, numbers to the digit, members in any order. */
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Each is found in its text. */
  | { readonly kind: 'patterns'; readonly patterns: readonly RegExp[] }
  /** The very bytes of an earlier answer, or any but those; counted from 1. */
  | { readonly kind: 'same' | 'another'; readonly answer: number };

/** Before the head: nothing of an answer comes. */
const connectionFaults: readonly SeenFault[] = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'RANDOM_DATA_THEN_CLOSE',
  'HANG',
];

/** After it. */
const bodyFaults: readonly SeenFault[] = [
  'MALFORMED_RESPONSE_CHUNK',
  'CLOSE_MID_BODY',
  'SLOW_CLOSE',
  'WRONG_CONTENT_LENGTH',
];

/**
 * @param earlier how many exchanges come before
 * @throws {CaseFileError} for an expectation that expects nothing
 */
export function readExpectation(block: Block, earlier: number): Expectation {
  if (block.label === '') return { kind: 'answer', ...readExpectedAnswer(block, earlier) };
  const fault = [...connectionFaults, ...bodyFaults].find((name) => name === block.label);
  if (fault === undefined) {
    throw new CaseFileError(`there is no fault "${block.label}" that shows`, block.line);
  }
  if (block.lines.join('').trim() === '') return { kind: 'fault', fault, part: undefined };
  if (connectionFaults.includes(fault)) {
    throw new CaseFileError('this fault has no answer', block.line);
  }
  return { kind: 'fault', fault, part: readExpectedAnswer(block, earlier) };
}

function readExpectedAnswer(block: Block, earlier: number): ExpectedAnswer {
  const { head, body } = splitAtBlankLine(block.lines);
  const [statusLine = '', ...fieldLines] = head;
  const status = /^([1-5]\d\d)(?: after (\d+) ms)?$/.exec(statusLine);
  if (status === null) {
    throw new CaseFileError(
      `a status such as 200 is expected, got "${statusLine}"`,
      block.line + 1,
    );
  }
  return {
    status: Number(status[1]),
    delayMilliseconds: Number(status[2] ?? 0),
    fields: readExpectedFields(fieldLines, block.line + 2),
    body: readExpectedBody(body, block, earlier),
  };
}

function readExpectedFields(lines: readonly string[], firstLine: number): ExpectedField[] {
  return readFieldLines(lines, firstLine).map(([name, value]) => {
    if (value === '') throw new CaseFileError(`nothing is expected of ${name}`, firstLine);
    if (value === 'absent') return { name, value: null };
    return { name, value: value.startsWith('~ ') ? readPattern(value, firstLine) : value };
  });
}

function readExpectedBody(
  body: string | undefined,
  { line }: Block,
  earlier: number,
): ExpectedBody {
  if (body === undefined || body === '') return { kind: 'any' };
  if (body === '(empty)') return { kind: 'empty' };
  if (body.startsWith('= ')) return { kind: 'text', text: body.slice(2) };
  if (body.startsWith('~ ')) {
    return { kind: 'patterns', patterns: body.split('\n').map((one) => readPattern(one, line)) };
  }
  return readComparison(body, line, earlier) ?? readJsonBody(body, line);
}

function readComparison(body: string, line: number, earlier: number): ExpectedBody | undefined {
  const match = /^(same|another) body (?:as|than) answer (\d+)$/.exec(body);
  if (match === null) return undefined;
  const answer = Number(match[2]);
  if (answer < 1 || answer > earlier) {
    throw new CaseFileError(`there is no answer ${answer} before this one`, line);
  }
  return { kind: match[1] === 'same' ? 'same' : 'another', answer };
}

function readJsonBody(text: string, line: number): ExpectedBody {
  try {
    tagNumbers(text);
  } catch (error) {
    throw new CaseFileError(`the expected body is no JSON: ${(error as Error).message}`, line);
  }
  return { kind: 'json', text };
}

function readPattern(text: string, line: number): RegExp {
  const match = /^~ \/(.+)\/([isu]*)$/.exec(text);
  if (match === null) throw new CaseFileError(`a pattern is "~ /…/", got "${text}"`, line);
  try {
    return new RegExp(match[1] ?? '', match[2]);
  } catch (error) {
    throw new CaseFileError((error as Error).message, line);
  }
}

/** Strings and numbers of a JSON text; a number inside a string is part of the string. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * A JSON text as a value in which every number is the text that it was written as: so two are
 * compared to the digit, and by nothing that the mock itself reads numbers with.
 *
 * @throws for a text that is not JSON, or that repeats a key
 */
export function tagNumbers(text: string): unknown {
  parseJson(text);
  // No JSON that a case expects holds a U+0000 and the word: numbers stay apart from strings.
  return JSON.parse(
    text.replace(TOKENS, (token) =>
      token.startsWith('"') ? token : JSON.stringify(`\u0000number ${token}`),
    ),
  );
}
