import { stringifyJson } from '../../base/json/stringify.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import { type Candidate, declaredFields, type MockResponse, type Payload } from '../response.ts';

const NONE: readonly Violation[] = [];

/** Checks the body of a response. Sources can only use declared statuses and media types. */
export function findViolations({ payload }: Candidate): readonly Violation[] {
  switch (payload.kind) {
    case 'example':
      return payload.example.violations;
    case 'value':
      return payload.content.isValidated && payload.isConforming !== true
        ? (payload.content.schema?.check(payload.value, 'body') ?? NONE)
        : NONE;
    default:
      return NONE;
  }
}

export function toResponse(candidate: Candidate): MockResponse {
  const { status, source, payload } = candidate;
  // Written member by member, because a spread costs ten times as much for each response.
  return {
    status,
    mediaType: mediaTypeOf(payload),
    fields: declaredFields(candidate.declared, candidate.fields),
    body: bodyOf(payload),
    source,
    delayMilliseconds: 0,
    pace: undefined,
    fault: payload.kind === 'fault' ? payload.fault : undefined,
  };
}

function mediaTypeOf(payload: Payload): string | undefined {
  switch (payload.kind) {
    case 'text':
      return payload.mediaType;
    case 'example':
    case 'value':
      return payload.content.sentAs;
    default:
      return undefined;
  }
}

function bodyOf(payload: Payload): string | Uint8Array | null {
  switch (payload.kind) {
    case 'text':
      return payload.text;
    case 'example':
      return payload.example.text;
    case 'value': {
      const { content, value } = payload;
      return content.isJson ? stringifyJson(value) : content.encode(value);
    }
    default:
      return null;
  }
}

/**
 * Returns the problem of a response that would break the contract, which is the mock's own fault.
 */
export function notConforming(candidate: Candidate, violations: readonly Violation[]): Problem {
  const reasons = violations.map(({ message }) => message).join('; ');
  return new Problem(
    'NOT_CONFORMING',
    `the response of ${candidate.source} would break the contract, so it is not sent: ${reasons}`,
    { violations },
  );
}
