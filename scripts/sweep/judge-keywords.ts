import * as Browser from '@hyperjump/browser';
import type { Keyword } from '@hyperjump/json-schema/experimental';
import { Validation } from '@hyperjump/json-schema/experimental';
import * as Instance from '@hyperjump/json-schema/instance/experimental';
import { isOfFormat } from './formats.ts';

/** Keywords in which the judge's library is weaker than a judge may be, done again. */
export function ownKeywords(): Record<string, Keyword<never>> {
  return { format, pattern, patternProperties, multipleOf } as unknown as Record<
    string,
    Keyword<never>
  >;
}

const format: Keyword<string> = {
  id: 'https://sweep.invalid/keyword/format',
  compile: async (schema) => String(Browser.value(schema)),
  interpret: (name, instance) => isOfFormat(name, Instance.value(instance)),
};

const pattern: Keyword<RegExp | undefined> = {
  id: 'https://sweep.invalid/keyword/pattern',
  compile: async (schema) => toRegExp(String(Browser.value(schema))),
  interpret: (expression, instance) =>
    expression === undefined ||
    Instance.typeOf(instance) !== 'string' ||
    expression.test(String(Instance.value(instance))),
};

const patternProperties: Keyword<[RegExp | undefined, string][]> = {
  id: 'https://json-schema.org/keyword/patternProperties',
  simpleApplicator: true,
  compile: async (schema, ast) => {
    const compiled: [RegExp | undefined, string][] = [];
    for await (const [source, value] of Browser.entries(schema)) {
      compiled.push([
        toRegExp(String(source)),
        await Validation.compile(value as never, ast, schema),
      ]);
    }
    return compiled;
  },
  interpret: (compiled, instance, context) => {
    if (Instance.typeOf(instance) !== 'object') return true;
    let isValid = true;
    for (const [expression, schema] of compiled) {
      for (const [nameNode, value] of Instance.entries(instance)) {
        const name = String(Instance.value(nameNode));
        if (expression?.test(name) !== true) continue;
        if (!Validation.interpret(schema, value, context)) isValid = false;
        (context as { evaluatedProperties?: Set<string> }).evaluatedProperties?.add(name);
      }
    }
    return isValid;
  },
};

/** Digits decide, not doubles: 0.07 is a multiple of 0.01. */
const multipleOf: Keyword<number> = {
  id: 'https://sweep.invalid/keyword/multipleOf',
  compile: async (schema) => Number(Browser.value(schema)),
  interpret: (divisor, instance) => {
    if (Instance.typeOf(instance) !== 'number') return true;
    const [value, valueScale] = toDigits(Number(Instance.value(instance)));
    const [by, byScale] = toDigits(divisor);
    if (by === 0n) return true;
    const scale = Math.max(valueScale, byScale);
    return (
      (value * 10n ** BigInt(scale - valueScale)) % (by * 10n ** BigInt(scale - byScale)) === 0n
    );
  },
};

/** @returns an integer and by how many decimal places it is too large */
function toDigits(value: number): [bigint, number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? [digits, scale] : [digits * 10n ** BigInt(-scale), 0];
}

/** ECMA 262 with `u`, and without where `u` forbids it: real documents have both. */
function toRegExp(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // The next flags may do.
    }
  }
  return undefined;
}
