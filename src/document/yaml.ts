import { createRequire } from 'node:module';
import type { Schema } from 'js-yaml';
import { readExactNumber } from '../base/json/number.ts';
import { Decimal, type JsonValue } from '../base/json/value.ts';
import type { Position } from './diagnostic.ts';

/** The first error of a text. */
export interface YamlFault {
  readonly message: string;
  readonly position: Position;
}

const require = createRequire(import.meta.url);

/**
 * Parses YAML 1.2 (core schema, and the merge key that documents use) as a JSON value with exact
 * numbers.
 *
 * @returns the value, or the first error
 */
export function loadYaml(text: string): { readonly value: JsonValue } | YamlFault {
  const yaml = require('js-yaml') as typeof import('js-yaml');
  try {
    const documents = yaml.loadAll(text, { schema: exactSchema(yaml), maxDepth: DEEPEST });
    if (documents.length > 1) throw new RangeError('one document is read, here are several');
    const value: unknown = documents[0] ?? null;
    measureTree(value, new Set());
    return { value: value as JsonValue };
  } catch (error) {
    if (error instanceof yaml.YAMLException) {
      const { line = 0, column = 0 } = error.mark ?? {};
      return { message: error.reason, position: { line: line + 1, column: column + 1 } };
    }
    return { message: (error as Error).message, position: { line: 1, column: 1 } };
  }
}

/** Deeper documents are a mistake or an attack. */
const DEEPEST = 1000;

type Yaml = typeof import('js-yaml');

function exactSchema(yaml: Yaml): Schema {
  return yaml.CORE_SCHEMA.withTags(exactInteger(yaml), exactFloat(yaml), yaml.mergeTag);
}

function exactInteger({ defineScalarTag, intCoreTag, NOT_RESOLVED }: Yaml) {
  return defineScalarTag<JsonValue>(intCoreTag.tagName, {
    ...intCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = intCoreTag.resolve(source, isExplicit, tagName);
      if (value === NOT_RESOLVED || Number.isSafeInteger(value)) return value;
      const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(source) ?? [];
      return sign === '-' ? -BigInt(digits) : BigInt(digits);
    },
  });
}

/** Decimals of at most this many digits are exact as doubles. */
const SAFE_DECIMAL_LENGTH = 15;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function exactFloat({ defineScalarTag, floatCoreTag, NOT_RESOLVED }: Yaml) {
  return defineScalarTag<JsonValue>(floatCoreTag.tagName, {
    ...floatCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = floatCoreTag.resolve(source, isExplicit, tagName);
      if (value === NOT_RESOLVED) return value;
      if (!Number.isFinite(value)) throw new RangeError(`${source} is not a JSON value`);
      const isLong = source.length > SAFE_DECIMAL_LENGTH && JSON_NUMBER.test(source);
      return (isLong ? readExactNumber(source) : undefined) ?? value;
    },
  });
}

/**
 * The most values, counting each use of an alias: few lines can make more values than fit into
 * memory.
 */
const MOST_VALUES = 5_000_000;

/** @throws {RangeError} for too many aliased values, and for an alias inside its own anchor */
function measureTree(
  value: unknown,
  parents: Set<object>,
  sizes = new Map<object, number>(),
): number {
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  if (parents.has(value)) throw new RangeError('an alias is inside its own anchor');
  parents.add(value);
  let size = 1;
  for (const key in value) {
    size += measureTree((value as Record<string, unknown>)[key], parents, sizes);
    if (size > MOST_VALUES) throw new RangeError(`aliases repeat more than ${MOST_VALUES} values`);
  }
  parents.delete(value);
  sizes.set(value, size);
  return size;
}
