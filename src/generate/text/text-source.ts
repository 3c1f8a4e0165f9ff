import type { Chance } from '../chance.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Where a text may come from: called anew for each text. */
export type TextSource = (chance: Chance, words: Vocabulary) => string;
