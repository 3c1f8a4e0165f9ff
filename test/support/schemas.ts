import { parseJson } from '../../src/base/json/parse.ts';
import { parseSource } from '../../src/document/source.ts';
import { SourceDocument } from '../../src/document/source-document.ts';
import { type Schema, SchemaCompiler } from '../../src/schema/schema-compiler.ts';

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
