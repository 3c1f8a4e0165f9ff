import type { Fields } from '../http/message.ts';
import { namesEntityTag } from './entity-tag.ts';

/** What the conditions of a request come to (RFC 9110 §13.2.2). */
export type ConditionOutcome = 'met' | 'failed' | 'not-modified';

/**
 * Evaluates If-Match, then If-None-Match. Those by dates are ignored, as nothing tells its date of
 * change (RFC 9110 §13.1.3, §13.1.4).
 *
 * @param entityTag of what is there; undefined where nothing is
 */
export function evaluateConditions(
  fields: Fields,
  method: string,
  entityTag: string | undefined,
): ConditionOutcome {
  const match = fields.get('if-match');
  if (match !== undefined) {
    // §13.1.1: false where there is no current representation, `*` too.
    if (entityTag === undefined || !namesEntityTag(match, entityTag, false)) return 'failed';
  }
  const noneMatch = fields.get('if-none-match');
  if (noneMatch === undefined || entityTag === undefined) return 'met';
  if (!namesEntityTag(noneMatch, entityTag, true)) return 'met';
  return method === 'GET' || method === 'HEAD' ? 'not-modified' : 'failed';
}

/** @returns true for a request that has conditions: most have none */
export function hasConditions(fields: Fields): boolean {
  return fields.get('if-match') !== undefined || fields.get('if-none-match') !== undefined;
}
