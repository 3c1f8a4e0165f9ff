import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import { type Parameter, parameterLocations } from '../contract/parameters.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { Direction } from '../schema/message-direction.ts';
import type { SchemaTypes } from './schema-types.ts';
import { uniteTypes, writeLiteral, writeMember, writeObject } from './typescript-text.ts';

/** Returns the object type of an operation: its parameters, bodies, responses and examples. */
export function writeOperation(operation: Operation, types: SchemaTypes): string {
  const { parameters, body, responses } = operation;
  const sent = body === undefined ? 'undefined' : typeOfContents(body.contents, 'request', types);
  const isLeftOut = body !== undefined && !body.required;
  return writeObject([
    member('parameters', writeParameters(parameters, types)),
    member('body', isLeftOut ? uniteTypes([sent, 'undefined']) : sent),
    member(
      'responses',
      writeResponses(responses.all, (one) => typeOfAnswer(one, types)),
    ),
    member('examples', writeResponses(responses.all, typeOfExamples)),
  ]);
}

function member(key: string, type: string, isOptional = false): string {
  return writeMember({ key, type, isOptional });
}

function writeParameters(parameters: readonly Parameter[], types: SchemaTypes): string {
  return writeObject(
    parameterLocations.flatMap((location) => {
      const here = parameters.filter((one) => one.in === location);
      if (here.length === 0) return [];
      const isOptional = here.every(({ required }) => !required);
      const members = here.map((one) => member(one.name, typeOf(one, types), !one.required));
      return [member(location, writeObject(members), isOptional)];
    }),
  );
}

function typeOf({ schema, content }: Parameter, types: SchemaTypes): string {
  const { pointer } = schema ?? content?.schema ?? {};
  return pointer === undefined ? 'unknown' : types.typeOf(pointer, 'request');
}

/** Writes responses by status; a range and `default` by their names. */
function writeResponses(
  responses: readonly DeclaredResponse[],
  write: (response: DeclaredResponse) => string,
): string {
  return writeObject(responses.map((response) => member(response.key, write(response))));
}

function typeOfAnswer({ contents }: DeclaredResponse, types: SchemaTypes): string {
  return contents.length === 0 ? 'undefined' : typeOfContents(contents, 'response', types);
}

/** Returns the names of the examples that a test may ask for; `never` for none. */
function typeOfExamples({ contents }: DeclaredResponse): string {
  const names = contents.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
  return uniteTypes(names.map(writeLiteral));
}

function typeOfContents(
  contents: readonly Content[],
  direction: Direction,
  types: SchemaTypes,
): string {
  return uniteTypes(
    contents.map(({ schema }) =>
      schema === undefined ? 'unknown' : types.typeOf(schema.pointer, direction),
    ),
  );
}
