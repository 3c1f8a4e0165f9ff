import type { JsonNumber } from '../base/json/value.ts';
import type { Chance } from './chance.ts';
import { drawNumber, type UsualRange } from './number-value.ts';
import type { Constraints } from './space/constraints.ts';
import { splitName } from './text/named-texts.ts';

const range = (lowest: number, highest: number, places = 0): UsualRange => ({
  lowest,
  highest,
  places,
});

const MONEY = range(1, 500, 2);
const COUNT = range(0, 100);

/** By the last word of a property's name. */
const ranges: ReadonlyMap<string, UsualRange> = new Map([
  ['id', range(1, 10_000)],
  ['price', MONEY],
  ['amount', MONEY],
  ['cost', MONEY],
  ['total', MONEY],
  ['fee', MONEY],
  ['balance', MONEY],
  ['count', COUNT],
  ['quantity', range(1, 20)],
  ['stock', COUNT],
  ['age', range(18, 80)],
  ['year', range(2000, 2030)],
  ['month', range(1, 12)],
  ['day', range(1, 28)],
  ['hour', range(0, 23)],
  ['minute', range(0, 59)],
  ['rating', range(1, 5, 1)],
  ['score', range(0, 100, 1)],
  ['percent', range(0, 100, 1)],
  ['percentage', range(0, 100, 1)],
  ['latitude', range(-60, 70, 6)],
  ['lat', range(-60, 70, 6)],
  ['longitude', range(-180, 180, 6)],
  ['lng', range(-180, 180, 6)],
  ['lon', range(-180, 180, 6)],
  ['port', range(1024, 49_151)],
  ['page', range(1, 10)],
  ['limit', range(10, 100)],
  ['offset', range(0, 100)],
  ['status', range(200, 299)],
  ['width', range(100, 2000)],
  ['height', range(100, 2000)],
  ['weight', range(1, 100, 1)],
  ['size', range(1, 10_000)],
  ['position', COUNT],
  ['index', COUNT],
  ['version', range(1, 20)],
]);

const INTEGER = range(1, 1000);
const NUMBER = range(1, 1000, 2);

/** @returns a number as the property's name lets one expect; undefined when none conforms */
export function drawNamedNumber(
  constraints: Constraints,
  chance: Chance,
  name: string | undefined,
): JsonNumber | undefined {
  const usual = constraints.isIntegral ? INTEGER : NUMBER;
  return drawNumber(constraints, chance, findRange(name, chance) ?? usual);
}

function findRange(name: string | undefined, { now }: Chance): UsualRange | undefined {
  if (name === undefined) return undefined;
  const last = splitName(name).at(-1) ?? '';
  if (last !== 'timestamp' && last !== 'at' && last !== 'created' && last !== 'updated') {
    return ranges.get(last);
  }
  const seconds = Math.floor(now / 1000);
  return range(seconds - 2_600_000, seconds);
}
