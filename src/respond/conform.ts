import { stringifyJson } from '../json/stringify.ts';
import { Problem, type Violation } from '../problem.ts';
import type { Answer, MockResponse } from './answer.ts';
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

/** @returns the answer as it goes out */
export function toResponse(answer: Answer, delayMilliseconds: number): MockResponse {
  const { status, headers, source, payload } = answer;
  const base = { status, source, delayMilliseconds, fault: undefined };
  switch (payload.kind) {
    case 'fault':
      return { ...base, headers, body: null, fault: payload.fault };
    case 'none':
      return { ...base, headers, body: null };
    case 'text': {
      const mediaType = concreteMediaType(payload.mediaType);
      return { ...base, headers: { ...headers, 'content-type': mediaType }, body: payload.text };
    }
    case 'example':
    case 'value': {
      const mediaType = concreteMediaType(payload.content.mediaType);
      return {
        ...base,
        headers: { ...headers, 'content-type': mediaType },
        body: textOf(payload),
      };
    }
  }
}

function textOf(payload: Extract<Answer['payload'], { kind: 'example' | 'value' }>): string {
  if (payload.kind === 'example') return payload.example.text;
  const { content, value } = payload;
  return content.isJson || typeof value !== 'string' ? stringifyJson(value) : value;
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
