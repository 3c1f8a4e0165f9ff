import { toTimestamp } from '../../base/clock.ts';
import { type Chance, drawInteger, drawOne } from '../chance.ts';
import { capitalize, drawPhrase, type TextSource, type Vocabulary } from './vocabulary.ts';

const DAY = 86_400_000;
const HEXADECIMAL = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a moment some days from now; negative days are in the past. */
export function drawMoment(chance: Chance, fromDays: number, toDays: number): number {
  const offset = fromDays * DAY + chance.random.next() * (toDays - fromDays) * DAY;
  return chance.now + Math.round(offset / 1000) * 1000;
}

export function timestamp(fromDays: number, toDays: number): TextSource {
  return (chance) => toTimestamp(drawMoment(chance, fromDays, toDays));
}

export function drawFrom(chance: Chance, alphabet: string, length: number): string {
  let text = '';
  for (let index = 0; index < length; index++) {
    text += alphabet.charAt(drawInteger(chance, 0, alphabet.length - 1));
  }
  return text;
}

export function drawHexadecimal(chance: Chance, length: number): string {
  return drawFrom(chance, HEXADECIMAL, length);
}

/** Returns letters and digits in base64 that decode to whole bytes. */
export function drawBase64(chance: Chance, groups = 4): string {
  return drawFrom(chance, BASE64, groups * 4);
}

/** Returns a UUID of version 4 (RFC 9562 §5.4). */
export function drawUuid(chance: Chance): string {
  const digits = drawHexadecimal(chance, 30);
  const variant = drawFrom(chance, '89ab', 1);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(12, 15)}`,
    `${variant}${digits.slice(15, 18)}`,
    digits.slice(18, 30),
  ].join('-');
}

export function drawWord(chance: Chance, words: Vocabulary): string {
  return drawOne(chance, words.nouns) ?? 'word';
}

export function drawSlug(chance: Chance, words: Vocabulary): string {
  return drawPhrase(chance, [words.adjectives, words.nouns]).replaceAll(' ', '-');
}

export function drawTitle(chance: Chance, words: Vocabulary): string {
  return capitalize(drawPhrase(chance, [words.adjectives, words.nouns]));
}

export function drawSentence(chance: Chance, words: Vocabulary): string {
  const { adjectives, nouns, verbs } = words;
  const text = drawPhrase(chance, [['the', 'a', 'one', 'every'], adjectives, nouns]);
  return `${capitalize(text)} can ${drawPhrase(chance, [verbs, ['the', 'a'], nouns])}.`;
}

export function drawFirstName(chance: Chance, words: Vocabulary): string {
  return drawOne(chance, words.firstNames) ?? 'Ada';
}

export function drawLastName(chance: Chance, words: Vocabulary): string {
  return drawOne(chance, words.lastNames) ?? 'Lovelace';
}

export function drawFullName(chance: Chance, words: Vocabulary): string {
  return `${drawFirstName(chance, words)} ${drawLastName(chance, words)}`;
}

export function drawUserName(chance: Chance, words: Vocabulary): string {
  const name = plainLetters(drawFirstName(chance, words));
  return `${name}.${plainLetters(drawLastName(chance, words))}`;
}

/** Returns a host name that is reserved for examples (RFC 2606 §3). */
export function drawHost(chance: Chance, words: Vocabulary): string {
  return `${drawWord(chance, words)}.example.${drawOne(chance, ['com', 'org', 'net']) ?? 'com'}`;
}

export function drawEmail(chance: Chance, words: Vocabulary): string {
  const top = drawOne(chance, ['com', 'org', 'net']) ?? 'com';
  return `${drawUserName(chance, words)}@example.${top}`;
}

export function drawUrl(chance: Chance, words: Vocabulary): string {
  return `https://${drawHost(chance, words)}/${drawSlug(chance, words)}`;
}

export function drawCompany(chance: Chance, words: Vocabulary): string {
  const kind = drawOne(chance, ['Group', 'Inc', 'LLC', 'and Sons', 'Works', 'Labs']) ?? 'Inc';
  return `${drawLastName(chance, words)} ${kind}`;
}

function plainLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
