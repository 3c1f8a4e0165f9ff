import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { followReference, type Located, type SourceDocument } from '../document/source-document.ts';

/** A Discriminator Object (OAS 3.1 §4.8.25) beside a `oneOf` or an `anyOf`. */
export interface Discriminator {
  readonly property: string;
  /** The values of the property that name a branch, for each branch of the union. */
  readonly names: readonly (readonly string[])[];
}

/** The branches of `oneOf` or `anyOf`. */
type Union = readonly JsonValue[];

type SchemaObject = Located<JsonObject>;

/** Returns the discriminator of a union; undefined for none, and for one that names no branch. */
export function readDiscriminator(document: SourceDocument, schema: SchemaObject, union: Union) {
  const { pointer, value } = schema;
  const property = discriminatingProperty(value['discriminator']);
  if (property === undefined) return undefined;
  const mapped = Object.entries(mappingOf(value['discriminator']));
  const targetOf = (to: JsonValue) => followReference(document, to, pointer);
  // A branch has the names that are mapped to it, and that of the schema that it refers to.
  const names = union.map((branch) => {
    const reference = isJsonObject(branch) ? getMember(branch, '$ref') : undefined;
    if (typeof reference !== 'string') return [];
    const target = targetOf(reference);
    const implicit = reference.split('/').at(-1) ?? '';
    const isMapped = (to: JsonValue): boolean =>
      to === implicit || (target !== undefined && targetOf(to) === target);
    const explicit = mapped.flatMap(([name, to]) => (isMapped(to) ? [name] : []));
    return [...new Set([...explicit, implicit])];
  });
  return names.some((list) => list.length > 0) ? { property, names } : undefined;
}

/** Returns the property that tells the branches of a union apart (OAS 3.1 §4.8.25). */
export function discriminatingProperty(discriminator: JsonValue | undefined): string | undefined {
  const name = isJsonObject(discriminator) ? discriminator['propertyName'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

export function mappingOf(discriminator: JsonValue | undefined): JsonObject {
  const mapping = isJsonObject(discriminator) ? discriminator['mapping'] : undefined;
  return isJsonObject(mapping) ? mapping : {};
}

/**
 * Returns the schema of a translated union with a discriminator in a request: where the property
 * names a branch, that branch decides, even if others fit as well; otherwise the union does.
 */
export function decideByDiscriminator(
  { property, names }: Discriminator,
  union: Union,
): JsonObject {
  const isNamed = (list: readonly string[]): JsonObject => ({
    type: 'object',
    required: [property],
    properties: { [property]: { enum: [...list] } },
  });
  const cases = union.flatMap((branch, index) => {
    const list = names[index] ?? [];
    return list.length === 0 ? [] : [when(isNamed(list), branch)];
  });
  return { ...when(isNamed(names.flat()), { allOf: cases }), else: { oneOf: [...union] } };
}

/** Returns a schema that applies where a condition does. */
export function when(condition: JsonValue, consequence: JsonValue): JsonObject {
  // An object literal with `then` looks like a promise.
  return Object.fromEntries([
    ['if', condition],
    ['then', consequence],
  ]);
}
