import { createHash } from 'node:crypto';
import { type Awaitable, after } from '../../base/awaitable.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { Problem, type Violation } from '../../base/problem.ts';
import { quote } from '../../base/words.ts';
import { findContent, validateBody } from '../../contract/content.ts';
import { readContentType } from '../../media/content-type.ts';
import type { ValidRequest } from '../../request/request.ts';
import type { Change, Store } from '../../state/store.ts';
import { notConforming } from '../conform/conform.ts';
import {
  type Effect,
  type MockResponse,
  nameSource,
  type Outcome,
  type Payload,
  type ResponseSource,
} from '../response.ts';

/**
 * The source for repeated requests: a request with the same `Idempotency-Key` gets the first
 * response again, and changes nothing (draft-ietf-httpapi-idempotency-key-header-07). The first
 * response is stored together with the changes.
 */
export function idempotentSource(): ResponseSource {
  return (request, { session }) => {
    const { method, fields } = request;
    const key = fields.get('idempotency-key');
    if (key === undefined || key === '' || (method !== 'POST' && method !== 'PATCH')) {
      return undefined;
    }
    return after(session.state.get(IDEMPOTENCY, key), (kept) => {
      const first = kept && readRecord(kept.resource);
      if (first !== undefined) return repeatFirst(request, key, first);
      return remember(request, key, session.state);
    });
  };
}

function repeatFirst(request: ValidRequest, key: string, first: FirstResponse) {
  if (first.fingerprint !== fingerprint(request)) {
    throw new Problem(
      'IDEMPOTENCY_KEY_REUSED',
      `the Idempotency-Key ${quote(key)} came with another request before: ` +
        'a new request wants a new key',
    );
  }
  const { status, fields, mediaType, body } = first;
  const hasBody = mediaType !== undefined && body !== null;
  const payload: Payload = hasBody ? { kind: 'text', mediaType, text: body } : { kind: 'none' };
  const source = nameSource('state', 'replayed', key.slice(0, 80));
  const candidate = { source, declared: undefined, status, fields, payload, isMandatory: true };
  const violations = findNewViolations(request, first);
  if (violations.length > 0) throw notConforming(candidate, violations);
  return candidate;
}

/** Checks a stored response. The document may have changed since. */
function findNewViolations(request: ValidRequest, first: FirstResponse): readonly Violation[] {
  const { responses } = request.operation;
  const { status, mediaType, body } = first;
  if (responses.success === undefined) return [];
  const declared = responses.find(status);
  if (declared === undefined) return [undeclared(`the status ${status}`)];
  if (mediaType === undefined || body === null) return [];
  const content = findContent(declared.contents, readContentType(mediaType));
  return content === undefined ? [undeclared(mediaType)] : validateBody(content, body);
}

function undeclared(what: string): Violation {
  const message = `${what} is not declared`;
  const expected = 'what is declared';
  return { in: 'body', pointer: '', keyword: 'responses', expected, got: what, message };
}

function remember(request: ValidRequest, key: string, store: Store): Awaitable<Outcome> {
  const recordOf = (response: MockResponse): Change => {
    const resource = toRecord({ ...response, fingerprint: fingerprint(request) });
    return { collection: IDEMPOTENCY, key, expected: 'absent', resource };
  };
  return after(findOldest(store), (dropped) => {
    const effect: Effect = {
      changes: (response) => [recordOf(response), ...dropped],
      // Fields such as the entity tag are known only after the changes.
      settle: (response, [version]) => {
        if (version === undefined) return undefined;
        return after(store.commit([{ ...recordOf(response), expected: version }]), () => undefined);
      },
    };
    return { candidate: undefined, effect };
  });
}

/** Returns the change that removes the oldest response if there are too many. */
function findOldest(store: Store): Awaitable<readonly Change[]> {
  return after(store.count(IDEMPOTENCY), (count) => {
    if (count < MOST_KEPT) return [];
    return after(store.list(IDEMPOTENCY, { offset: 0, limit: 1 }), (oldest) =>
      oldest.map(({ key }) => {
        return { collection: IDEMPOTENCY, key, expected: 'any' as const, resource: undefined };
      }),
    );
  });
}

const IDEMPOTENCY = '$idempotency';

const MOST_KEPT = 10_000;

interface FirstResponse {
  /** Identifies the request: a key must not be used for another. */
  readonly fingerprint: string;
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** Returns the same text for the same request (section 2.4 of the draft). */
function fingerprint({ operation, target, body }: ValidRequest): string {
  const sent = body === undefined ? '' : stringifyJson(body.value);
  const text = `${operation.id}\n${target}\n${sent}`;
  return createHash('sha256').update(text).digest('base64');
}

function toRecord(response: FirstResponse): JsonObject {
  const { fingerprint, status, mediaType, fields, body } = response;
  const isText = body === null || typeof body === 'string';
  return {
    fingerprint,
    status,
    mediaType: mediaType ?? null,
    headers: { ...fields },
    ...(isText ? { body } : { bytes: Buffer.from(body).toString('base64') }),
  };
}

function readRecord(record: JsonObject): FirstResponse | undefined {
  const { fingerprint, status, mediaType, headers, body, bytes } = record;
  if (typeof fingerprint !== 'string' || typeof status !== 'number') return undefined;
  const fields = Object.entries(isJsonObject(headers) ? headers : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const text = typeof body === 'string' ? body : null;
  return {
    fingerprint,
    status,
    mediaType: typeof mediaType === 'string' ? mediaType : undefined,
    fields: Object.fromEntries(fields),
    body: typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : text,
  };
}
