import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Located } from '../document/source-document.ts';
import type { Schema } from '../schema/schema-compiler.ts';

/** Yields the schemas that requests to an operation must conform to. */
export function* requestSchemas({ parameters, body }: Operation): Generator<Schema> {
  for (const { schema } of parameters) if (schema !== undefined) yield schema;
  yield* schemasOf(body?.contents ?? []);
}

/** Yields the schemas that a response must conform to. */
export function* responseSchemas({ contents, headers }: DeclaredResponse): Generator<Schema> {
  for (const schema of headers.schemas.values()) if (schema !== undefined) yield schema;
  yield* schemasOf(contents);
}

/** Yields every schema of the operation's messages. */
export function* messageSchemas(operation: Operation): Generator<Schema> {
  yield* requestSchemas(operation);
  for (const response of operation.responses.all) yield* responseSchemas(response);
}

function* schemasOf(contents: readonly Content[]): Generator<Schema> {
  for (const { schema } of contents) if (schema !== undefined) yield schema;
}

/** Returns the Parameter Objects of an operation: those of its path, then its own. */
export function findParameterObjects(
  document: OpenAPIDocument,
  { root, path, pointer }: Operation,
): readonly Located<JsonObject>[] {
  const place = `${root}/paths${toPointer([path])}`;
  // Parameters may be next to the reference of a Path Item Object, and in its target.
  const items = new Set([place, document.resolveObject(place)?.pointer ?? place]);
  return [...items, pointer]
    .flatMap((owner) => document.items(`${owner}/parameters`))
    .flatMap(({ value, pointer: at }) => (isJsonObject(value) ? [{ value, pointer: at }] : []));
}
