import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { fillMissing, mend, mergeDeep } from '../../resources/mend.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { placeholderBySchema } from '../state/placeholder.ts';
import type { StateMaterial } from '../state/state-request.ts';
import { fit } from './fit.ts';

/**
 * Makes a value conform with as little change as may be: it is shown as it is, beside what must be
 * there; else in part; else beside whatever goes with it.
 *
 * @param example what is missing is taken from first; undefined for none
 * @param identity what is made up depends on this alone
 * @returns undefined where nothing that conforms has it
 */
export function completeValue(
  material: StateMaterial,
  schema: Schema,
  value: JsonValue,
  example: JsonValue | undefined,
  identity: string,
): JsonValue | undefined {
  if (schema.check(value, 'body').length === 0) return value;
  const drawn = placeholderBySchema(material, { schema }, identity)?.value;
  const bases = [example, drawn].filter((one) => one !== undefined);
  const ways: readonly ((base: JsonValue) => JsonValue | undefined)[] = [
    (base) => (isJsonObject(value) ? fillMissing(schema, value, base) : undefined),
    () => fit(material, schema.pointer, value, identity),
    (base) => mend(schema, value, base),
    (base) => mend(schema, mergeDeep(base, value), base),
  ];
  for (const way of ways) {
    for (const base of bases) {
      const completed = way(base);
      if (completed !== undefined && schema.check(completed, 'body').length === 0) return completed;
    }
  }
  return undefined;
}
