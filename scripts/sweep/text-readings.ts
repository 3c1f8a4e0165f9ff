import type { Json, JsonMembers } from './json.ts';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * All values that a text may stand for: a text says nothing of types, so it is valid when one of
 * its readings is.
 */
export function readTexts(text: string): Json[] {
  const items = text.split(',').map((item) => item.trim());
  const readings: Json[] = [text, ...readScalar(text)];
  readings.push(
    items,
    items.map((item) => readScalar(item)[0] ?? item),
  );
  const exploded = items.map((item) => item.split(/=(.*)/s).slice(0, 2));
  if (exploded.every(({ length }) => length === 2)) readings.push(...readMembers(exploded));
  if (items.length % 2 === 0) {
    const pairs = items.flatMap((item, index) =>
      index % 2 === 0 ? [[item, items[index + 1] ?? '']] : [],
    );
    readings.push(...readMembers(pairs));
  }
  if (text === '') readings.push([]);
  return readings;
}

function readScalar(text: string): Json[] {
  if (NUMBER.test(text)) return [Number(text)];
  if (text === 'true' || text === 'false') return [text === 'true'];
  return text === 'null' || text === '' ? [null] : [];
}

function readMembers(pairs: readonly (readonly string[])[]): JsonMembers[] {
  const texts = Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
  const typed = Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name, readScalar(value)[0] ?? value]),
  );
  return [texts, typed];
}
