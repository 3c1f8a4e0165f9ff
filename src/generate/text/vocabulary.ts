import * as lists from './word-lists.ts';

/** Words that depend on a language: those of people and places. */
export interface Vocabulary {
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly streets: readonly string[];
  /** True where a street follows its number: `12 Park Road`. */
  readonly isNumberFirst: boolean;
  readonly places: readonly lists.Place[];
  readonly locale: string;
}

export const english: Vocabulary = {
  firstNames: lists.englishFirstNames,
  lastNames: lists.englishLastNames,
  streets: lists.englishStreets,
  isNumberFirst: true,
  places: lists.englishPlaces,
  locale: 'en-US',
};
