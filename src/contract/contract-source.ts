import type { JsonValue } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { SchemaCompiler } from '../schema/schema-compiler.ts';

/** A document, and the parts that turn it into a contract. */
export interface ContractSource {
  readonly document: OpenAPIDocument;
  readonly schemas: SchemaCompiler;
  /**
   * Returns values that conform to the schema at a pointer, for a required header field without a
   * value in the document. They are the same at every call, the best first.
   */
  readonly findValues: (pointer: string) => readonly JsonValue[];
}
