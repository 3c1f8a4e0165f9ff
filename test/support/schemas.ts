import { readFile } from 'node:fs/promises';
import { type Schema, SchemaCompiler } from '../../src/contract/schema-compiler.ts';
import { parseSource } from '../../src/document/source.ts';
import { SourceDocument } from '../../src/document/source-document.ts';
import { parseJson } from '../../src/json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';

/**
 * @param text a JSON Schema as JSON or YAML, numbers to the last digit
 * @param pointer of the schema in it, where it is not the whole
 */
export function compileSchema(text: string, pointer = ''): Schema {
  return new SchemaCompiler(new SourceDocument(parseSource('schema.yaml', text))).schemaAt(pointer);
}

/** @returns the violations of an instance, given as JSON text, in words */
export function complaints(schema: Schema, instance: string): readonly string[] {
  return schema.check(parseJson(instance), 'body').map(({ message }) => message);
}

export function accepts(schema: Schema, instance: string): boolean {
  return complaints(schema, instance).length === 0;
}

/** One test of the public JSON-Schema-Test-Suite, twice: as doubles and exactly. */
export interface SuiteTest {
  /** Names it: file, group, test. */
  readonly name: string;
  readonly plainSchema: JsonObject | boolean;
  readonly exactSchema: JsonValue;
  readonly plainInstance: unknown;
  readonly exactInstance: JsonValue;
  readonly isValid: boolean;
}

interface PlainGroup {
  readonly file: string;
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

const suiteFile = new URL('json-schema-test-suite/draft2020-12.jsonl', import.meta.url);

/** @returns the groups of the suite: each has tests of one schema */
export async function readSuite(): Promise<readonly (readonly SuiteTest[])[]> {
  const text = await readFile(suiteFile, 'utf8');
  return text.trimEnd().split('\n').map(readGroup);
}

function readGroup(line: string): readonly SuiteTest[] {
  const plain = JSON.parse(line) as PlainGroup;
  const exact = memberOf(parseJson(line), 'tests');
  return plain.tests.map(({ description, data, valid }, index) => ({
    name: `${plain.file}: ${plain.description}: ${description}`,
    plainSchema: plain.schema,
    exactSchema: memberOf(parseJson(line), 'schema'),
    plainInstance: data,
    exactInstance: memberOf(Array.isArray(exact) ? exact[index] : undefined, 'data'),
    isValid: valid,
  }));
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue {
  const member = value !== undefined && isJsonObject(value) ? value[key] : undefined;
  if (member === undefined) throw new Error(`no member ${key}`);
  return member;
}
