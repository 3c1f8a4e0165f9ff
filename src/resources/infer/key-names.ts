import { plain, singularName, wordsOf } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { type Fact, inferred } from '../resource.ts';

/** Returns the property that a parameter of a path names, of those that can be a key. */
export function findForParameter(
  names: readonly string[],
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

function findCalledAlike(names: readonly string[], parameter: string) {
  const exact = names.find((name) => name === parameter);
  const found = exact ?? names.find((name) => plain(name) === plain(parameter));
  return found === undefined
    ? undefined
    : inferred(found, `the path parameter is called ${parameter}`);
}

/** `petId` of a pet is its `id`; `team_slug` of a team is its `slug`. */
function findEndOf(names: readonly string[], collection: string, parameter: string) {
  // `{floating_ip}` of `floating_ips` is the `ip`, where nothing is called a key.
  const isLast = plain(parameter) === plain(singularName(collection)) && !hasSure(names);
  const words = wordsOf(parameter);
  for (let from = 1; from < words.length; from++) {
    const rest = words.slice(from).join('');
    const found = names.find((name) => plain(name) === rest);
    const isOfIt = GENERIC.test(rest) || isOf(words.slice(0, from).join(''), collection) || isLast;
    if (found !== undefined && isOfIt) {
      return inferred(found, `the path parameter ${parameter} ends so`);
    }
  }
  return undefined;
}

/** `{index}` of an issue that has an `id` of the whole service is its `number`. */
function findOrdinal(names: readonly string[], parameter: string) {
  if (!ORDINAL.test(plain(parameter))) return undefined;
  const found = names.find((name) => ORDINAL.test(plain(name)));
  return found === undefined ? undefined : inferred(found, `it counts, as {${parameter}} does`);
}

/** `{artistname}` of an artist is its `name`. */
function findJoined(names: readonly string[], collection: string, parameter: string) {
  const one = plain(singularName(collection));
  const found = names.find((name) => one + plain(name) === plain(parameter));
  return found === undefined
    ? undefined
    : inferred(found, `the path parameter ${parameter} ends so`);
}

/** `{instance}` of an instance is its `name` or its `instanceName`. */
function findNameOfOne(names: readonly string[], collection: string, parameter: string) {
  const one = plain(singularName(collection));
  if (one !== plain(parameter) || hasSure(names)) return undefined;
  const found = names.find((name) => ['name', `${one}name`].includes(plain(name)));
  return found === undefined
    ? undefined
    : inferred(found, `the path parameter is called ${parameter}`);
}

/** `{id}` of an expense is its `expenseId`. */
function findLonger(names: readonly string[], collection: string, parameter: string) {
  const last = plain(parameter);
  if (!GENERIC.test(last)) return undefined;
  const found = names.find((name) => {
    const [start, end] = [plain(name).slice(0, -last.length), plain(name).slice(-last.length)];
    return end === last && isOf(start, collection);
  });
  return found === undefined ? undefined : inferred(found, `it ends in ${parameter}`);
}

/** Names of numbers that count what one parent has. */
const ORDINAL = /^(?:index|number|iid)$/;

/** `team` names one of `teams`, and one of `plant_teams`. */
function isOf(word: string, collection: string): boolean {
  const one = plain(singularName(collection));
  return one.endsWith(word) || word.endsWith(one);
}

const SURE = ['id', '_id', 'uuid', 'guid', 'sid'];

function hasSure(names: readonly string[]): boolean {
  return names.some((name) => SURE.includes(plain(name)));
}

/** Returns the property that is usually a key, whatever the path says. */
export function findUsual(names: readonly string[], collection: string): Fact<string> | undefined {
  const one = plain(singularName(collection));
  const [found] = [
    ...SURE.flatMap((word) => names.find((name) => name.toLowerCase() === word) ?? []),
    ...SURE.flatMap((word) => names.find((name) => plain(name) === one + plain(word)) ?? []),
    // `ArticleID` of `DailyArticles`.
    ...names.filter((name) => isOfLastWord(name, collection)),
  ];
  return found === undefined ? undefined : inferred(found, `a property is called ${found}`);
}

function isOfLastWord(name: string, collection: string): boolean {
  const [last = '', ...others] = wordsOf(singularName(collection)).toReversed();
  return others.length > 0 && plain(name) === `${last}id`;
}

/** Returns true if a schema has a property that is usually a key. */
export function hasKey(node: SchemaNode | undefined, collection: string): boolean {
  return findUsual(singleNames(node), collection) !== undefined;
}

/** Names that do not say what they identify. */
export const GENERIC =
  /^(?:id|key|uuid|guid|gid|sid|uid|name|slug|code|number|index|username|sha|hash)$/;

/** Returns the names of the properties that can be a key. */
export function singleNames(node: SchemaNode | undefined): readonly string[] {
  return [...(node?.names ?? [])].filter((name) => isSingle(node?.property(name)));
}

export function isSingle(node: SchemaNode | undefined): boolean {
  return node !== undefined && !node.isObject && !node.isArray && !node.types.has('boolean');
}
