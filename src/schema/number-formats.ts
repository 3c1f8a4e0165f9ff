import { compareNumbers, isInteger } from '../base/json/number.ts';
import type { JsonNumber } from '../base/json/value.ts';

/** A format of the OpenAPI format registry that narrows numbers. */
export interface NumberFormat {
  /** With its article, as a person reads it in "must be …". */
  readonly described: string;
  readonly lowest: JsonNumber;
  readonly highest: JsonNumber;
  readonly isIntegral: boolean;
  accepts(value: JsonNumber): boolean;
}

const LARGEST_FLOAT = 3.4028234663852886e38;

/** https://spec.openapis.org/registry/format: the formats whose JSON type is number. */
export const numberFormats: ReadonlyMap<string, NumberFormat> = new Map([
  ['int8', integers('an int8', -(2n ** 7n), 2n ** 7n - 1n)],
  ['uint8', integers('a uint8', 0n, 2n ** 8n - 1n)],
  ['int16', integers('an int16', -(2n ** 15n), 2n ** 15n - 1n)],
  ['uint16', integers('a uint16', 0n, 2n ** 16n - 1n)],
  ['int32', integers('an int32', -(2n ** 31n), 2n ** 31n - 1n)],
  ['uint32', integers('a uint32', 0n, 2n ** 32n - 1n)],
  ['int64', integers('an int64', -(2n ** 63n), 2n ** 63n - 1n)],
  ['uint64', integers('a uint64', 0n, 2n ** 64n - 1n)],
  ['float', numbers('a float', LARGEST_FLOAT)],
  ['double', numbers('a double', Number.MAX_VALUE)],
]);

function integers(described: string, lowest: bigint, highest: bigint): NumberFormat {
  const isInRange = (value: JsonNumber): boolean =>
    compareNumbers(value, lowest) >= 0 && compareNumbers(value, highest) <= 0;
  const accepts = (value: JsonNumber): boolean => isInteger(value) && isInRange(value);
  return { described, lowest, highest, isIntegral: true, accepts };
}

function numbers(described: string, highest: number): NumberFormat {
  const accepts = (value: JsonNumber): boolean => isWithin(value, highest);
  return { described, lowest: -highest, highest, isIntegral: false, accepts };
}

/** What rounds to a double within the limit: programs write the largest one rounded up. */
function isWithin(value: JsonNumber, limit: number): boolean {
  return Math.abs(Number(String(value))) <= limit;
}
