import {
  registerSchema,
  type SchemaFragment,
  type SchemaObject,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/openapi-3-1';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { ExecutionContext } from 'ava';
import type { JsonValue } from '../../src/base/json/value.ts';

/** Says whether a value keeps a schema, without a line of the validator that the mock uses. */
export type Judge = (value: JsonValue) => boolean;

const OPENAPI_DIALECT = 'https://spec.openapis.org/oas/3.1/dialect/base';
const OPENAPI_DOCUMENTS = 'https://spec.openapis.org/oas/3.1/schema-base';

/**
 * Opens a document for judging by its schemas; it is closed when the test ends.
 *
 * @param document an OpenAPI document, or a JSON Schema
 * @returns makes the judge for the schema at a pointer
 */
export function openForJudging(
  t: ExecutionContext,
  document: JsonValue,
  dialect = OPENAPI_DIALECT,
): (pointer: string) => Promise<Judge> {
  const id = `https://judged.test/${encodeURIComponent(t.title)}`;
  registerSchema(toPlain(document) as SchemaObject, id, dialect);
  t.teardown(() => unregisterSchema(id));
  return async (pointer) => {
    const judge = await validate(`${id}#${encodeURI(pointer)}`);
    return (value) => judge(toPlain(value)).valid;
  };
}

/** @returns what each of two judges says of a value as an OpenAPI 3.1 document */
export async function judgeOpenAPI(document: JsonValue): Promise<readonly [boolean, boolean]> {
  const first = await new Validator().validate(toPlain(document) as Record<string, unknown>);
  const second = await validate(OPENAPI_DOCUMENTS, toPlain(document));
  return [first.valid, second.valid];
}

/** The judges know doubles only. */
function toPlain(value: JsonValue): SchemaFragment {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      typeof member === 'bigint' ? Number(member) : member,
    ),
  ) as SchemaFragment;
}
