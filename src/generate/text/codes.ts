import type { Chance } from '../chance.ts';
import type { TextSource } from './topic.ts';

const DIGITS = '0123456789';
const HEXADECIMAL = '0123456789abcdef';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
/** Crockford's base 32, which ULIDs are written in. */
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BASE62 = UPPER + LOWER + DIGITS;

export function drawFrom(chance: Chance, alphabet: string, length: number): string {
  let text = '';
  // One random number, of 32 bits, is enough for several characters.
  for (let range = 1, rest = 0; text.length < length; range *= alphabet.length) {
    if (range === 1 || range * alphabet.length > 2 ** 31) {
      range = 1;
      rest = Math.floor(chance.random.next() * 2 ** 32);
    }
    text += alphabet.charAt(rest % alphabet.length);
    rest = Math.floor(rest / alphabet.length);
  }
  return text;
}

export function drawHexadecimal(chance: Chance, length: number): string {
  return drawFrom(chance, HEXADECIMAL, length);
}

export function drawDigits(chance: Chance, length: number): string {
  return drawFrom(chance, '123456789', 1) + drawFrom(chance, DIGITS, length - 1);
}

/** Returns letters and digits in base64 that decode to whole bytes. */
export function drawBase64(chance: Chance, groups = 4): string {
  return drawFrom(chance, BASE62, groups * 4);
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

/** Returns a ULID: ten characters for the time in milliseconds, and sixteen random ones. */
export function drawUlid(chance: Chance): string {
  let time = '';
  for (let rest = chance.now; time.length < 10; rest = Math.floor(rest / 32)) {
    time = BASE32.charAt(rest % 32) + time;
  }
  return time + drawFrom(chance, BASE32, 16);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * Returns another identifier that looks like one of the document: `cus_H3kd9` for `cus_NffrF`.
 *
 * @returns undefined for a text that does not look like an identifier, such as a word
 */
export function drawAlike(chance: Chance, text: string): string | undefined {
  if (UUID.test(text)) return drawUuid(chance);
  if (ULID.test(text)) return drawUlid(chance);
  const [, prefix = '', rest = ''] = /^((?:[A-Za-z]+[_:.-])*)(.*)$/s.exec(text) ?? [];
  if (!/\d/.test(rest)) return undefined;
  const isHexadecimal = /^[\da-f]{8,}$/.test(rest);
  const drawn = [...rest].map((character, index) => {
    if (isHexadecimal) return drawHexadecimal(chance, 1);
    if (/\d/.test(character)) return drawFrom(chance, index === 0 ? '123456789' : DIGITS, 1);
    if (/[a-z]/.test(character)) return drawFrom(chance, LOWER, 1);
    return /[A-Z]/.test(character) ? drawFrom(chance, UPPER, 1) : character;
  });
  return prefix + drawn.join('');
}

export const uuid: TextSource = ({ chance }) => drawUuid(chance);
export const token: TextSource = ({ chance }) => drawBase64(chance, 8);
/** Returns three parts in base64, as of a signed token (RFC 7519 §3.1), whose header is real. */
export const jwt: TextSource = ({ chance }) =>
  `eyJhbGciOiJIUzI1NiJ9.${drawBase64(chance, 9)}.${drawBase64(chance, 10)}`;
export const hexadecimal =
  (length: number): TextSource =>
  ({ chance }) =>
    drawHexadecimal(chance, length);
export const digits =
  (length: number, prefix = ''): TextSource =>
  ({ chance }) =>
    prefix + drawDigits(chance, length);
