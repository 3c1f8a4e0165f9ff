import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
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
