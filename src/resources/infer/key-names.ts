import { plain, singularName, wordsOf } from '../../base/words.ts';
import type { Names } from '../../schema/names.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { type Fact, inferred } from '../resource.ts';

/** Returns the property that a parameter of a path names, of those that can be a key. */
export function findForParameter(
  names: Names,
  collection: string,
  parameter: string,
): Fact<string> | undefined {
  return (
    findCalledAlike(names, parameter) ??
    findEndOf(names, collection, parameter) ??
    findOrdinal(names, parameter) ??
    findJoined(names, collection, parameter) ??
    findNameOfOne(names, collection, parameter) ??
    findLonger(names, collection, parameter)
  );
}

function findCalledAlike(names: Names, parameter: string) {
  const alike = names.like(plain(parameter));
  if (alike === undefined) return undefined;
  const found = names.all.find((name) => name === parameter) ?? alike;
  return inferred(found, `the path parameter is called ${parameter}`);
}

/** `petId` of a pet is its `id`; `team_slug` of a team is its `slug`. */
function findEndOf(names: Names, collection: string, parameter: string) {
  const words = wordsOf(parameter);
  for (let from = 1; from < words.length; from++) {
    const rest = words.slice(from).join('');
    const found = names.like(rest);
    if (found === undefined) continue;
    // `{floating_ip}` of `floating_ips` is the `ip`, where nothing is called a key.
    const isLast = plain(parameter) === plain(singularName(collection)) && !hasSure(names);
    if (isLast || GENERIC.test(rest) || isOf(words.slice(0, from).join(''), collection)) {
      return inferred(found, `the path parameter ${parameter} ends so`);
    }
  }
  return undefined;
}

/** `{index}` of an issue that has an `id` of the whole service is its `number`. */
function findOrdinal(names: Names, parameter: string) {
  if (!ORDINALS.includes(plain(parameter))) return undefined;
  const found = names.first(ORDINALS);
  return found === undefined ? undefined : inferred(found, `it counts, as {${parameter}} does`);
}

/** `{artistname}` of an artist is its `name`. */
function findJoined(names: Names, collection: string, parameter: string) {
  const [one, word] = [plain(singularName(collection)), plain(parameter)];
  const found = word.startsWith(one) ? names.like(word.slice(one.length)) : undefined;
  return found === undefined
    ? undefined
    : inferred(found, `the path parameter ${parameter} ends so`);
}

/** `{instance}` of an instance is its `name` or its `instanceName`. */
function findNameOfOne(names: Names, collection: string, parameter: string) {
  const one = plain(singularName(collection));
  if (one !== plain(parameter) || hasSure(names)) return undefined;
  const found = names.first(['name', `${one}name`]);
  return found === undefined
    ? undefined
    : inferred(found, `the path parameter is called ${parameter}`);
}

/** `{id}` of an expense is its `expenseId`. */
function findLonger(names: Names, collection: string, parameter: string) {
  const last = plain(parameter);
  if (!GENERIC.test(last)) return undefined;
  const word = names.words.find(
    (each) => each.endsWith(last) && isOf(each.slice(0, -last.length), collection),
  );
  const found = word === undefined ? undefined : names.like(word);
  return found === undefined ? undefined : inferred(found, `it ends in ${parameter}`);
}

/** Names of numbers that count what one parent has. */
const ORDINALS = ['index', 'number', 'iid'];

/** `team` names one of `teams`, and one of `plant_teams`. */
function isOf(word: string, collection: string): boolean {
  const one = plain(singularName(collection));
  return one.endsWith(word) || word.endsWith(one);
}

const SURE = ['id', '_id', 'uuid', 'guid', 'sid'];

function hasSure(names: Names): boolean {
  return SURE.some((word) => names.like(word) !== undefined);
}

/** Returns the property that is usually a key, whatever the path says. */
export function findUsual(names: Names, collection: string): Fact<string> | undefined {
  const found = findSure(names) ?? findSureOf(names, collection);
  return found === undefined ? undefined : inferred(found, `a property is called ${found}`);
}

function findSure(names: Names): string | undefined {
  for (const word of SURE) {
    const likely = names.like(plain(word));
    if (likely === undefined) continue;
    const found =
      likely.toLowerCase() === word
        ? likely
        : names.all.find((name) => name.toLowerCase() === word);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `articleUid` of `articles`, and `ArticleID` of `DailyArticles`. */
function findSureOf(names: Names, collection: string): string | undefined {
  const single = singularName(collection);
  const one = plain(single);
  for (const word of SURE) {
    const found = names.like(one + plain(word));
    if (found !== undefined) return found;
  }
  const [last = '', ...others] = wordsOf(single).toReversed();
  return others.length > 0 ? names.like(`${last}id`) : undefined;
}

/** Returns true if a schema has a property that is usually a key. */
export function hasKey(node: SchemaNode | undefined, collection: string): boolean {
  return node !== undefined && findUsual(node.singles, collection) !== undefined;
}

/** Names that do not say what they identify. */
export const GENERIC =
  /^(?:id|key|uuid|guid|gid|sid|uid|name|slug|code|number|index|username|sha|hash)$/;
