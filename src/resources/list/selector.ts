import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { toText } from '../../media/text-codec.ts';
import { getProperty } from '../collections.ts';
import type { MemberPath } from '../meaning.ts';
import { valueAt } from '../wrapping.ts';

/**
 * Creates the filter of a selector: `app=web,tier!=back`, `tier in (front, edge)`, `app`, `!app`.
 * A resource must meet all requirements.
 *
 * @param property names that lead to the object whose members are selected by
 * @throws {Problem} INVALID_REQUEST
 */
export function createSelector(property: MemberPath, wanted: string) {
  // A comma in parentheses separates values, not requirements.
  const parts = wanted.match(/(?:[^,(]|\([^()]*\)?)+/g) ?? [];
  const requirements = parts.filter((part) => part.trim() !== '').map(readRequirement);
  return (resource: JsonObject): boolean => {
    const owner = valueAt(resource, property);
    return requirements.every((isMet) => isMet(isJsonObject(owner) ? owner : {}));
  };
}

function readRequirement(part: string): (owner: JsonObject) => boolean {
  const text = part
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replace(/ ?(!=|==?) ?/, '$1');
  const found = /^(!?)([^ =!()]+)(?:(!=|==?)([^=()]*)| (in|notin) ?\(([^()]*)\))?$/.exec(text);
  if (found === null) {
    const message = `${JSON.stringify(part.slice(0, 80))} is no selector such as app=web or app in (web, db)`;
    throw new Problem('INVALID_REQUEST', message);
  }
  const [, not, name = '', operator, value, word, list] = found;
  const textOf = (owner: JsonObject): string | undefined => {
    const own: JsonValue | undefined = getMember(owner, name) ?? getProperty(owner, name);
    return own === undefined || own === null ? undefined : toText(own);
  };
  const values = value === undefined ? list?.split(',').map((one) => one.trim()) : [value];
  const isNegated = not === '!' || operator === '!=' || word === 'notin';
  return (owner) => {
    const own = textOf(owner);
    const isMet = own !== undefined && values?.includes(own) !== false;
    return isMet !== isNegated;
  };
}
