import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { Contract } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import type { Direction } from '../schema/message-direction.ts';
import { compilePattern } from '../schema/pattern/pattern.ts';
import type { Schema, SchemaCompiler } from '../schema/schema-compiler.ts';
import { subschemasOf } from '../schema/subschemas.ts';
import { createFinding, type Finding, type Inspector, toFindings } from './finding.ts';
import { messageSchemas } from './operation-parts.ts';

/** Finds schemas that cannot be compiled, and the subschemas that prevent it. */
export function createSchemaInspector(contract: Contract, compilation: Compilation): Inspector {
  const examined: Examined = new Map();
  return {
    *inspect(operation) {
      for (const schema of messageSchemas(operation)) {
        const fault = compilation.faultOf(schema);
        if (fault === undefined || examined.has(schema.pointer)) continue;
        yield* findCulprits(contract, compilation, schema.pointer, schema.pointer, examined);
      }
    },
  };
}

/** Tries whether schemas can be compiled, each once, as a failure is expensive. */
export class Compilation {
  readonly #schemas: SchemaCompiler;
  readonly #faults = new Map<Schema, readonly Diagnostic[] | undefined>();

  constructor({ schemas }: Contract) {
    this.#schemas = schemas;
  }

  /** Returns why a schema cannot be compiled; undefined when it can. */
  faultOf(schema: Schema): readonly Diagnostic[] | undefined {
    if (this.#faults.has(schema)) return this.#faults.get(schema);
    const fault = tryOut(schema);
    this.#faults.set(schema, fault);
    return fault;
  }

  /** Like {@link faultOf}, for the schema at a place. */
  faultAt(place: Place, direction?: Direction): readonly Diagnostic[] | undefined {
    return this.faultOf(this.#schemas.schemaAt(place, direction));
  }
}

/** Compiles a schema by using it. */
function tryOut(schema: Schema): readonly Diagnostic[] | undefined {
  try {
    schema.check(null, 'body');
    return undefined;
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

/** Schemas that were examined, each with the schema of a message that led to it. */
type Examined = Map<Place, Place>;

/** Yields the faults of a schema, of its subschemas where those are the cause. */
function* findCulprits(
  contract: Contract,
  compilation: Compilation,
  place: Place,
  root: Place,
  examined: Examined,
): Generator<Finding> {
  const fault = compilation.faultAt(place);
  if (fault === undefined || examined.has(place)) return;
  examined.set(place, root);
  const { document } = contract;
  const value = document.at(place);
  if (!isJsonObject(value) || isOfReference(fault)) {
    yield* toFindings(fault, 'schema');
    return;
  }
  const schema = { value, pointer: place };
  const own = [...findPatternFaults(contract, schema)];
  yield* own;
  let isElsewhere = own.length > 0;
  for (const { pointer } of subschemasOf(document, schema)) {
    if (compilation.faultAt(pointer) === undefined) continue;
    // A schema that led here fails because this one does.
    isElsewhere ||= examined.get(pointer) !== root;
    yield* findCulprits(contract, compilation, pointer, root, examined);
  }
  if (!isElsewhere) yield* toFindings(fault, 'schema');
}

/** Returns true for a fault that is reported at its reference. */
function isOfReference(fault: readonly Diagnostic[]): boolean {
  return fault.some(({ pointer }) => pointer.endsWith('/$ref'));
}

function* findPatternFaults(
  { document }: Contract,
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
      'Write it as JavaScript has it (ECMA-262).',
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
