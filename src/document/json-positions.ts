import { type Member, Positions } from './positions.ts';

/** @param text of which it is known that it is JSON */
export function positionsInJson(text: string): Positions {
  return new Positions(text, skipSpace(text, 0), (offset) => readMembers(text, offset));
}

function readMembers(text: string, offset: number): ReadonlyMap<string, Member> | undefined {
  const isObject = text[offset] === '{';
  if (!isObject && text[offset] !== '[') return undefined;
  const members = new Map<string, Member>();
  for (let at = skipSpace(text, offset + 1); !isEnd(text[at]); ) {
    const key = at;
    let name = String(members.size);
    if (isObject) {
      at = skipString(text, at);
      name = JSON.parse(text.slice(key, at)) as string;
      // The colon, and what is around it.
      at = skipSpace(text, skipSpace(text, at) + 1);
    }
    members.set(name, { key, value: at });
    at = skipSpace(text, skipValue(text, at));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

function isEnd(character: string | undefined): boolean {
  return character === '}' || character === ']' || character === undefined;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** @returns the offset behind the string that begins here */
function skipString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end + 1;
}

/** A quote is escaped behind an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return at > 0 && backslashes % 2 === 1;
}

/** @returns the offset behind the value that begins here */
function skipValue(text: string, from: number): number {
  if (text[from] !== '{' && text[from] !== '[') return skipSimple(text, from);
  let depth = 0;
  let at = from;
  do {
    const character = text[at];
    if (character === '{' || character === '[') depth++;
    else if (isEnd(character)) depth--;
    at = character === '"' ? skipString(text, at) : at + 1;
  } while (depth > 0);
  return at;
}

function skipSimple(text: string, from: number): number {
  if (text[from] === '"') return skipString(text, from);
  let at = from;
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++;
  return at;
}
