import { type Awaitable, after } from '../../base/awaitable.ts';
import { Problem } from '../../base/problem.ts';
import type { Declared } from '../../contract/responses.ts';
import { evaluateConditions, hasConditions, toEntityTag } from '../../resources/conditions.ts';
import type { ReadMeaning } from '../../resources/meaning.ts';
import type { Stored } from '../../state/store.ts';
import type { Outcome } from '../answer.ts';
import { setField } from './effect.ts';
import { findByKeys, isKept, missing, requireParents } from './find-stored.ts';
import { keysInPath } from './path-keys.ts';
import { identityOf } from './placeholder.ts';
import { showThings, stateAnswer } from './show.ts';
import type { Asked } from './state-request.ts';

/** `GET /plants/7`: what is kept is shown. */
export function read(asked: Asked<ReadMeaning>): Awaitable<Outcome> {
  const keys = keysInPath(asked);
  if (keys === undefined) return undefined;
  return after(requireParents(asked), () =>
    after(findByKeys(asked, keys), (stored) => {
      if (stored !== undefined) return show(asked, stored);
      return after(isKept(asked), (isAbsent) =>
        isAbsent ? refuseMissing(asked, keys) : undefined,
      );
    }),
  );
}

/** @throws {Problem} RESOURCE_NOT_FOUND or RESOURCE_GONE */
export function refuseMissing(asked: Asked, keys: readonly string[]): Awaitable<never> {
  return after(missing(asked, keys), (problem) => {
    throw problem;
  });
}

function show(asked: Asked<ReadMeaning>, { key, resource, version }: Stored): Outcome {
  const { operation, fields, method } = asked.request;
  const declared = operation.responses.success;
  if (declared === undefined || declared.status >= 400) return undefined;
  const entityTag = toEntityTag(version);
  if (hasConditions(fields)) {
    const outcome = evaluateConditions(fields, method, entityTag);
    if (outcome === 'failed') throw preconditionFailed();
    const unchanged = outcome === 'not-modified' ? findNotModified(asked) : undefined;
    if (unchanged !== undefined) {
      return stateAnswer(unchanged, tagFields(unchanged, entityTag), { kind: 'none' });
    }
  }
  const identity = identityOf(asked, key);
  return showThings(asked, declared, [resource], identity, tagFields(declared, entityTag));
}

/** @returns the refusal of a request whose conditions are not met (RFC 9110 §13) */
export function preconditionFailed(): Problem {
  return new Problem(
    'PRECONDITION_FAILED',
    'the resource is not the one that If-Match or If-None-Match means: read it again',
  );
}

/** A status that is not declared is not sent: then the whole of it is. */
function findNotModified({ request }: Asked): Declared | undefined {
  const response = request.operation.responses.findSpecific(304);
  return response && { status: 304, response };
}

function tagFields(declared: Declared, entityTag: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  setField(fields, { declared }, 'etag', [entityTag]);
  return fields;
}
