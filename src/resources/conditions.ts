import { Problem } from '../base/problem.ts';
import type { WireRequest } from '../http/message.ts';

/**
 * Checks If-Match and If-None-Match (RFC 9110 §13.2.2). Ignores the conditions by date, because
 * resources have no date of change (§13.1.3, §13.1.4).
 *
 * @param entityTag of the current representation; undefined if there is none
 * @returns true if a client that reads has the representation already
 * @throws {Problem} PRECONDITION_FAILED
 */
export function checkConditions(
  { fields, method }: Pick<WireRequest, 'fields' | 'method'>,
  entityTag: string | undefined,
): boolean {
  const isNamedIn = (field: string | undefined, isWeak: boolean) =>
    field !== undefined && entityTag !== undefined && namesEntityTag(field, entityTag, isWeak);
  const match = fields.get('if-match');
  // §13.1.1: false without a current representation, also for `*`.
  const isMet = match === undefined || isNamedIn(match, false);
  const isKnown = isNamedIn(fields.get('if-none-match'), true);
  if (isMet && (!isKnown || method === 'GET' || method === 'HEAD')) return isKnown;
  throw new Problem(
    'PRECONDITION_FAILED',
    'the resource is not the one that If-Match or If-None-Match means: read it again',
  );
}

/** Returns the strong entity tag of a version (RFC 9110 §8.8.3). */
export function toEntityTag(version: number): string {
  return `"${version}"`;
}

/**
 * Returns true if a field names the entity tag, or any tag by `*`.
 *
 * @param field `If-Match` or `If-None-Match`
 * @param isWeak true compares weakly (RFC 9110 §8.8.3.2): `W/"1"` equals `"1"`
 */
function namesEntityTag(field: string, entityTag: string, isWeak: boolean): boolean {
  const tags = [...field.matchAll(ENTITY_TAG)];
  const isNamed = ([, weak, tag]: RegExpExecArray) =>
    tag === entityTag && (isWeak || weak === undefined);
  return field.trim() === '*' || tags.some(isNamed);
}

const ENTITY_TAG = /(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")/g;
