import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import { compilePattern } from '../schema/pattern/pattern.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { subschemasOf } from '../schema/subschemas.ts';
import {
  createFinding,
  type Finding,
  type Inspector,
  messageSchemas,
  toFindings,
} from './finding.ts';

/**
 * Finds schemas that cannot be compiled, and the subschemas that prevent it. Tries each schema once,
 * as a failure is expensive.
 */
export class Compilation implements Inspector {
  readonly #contract: Contract;
  readonly #faults = new Map<Schema, readonly Diagnostic[] | undefined>();
  /** Schemas that were examined, each with the schema of a message that led to it. */
  readonly #examined = new Map<Place, Place>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  *inspect(operation: Operation): Generator<Finding> {
    for (const schema of messageSchemas(operation)) {
      if (this.faultOf(schema) === undefined) continue;
      yield* this.#findCulprits(schema.pointer, schema.pointer);
    }
  }

  /** Returns why a schema cannot be compiled; undefined when it can. */
  faultOf(schema: Schema): readonly Diagnostic[] | undefined {
    if (!this.#faults.has(schema)) this.#faults.set(schema, findFault(schema));
    return this.#faults.get(schema);
  }

  #faultAt(place: Place): readonly Diagnostic[] | undefined {
    return this.faultOf(this.#contract.schemas.schemaAt(place));
  }

  /** Yields the faults of a schema, of its subschemas where those are the cause. */
  *#findCulprits(place: Place, root: Place): Generator<Finding> {
    const fault = this.#faultAt(place);
    if (fault === undefined || this.#examined.has(place)) return;
    this.#examined.set(place, root);
    const { document } = this.#contract;
    const value = document.at(place);
    // A fault of a reference is reported there.
    if (!isJsonObject(value) || fault.some(({ pointer }) => pointer.endsWith('/$ref'))) {
      yield* toFindings(fault, 'schema');
      return;
    }
    const schema = { value, pointer: place };
    const own = [...findPatternFaults(document, schema)];
    yield* own;
    let isElsewhere = own.length > 0;
    for (const { pointer } of subschemasOf(document, schema)) {
      if (this.#faultAt(pointer) === undefined) continue;
      // A schema that led here fails because this one does.
      isElsewhere ||= this.#examined.get(pointer) !== root;
      yield* this.#findCulprits(pointer, root);
    }
    if (!isElsewhere) yield* toFindings(fault, 'schema');
  }
}

/** Uses a schema, and returns why it cannot be compiled; undefined when it can. */
export function findFault(schema: Schema): readonly Diagnostic[] | undefined {
  try {
    schema.accepts(null);
    return undefined;
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

function* findPatternFaults(
  document: OpenAPIDocument,
  { value: schema, pointer }: Located<JsonObject>,
): Generator<Finding> {
  const { pattern, patternProperties } = schema;
  const patterns: [pattern: string, place: Place][] = [];
  if (typeof pattern === 'string') patterns.push([pattern, `${pointer}/pattern`]);
  for (const name of isJsonObject(patternProperties) ? Object.keys(patternProperties) : []) {
    patterns.push([name, `${pointer}/patternProperties${toPointer([name])}`]);
  }
  for (const [text, place] of patterns) {
    const reason = whyNoPattern(text);
    if (reason === undefined) continue;
    yield createFinding(
      document,
      'schema',
      place,
      `the pattern ${JSON.stringify(text)} is no regular expression: ${reason}`,
      'Use the syntax of JavaScript (ECMA-262).',
    );
  }
}

function whyNoPattern(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message.replace(/^.*: /s, '').toLowerCase();
    throw error;
  }
}
