/** @returns the strong entity tag of a version (RFC 9110 §8.8.3) */
export function toEntityTag(version: number): string {
  return `"${version}"`;
}

/**
 * @param field `If-Match` or `If-None-Match`
 * @param isWeak true compares as RFC 9110 §8.8.3.2 does weakly: `W/"1"` is `"1"`
 * @returns true where the field names the entity tag, or any by `*`
 */
export function namesEntityTag(field: string, entityTag: string, isWeak: boolean): boolean {
  if (field.trim() === '*') return true;
  for (const [, weak, tag] of field.matchAll(ENTITY_TAG)) {
    if (tag === entityTag && (isWeak || weak === undefined)) return true;
  }
  return false;
}

const ENTITY_TAG = /(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")/g;
