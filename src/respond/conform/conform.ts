import { stringifyJson } from '../../base/json/stringify.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import { type Pace, StreamProgress } from '../../delivery/transmission.ts';
import { type Candidate, declaredFields, type MockResponse, type Payload } from '../response.ts';

const NONE: readonly Violation[] = [];

/** Checks the body of a response. Sources can only use declared statuses and media types. */
export function findViolations({ payload }: Candidate): readonly Violation[] {
  if (payload.kind !== 'value' || payload.isConforming) return NONE;
  const { content, value, example } = payload;
  if (example !== undefined) return example.violations;
  return content.isValidated ? (content.schema?.check(value, 'body') ?? NONE) : NONE;
}

export function toResponse(candidate: Candidate): MockResponse {
  const { status, source, payload } = candidate;
  const items = itemsOf(payload);
  // Written member by member, because a spread costs ten times as much for each response.
  return {
    status,
    mediaType: mediaTypeOf(payload),
    fields: declaredFields(candidate.declared, candidate.fields),
    body: items?.join('') ?? bodyOf(payload),
    source,
    delayMilliseconds: 0,
    pace: items && paceOf(items),
    fault: payload.kind === 'fault' ? payload.fault : undefined,
  };
}

function itemsOf(payload: Payload): readonly string[] | undefined {
  const isStream = payload.kind === 'value' && payload.content.isStream;
  return isStream ? payload.content.encodeItems(payload.value) : undefined;
}

/** Returns the pace of a stream whose items are due at once, each alone. */
function paceOf(items: readonly string[]): Pace {
  let end = 0;
  const paced = items.map((item) => {
    end += Buffer.byteLength(item);
    return { end, due: 0 };
  });
  return { kind: 'items', items: paced, progress: new StreamProgress() };
}

function mediaTypeOf(payload: Payload): string | undefined {
  if (payload.kind === 'value') return payload.content.sentAs;
  return payload.kind === 'text' ? payload.mediaType : undefined;
}

function bodyOf(payload: Payload): string | Uint8Array | null {
  if (payload.kind === 'text') return payload.text;
  if (payload.kind !== 'value') return null;
  const { content, text, example } = payload;
  if (example !== undefined) return example.text;
  return text ?? (content.isJson ? stringifyJson(payload.value) : content.encode(payload.value));
}

/** Returns the problem of a response that would break the contract by the mock's own fault. */
export function notConforming(candidate: Candidate, violations: readonly Violation[]): Problem {
  const reasons = violations.map(({ message }) => message).join('; ');
  return new Problem(
    'NOT_CONFORMING',
    `the response of ${candidate.source} would break the contract, so it is not sent: ${reasons}`,
    { violations },
  );
}
