import { toPointer } from '../base/json/pointer.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import type { Schema } from '../schema/schema-compiler.ts';

/** The schemas by which requests to an operation are judged. */
export function* requestSchemas({ parameters, body }: Operation): Generator<Schema> {
  for (const { schema } of parameters) if (schema !== undefined) yield schema;
  yield* schemasOf(body?.contents ?? []);
}

/** The schemas by which an answer is judged. */
export function* responseSchemas({ contents, headers }: DeclaredResponse): Generator<Schema> {
  for (const schema of headers.schemas.values()) if (schema !== undefined) yield schema;
  yield* schemasOf(contents);
}

/** Every schema of the operation's messages. */
export function* messageSchemas(operation: Operation): Generator<Schema> {
  yield* requestSchemas(operation);
  for (const response of operation.responses.all) yield* responseSchemas(response);
}

function* schemasOf(contents: readonly Content[]): Generator<Schema> {
  for (const { schema } of contents) if (schema !== undefined) yield schema;
}

/** The Parameter Objects that hold for an operation: those of its path, then its own. */
export function findParameterObjects(
  document: OpenAPIDocument,
  { root, path, pointer }: Operation,
): readonly Located<JsonObject>[] {
  const place = `${root}/paths${toPointer([path])}`;
  // Beside a reference of a Path Item Object, and behind it.
  const items = new Set([place, document.resolveObject(place)?.pointer ?? place]);
  return [...items, pointer].flatMap((owner) => listParameters(document, `${owner}/parameters`));
}

function listParameters(document: OpenAPIDocument, place: Place): readonly Located<JsonObject>[] {
  const list = document.at(place);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, index) => document.resolveObject(`${place}/${index}`) ?? []);
}
