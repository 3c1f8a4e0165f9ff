import { parseJson } from '../base/json/parse.ts';
import { stringifyJson, toJson } from '../base/json/stringify.ts';
import { once, onceEach, remember } from '../base/remember.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Explanation, Inferred, Meaning } from './meaning.ts';
import type { ResourceType } from './resource.ts';

/** The first line. It refers to types and operations by index. */
interface Header {
  /** The types with a collection, in the order of their names. */
  readonly all: readonly number[];
  /** The operations that concern the types of a name, in the order of the document. */
  readonly byName: readonly (readonly [name: string, operations: readonly number[]])[];
  /** The operation that shows the caller. */
  readonly caller: number | undefined;
}

/** Returns the index of a type; a new one gets the next. */
type IndexOf = (type: ResourceType) => number;

/**
 * Returns all meanings as a text of lines, so that each can be read without the others: a header,
 * one line for each operation of the contract, with its meaning or the reason why it has none, and
 * one for each type. Yields after each line.
 */
export function* writeMeanings(
  { operations }: Contract,
  inferred: Inferred,
): Generator<void, Buffer> {
  const types = new Map<ResourceType, number>();
  const indexOf: IndexOf = (type) => remember(types, type, () => types.size);
  const byName = new Map<string, number[]>();
  const meanings: string[] = [];
  for (const [index, operation] of operations.entries()) {
    const { meaning, reason } = inferred.explanationOf(operation);
    if (meaning !== undefined) remember(byName, meaning.type.name, () => []).push(index);
    meanings.push(meaning === undefined ? JSON.stringify(reason) : writeMeaning(meaning, indexOf));
    yield;
  }
  const all = inferred.all.map(indexOf);
  const lines: string[] = [];
  for (const type of types.keys()) {
    lines.push(writeType(type));
    yield;
  }
  const shown = inferred.caller()?.operation;
  const caller = shown && operations.indexOf(shown);
  const header: Header = { all, byName: [...byName], caller };
  return Buffer.from([JSON.stringify(header), ...meanings, ...lines].join('\n'));
}

function writeMeaning(meaning: Meaning, indexOf: IndexOf): string {
  const { operation: _, ...facts } = meaning;
  const users = meaning.kind === 'login' ? meaning.users : undefined;
  const given = 'given' in meaning ? meaning.given : undefined;
  const renamed = given?.renamed && [...given.renamed];
  const kept = {
    ...facts,
    type: indexOf(meaning.type),
    ...(users && { users: indexOf(users) }),
    ...(given && { given: { ...given, renamed } }),
  };
  return stringifyJson(toJson(kept));
}

function writeType(type: ResourceType): string {
  const [schema, writtenSchema] = [type.schema?.pointer, type.writtenSchema?.pointer];
  return stringifyJson(toJson({ ...type, schema, writtenSchema }));
}

/**
 * Returns the meanings that {@link writeMeanings} wrote for a contract of the same document, each
 * read when it is first needed.
 */
export function readMeanings({ operations, schemas }: Contract, text: Buffer): Inferred {
  const lineAt = splitLines(text);
  const { all, byName, caller } = readLine<Header>(lineAt(0));
  const types = new Map<number, ResourceType>();
  const typeAt: TypeAt = (index) =>
    remember(types, index, () => readType(lineAt(1 + operations.length + index), schemas));
  const indexes = once(() => new Map(operations.map((operation, index) => [operation, index])));
  const explanationOf = onceEach((operation: Operation): Explanation => {
    const index = indexes().get(operation);
    const kept = index === undefined ? '' : readLine<string | KeptMeaning>(lineAt(1 + index));
    if (typeof kept === 'string') return { operation, meaning: undefined, reason: kept };
    const meaning = readMeaning(kept, operation, typeAt);
    return { operation, meaning, reason: meaning.reason };
  });
  const meaningOf = (operation: Operation) => explanationOf(operation).meaning;
  const meaningAt = (index: number): Meaning | undefined => {
    const operation = operations[index];
    return operation && meaningOf(operation);
  };
  const stored = once(() => all.map(typeAt));
  const byTypeName = new Map(byName);
  const byStoredName = once(() => new Map(stored().map((type) => [type.name, type])));
  return {
    get all() {
      return stored();
    },
    find: (name) => byStoredName().get(name),
    meaningOf,
    explanationOf,
    meanings: once(() => operations.flatMap((one) => meaningOf(one) ?? [])),
    caller: once(() => {
      const meaning = caller === undefined ? undefined : meaningAt(caller);
      return meaning?.kind === 'read' ? meaning : undefined;
    }),
    meaningsOf: (name) => (byTypeName.get(name) ?? []).flatMap((one) => meaningAt(one) ?? []),
  };
}

type TypeAt = (index: number) => ResourceType;

interface KeptType extends Omit<ResourceType, 'schema' | 'writtenSchema'> {
  /** Pointers. */
  readonly schema?: string;
  readonly writtenSchema?: string;
}

function readType(line: string, schemas: Contract['schemas']): ResourceType {
  const { schema, writtenSchema, ...facts } = readLine<KeptType>(line);
  return Object.freeze({
    ...facts,
    schema: schema === undefined ? undefined : schemas.schemaAt(schema, 'response'),
    writtenSchema:
      writtenSchema === undefined ? undefined : schemas.schemaAt(writtenSchema, 'request'),
  });
}

interface KeptMeaning {
  /** Indexes. */
  readonly type: number;
  readonly users?: number;
  readonly given?: { readonly renamed?: readonly (readonly [string, string])[] };
}

function readMeaning(kept: KeptMeaning, operation: Operation, typeAt: TypeAt): Meaning {
  const { type, users, given, ...facts } = kept;
  const renamed = given?.renamed && new Map(given.renamed);
  const meaning: unknown = {
    ...facts,
    operation,
    type: typeAt(type),
    ...(users !== undefined && { users: typeAt(users) }),
    ...(given && { given: { ...given, ...(renamed && { renamed }) } }),
  };
  return meaning as Meaning;
}

function readLine<Kept>(line: string): Kept {
  const value: unknown = parseJson(line);
  return value as Kept;
}

/** Returns a function that returns a line of a text. */
function splitLines(text: Buffer): (index: number) => string {
  const starts = [0];
  for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, end + 1)) {
    starts.push(end + 1);
  }
  starts.push(text.length + 1);
  return (index) => text.toString('utf8', starts[index], (starts[index + 1] ?? 0) - 1);
}

const NEWLINE = 0x0a;
