import { type Content, exampleNames } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Parameter, parameterLocations } from '../contract/parameters.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { Direction } from '../schema/message-direction.ts';
import { SchemaTypes } from './schema-types.ts';
import {
  TypeNames,
  uniteTypes,
  writeComment,
  writeLiteral,
  writeMember,
  writeObject,
} from './typescript-text.ts';

/** The names that a test may use besides operations. */
export interface TypedNames {
  readonly collections: readonly TypedCollection[];
  readonly fixtures: readonly string[];
}

export interface TypedCollection {
  readonly name: string;
  readonly kind: 'collection' | 'singleton';
  /** Pointer of the schema of what a read shows. */
  readonly shown: string;
  /** Pointer of the schema of what a create or a replace takes. */
  readonly given: string;
}

/**
 * Returns the types of a document as the text of a `.d.ts` file, which imports nothing: the types of
 * component schemas, an interface for each operation that can be served, and one for the document,
 * which is the type parameter of `createMock`, `connect` and their sessions.
 */
export function writeTypes(contract: Contract, { collections, fixtures }: TypedNames): string {
  const names = new TypeNames();
  const types = new SchemaTypes(contract.schemas.nodes, names);
  for (const { place } of contract.document.entries) {
    const components = contract.document.members(`${place}/components/schemas`);
    // Used or not.
    for (const [, pointer] of components) types.nameOf(pointer, 'response');
  }
  const whole = names.take(contract.title, `${contract.title} api`);
  const served = contract.operations.filter(({ fault }) => fault === undefined);
  const operations = served.map((operation) => ({
    operation,
    name: names.take(`${operation.id}Operation`),
    type: writeOperation(operation, types),
  }));
  const state = collections.map(({ name, kind, shown, given }) =>
    writeMember(
      name,
      writeObject([
        ...(kind === 'singleton' ? [writeMember('kind', writeLiteral(kind))] : []),
        writeMember('shown', types.typeOf(shown, 'response')),
        writeMember('given', types.typeOf(given, 'request')),
      ]),
    ),
  );
  const members = operations.map(({ operation, name }) => writeMember(operation.id, name));
  return [
    writeComment(heading(contract)),
    `export interface ${whole} ${writeObject([
      writeMember('operations', writeObject(members)),
      writeMember('state', writeObject(state)),
      writeMember('fixtures', uniteTypes(fixtures.map(writeLiteral))),
    ])}\n`,
    ...operations.map(
      ({ operation, name, type }) =>
        `${writeComment(summaryOf(operation))}export interface ${name} ${type}\n`,
    ),
    ...[...types.declarations()].map((declaration) => `${declaration}\n`),
  ].join('\n');
}

function heading({ title, version }: Contract): string {
  return `${title} ${version}, as \`coldframe types\` writes it: write it again when the document changes.`;
}

function summaryOf({ method, path, summary }: Operation): string {
  return summary === undefined ? `${method} ${path}` : `${method} ${path}\n\n${summary}`;
}

/** Returns the object type of an operation: its parameters, bodies, responses and examples. */
function writeOperation(operation: Operation, types: SchemaTypes): string {
  const { parameters, body, responses } = operation;
  const sent = body === undefined ? 'undefined' : typeOfContents(body.contents, 'request', types);
  const isLeftOut = body !== undefined && !body.required;
  return writeObject([
    writeMember('parameters', writeParameters(parameters, types)),
    writeMember('body', isLeftOut ? uniteTypes([sent, 'undefined']) : sent),
    writeMember(
      'responses',
      writeResponses(responses.all, (one) => typeOfAnswer(one, types)),
    ),
    writeMember('examples', writeResponses(responses.all, typeOfExamples)),
  ]);
}

function writeParameters(parameters: readonly Parameter[], types: SchemaTypes): string {
  return writeObject(
    parameterLocations.flatMap((location) => {
      const here = parameters.filter((one) => one.in === location);
      if (here.length === 0) return [];
      const isOptional = here.every(({ required }) => !required);
      const members = here.map((one) => writeMember(one.name, typeOf(one, types), !one.required));
      return [writeMember(location, writeObject(members), isOptional)];
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
  return writeObject(responses.map((response) => writeMember(response.key, write(response))));
}

function typeOfAnswer({ contents }: DeclaredResponse, types: SchemaTypes): string {
  return contents.length === 0 ? 'undefined' : typeOfContents(contents, 'response', types);
}

/** Returns the names of the examples that a test may ask for; `never` for none. */
function typeOfExamples({ contents }: DeclaredResponse): string {
  return uniteTypes(exampleNames(contents).map(writeLiteral));
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
