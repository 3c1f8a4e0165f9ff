import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Located } from '../document/source-document.ts';
import type { Schema } from '../schema/schema-compiler.ts';

/** Returns the schemas that requests to an operation must conform to. */
export function requestSchemas({ parameters, body }: Operation): readonly Schema[] {
  return [...parameters, ...(body?.contents ?? [])].flatMap(({ schema }) => schema ?? []);
}

/** Returns the schemas that a response must conform to. */
export function responseSchemas({ contents, headers }: DeclaredResponse): readonly Schema[] {
  const ofContents = contents.map(({ schema }) => schema);
  return [...headers.schemas.values(), ...ofContents].filter((schema) => schema !== undefined);
}

/** Returns every schema of the operation's messages. */
export function messageSchemas(operation: Operation): readonly Schema[] {
  return [...requestSchemas(operation), ...operation.responses.all.flatMap(responseSchemas)];
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
