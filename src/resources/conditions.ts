import type { Fields } from '../http/message.ts';

/**
 * Returns the outcome of If-Match and If-None-Match (RFC 9110 §13.2.2). Ignores the conditions by
 * date, because resources have no date of change (§13.1.3, §13.1.4).
 *
 * @param entityTag of the current representation; undefined if there is none
 */
export function evaluateConditions(fields: Fields, method: string, entityTag: string | undefined) {
  const match = fields.get('if-match');
  if (match !== undefined) {
    // §13.1.1: false without a current representation, also for `*`.
    if (entityTag === undefined || !namesEntityTag(match, entityTag, false)) return 'failed';
  }
  const noneMatch = fields.get('if-none-match');
  if (noneMatch === undefined || entityTag === undefined) return 'met';
  if (!namesEntityTag(noneMatch, entityTag, true)) return 'met';
  return method === 'GET' || method === 'HEAD' ? 'not-modified' : 'failed';
}

export function hasConditions(fields: Fields): boolean {
  return fields.get('if-match') !== undefined || fields.get('if-none-match') !== undefined;
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
