import { compareNumbers, readExactNumber } from '../../base/json/number.ts';
import type { JsonNumber } from '../../base/json/value.ts';
import { distanceOf } from '../text-distance.ts';
import type { NumberKind } from './matcher-form.ts';
import { quoteValue, type Subject, type ValueMatcher } from './value-matcher.ts';

const compared: Readonly<
  Record<NumberKind, readonly [words: string, holds: (order: number) => boolean]>
> = {
  equalToNumber: ['not', (order) => order === 0],
  greaterThanNumber: ['not more than', (order) => order > 0],
  greaterThanEqualNumber: ['not at least', (order) => order >= 0],
  lessThanNumber: ['not less than', (order) => order < 0],
  lessThanEqualNumber: ['not at most', (order) => order <= 0],
};

export function matchNumber(kind: NumberKind, wanted: JsonNumber): ValueMatcher {
  const [words, holds] = compared[kind];
  return {
    complain: () => `${words} ${quoteValue(wanted)}`,
    matches(subject) {
      const number = numberOf(subject);
      return number !== undefined && holds(compareNumbers(number, wanted));
    },
    distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, String(wanted)) || 1),
  };
}

function numberOf({ text }: Subject): JsonNumber | undefined {
  return text === undefined ? undefined : readNumber(text.trim());
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** @returns the number that a text writes as JSON does; undefined for what is none */
export function readNumber(text: string): JsonNumber | undefined {
  return JSON_NUMBER.test(text) ? readExactNumber(text) : undefined;
}
