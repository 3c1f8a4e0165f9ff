import { compareNumbers, readExactNumber } from '../../base/json/number.ts';
import type { JsonNumber } from '../../base/json/value.ts';
import { distanceOf } from '../text-distance.ts';
import { type MatcherKind, quoteValue } from './value-matcher.ts';

export const numberMatchers: readonly MatcherKind<JsonNumber>[] = [
  compare('equalToNumber', 'not', (order) => order === 0),
  compare('greaterThanNumber', 'not more than', (order) => order > 0),
  compare('greaterThanEqualNumber', 'not at least', (order) => order >= 0),
  compare('lessThanNumber', 'not less than', (order) => order < 0),
  compare('lessThanEqualNumber', 'not at most', (order) => order <= 0),
];

function compare(
  name: string,
  words: string,
  holds: (order: number) => boolean,
): MatcherKind<JsonNumber> {
  return {
    name,
    compile: (wanted) => ({
      explain: () => `${words} ${quoteValue(wanted)}`,
      matches({ text }) {
        const number = text === undefined ? undefined : readNumber(text.trim());
        return number !== undefined && holds(compareNumbers(number, wanted));
      },
      distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, String(wanted)) || 1),
    }),
  };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the number that a text is in JSON; undefined for any other text. */
export function readNumber(text: string): JsonNumber | undefined {
  return JSON_NUMBER.test(text) ? readExactNumber(text) : undefined;
}
