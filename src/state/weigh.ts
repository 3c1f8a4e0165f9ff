import { Decimal, isJsonObject, type JsonValue } from '../json/value.ts';

/** What V8 spends on a value, about: bytes. */
const OBJECT = 56;
const MEMBER = 24;
const ITEM = 8;
const TEXT = 24;
const NUMBER = 16;

/** @returns the memory that a value takes, as it is estimated; bytes */
export function weigh(value: JsonValue): number {
  let bytes = 0;
  const left: JsonValue[] = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    bytes += weighAlone(one);
    if (Array.isArray(one)) for (const item of one) left.push(item);
    else if (isJsonObject(one)) for (const member of Object.values(one)) left.push(member);
  }
  return bytes;
}

/** Without its members or items. */
function weighAlone(value: JsonValue): number {
  if (typeof value === 'string') return TEXT + value.length;
  if (Array.isArray(value)) return OBJECT + ITEM * value.length;
  if (!isJsonObject(value)) return value instanceof Decimal ? NUMBER + OBJECT : NUMBER;
  let bytes = OBJECT;
  for (const name of Object.keys(value)) bytes += MEMBER + name.length;
  return bytes;
}
