import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { toReference } from './place.ts';
import type { Located } from './source-document.ts';

/** Returns true for a parameter of Swagger that is a field of the body. */
export function isFormField(parameter: JsonObject): boolean {
  return parameter['in'] === 'formData';
}

/** Converts a Parameter Object of 2.0, other than of the body; it is its own schema. */
export function convertParameter({ value, pointer }: Located<JsonObject>): JsonValue {
  // A reference that cannot be read is kept.
  if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] };
  const { name, in: location, required, allowEmptyValue } = value;
  return {
    ...(name !== undefined && { name }),
    ...(location !== undefined && { in: location }),
    ...(required !== undefined && { required }),
    ...(allowEmptyValue !== undefined && { allowEmptyValue }),
    ...styleOf(value),
    schema: { $ref: toReference(pointer) },
  };
}

/** Converts `collectionFormat` to a style (OAS 2.0 §Parameter Object, 3.0 §4.7.12.3). */
function styleOf({ type, collectionFormat, in: location }: JsonObject): JsonObject {
  if (type !== 'array') return {};
  const isNamed = location === 'query' || location === 'formData';
  switch (collectionFormat) {
    case 'multi':
      return isNamed ? { style: 'form', explode: true } : {};
    case 'ssv':
      return { style: 'spaceDelimited', explode: false };
    case 'pipes':
      return { style: 'pipeDelimited', explode: false };
    case 'tsv':
      return { style: 'form', explode: false, 'x-collectionFormat': 'tsv' };
    default:
      return isNamed ? { style: 'form', explode: false } : {};
  }
}

/** OAS 2.0 Parameter Object: a field may be empty only with `allowEmptyValue`. */
function fieldSchema({ value, pointer }: Located<JsonObject>): JsonObject {
  const schema = { $ref: toReference(pointer) };
  const mayBeEmpty = value['type'] !== 'string' || value['allowEmptyValue'] === true;
  return mayBeEmpty ? schema : { allOf: [schema, { minLength: 1 }] };
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Returns a Request Body Object for the fields of a form; undefined without fields. */
export function convertFormFields(
  parameters: readonly Located<JsonObject>[],
  consumes: readonly string[],
): JsonObject | undefined {
  const fields = parameters.filter(({ value }) => isFormField(value));
  if (fields.length === 0) return undefined;
  const required = fields.filter(({ value }) => value['required'] === true);
  const entries = fields.map((field) => [String(field.value['name']), fieldSchema(field)] as const);
  const encoding = fields.flatMap(({ value }) => {
    const style = styleOf(value);
    return Object.keys(style).length === 0 ? [] : [[String(value['name']), style] as const];
  });
  const content = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries),
      ...(required.length > 0 && { required: required.map(({ value }) => String(value['name'])) }),
    },
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
  const hasFile = fields.some(({ value }) => value['type'] === 'file');
  const declared = consumes.filter((type) => type === FORM || type === MULTIPART);
  const types = declared.length > 0 ? declared : [hasFile ? MULTIPART : FORM];
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}
