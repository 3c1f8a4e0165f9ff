import type { Located } from './description.ts';
import { isMembers, type Json } from './json.ts';

/** @returns the values that `example` and `examples` of an object give */
export function exampleValues({ value }: Located): Json[] {
  if (!isMembers(value)) return [];
  const { example, examples } = value;
  const named = isMembers(examples) ? Object.values(examples) : [];
  const values = named.flatMap((one) => {
    if (!isMembers(one)) return [];
    return [one['value'] ?? one['dataValue']].filter((given) => given !== undefined);
  });
  return [...(example === undefined ? [] : [example]), ...values];
}
