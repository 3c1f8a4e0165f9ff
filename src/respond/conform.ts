import { stringifyJson } from '../json/stringify.ts';
import { Problem, type Violation } from '../problem.ts';
import type { Answer, MockResponse, Payload } from './answer.ts';
import { concreteMediaType } from './negotiate.ts';

const NONE: readonly Violation[] = [];

/**
 * Holds an answer against the contract. Its status and media type are declared, as sources can
 * only name declared ones; what is left is the body.
 */
export function findViolations({ payload }: Answer): readonly Violation[] {
  switch (payload.kind) {
    case 'example':
      return payload.example.violations;
    case 'value':
      return payload.content.isJson
        ? (payload.content.schema?.check(payload.value, 'body') ?? NONE)
        : NONE;
    default:
      return NONE;
  }
}

/**
 * @param delayMilliseconds to wait before it is delivered
 * @returns the answer as it goes out
 */
export function toResponse(answer: Answer, delayMilliseconds: number): MockResponse {
  const { status, headers, source, payload } = answer;
  // Written out member by member: a spread costs ten times as much, for each answer.
  return {
    status,
    mediaType: mediaTypeOf(payload),
    headers,
    body: textOf(payload),
    source,
    delayMilliseconds,
    fault: payload.kind === 'fault' ? payload.fault : undefined,
  };
}

function mediaTypeOf(payload: Payload): string | undefined {
  switch (payload.kind) {
    case 'text':
      return concreteMediaType(payload.mediaType);
    case 'example':
    case 'value':
      return concreteMediaType(payload.content.mediaType);
    default:
      return undefined;
  }
}

function textOf(payload: Payload): string | null {
  switch (payload.kind) {
    case 'text':
      return payload.text;
    case 'example':
      return payload.example.text;
    case 'value': {
      const { content, value } = payload;
      return content.isJson || typeof value !== 'string' ? stringifyJson(value) : value;
    }
    default:
      return null;
  }
}

/** The mock's own fault, told as such. */
export function notConforming(answer: Answer, violations: readonly Violation[]): Problem {
  const reasons = violations.map(({ message }) => message).join('; ');
  return new Problem(
    'NOT_CONFORMING',
    `the answer of ${answer.source} would break the contract, so it is not sent: ${reasons}`,
    { violations },
  );
}
