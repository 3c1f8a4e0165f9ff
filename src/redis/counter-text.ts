import type { Counter } from '../rules/turn/turn.ts';

/** @returns a counter as text, every number as it is */
export function writeCounter({ matched, acted, firstAt, tokens, tokensAt }: Counter): string {
  return [matched, acted, firstAt, tokens, tokensAt].join(' ');
}

export function readCounter(text: string): Counter {
  const [matched = 0, acted = 0, firstAt = 0, tokens = 0, tokensAt = 0] = text
    .split(' ')
    .map(Number);
  return { matched, acted, firstAt, tokens, tokensAt };
}

/** @returns the field of a counter: no rule's name has a space in it */
export function fieldOf(rule: string, key: string): string {
  return `${rule} ${key}`;
}
