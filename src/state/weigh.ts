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
    if (typeof one === 'string') bytes += TEXT + one.length;
    else if (Array.isArray(one)) {
      bytes += OBJECT + ITEM * one.length;
      for (const item of one) left.push(item);
    } else if (isJsonObject(one)) {
      bytes += OBJECT;
      for (const [name, member] of Object.entries(one)) {
        bytes += MEMBER + name.length;
        left.push(member);
      }
    } else bytes += one instanceof Decimal ? NUMBER + OBJECT : NUMBER;
  }
  return bytes;
}
