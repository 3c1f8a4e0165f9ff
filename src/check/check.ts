import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Schema } from '../contract/schema-compiler.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';

/** What keeps paths and operations from being served; schemas are not compiled for it. */
export function* findErrors({ faults, operations }: Contract): Generator<Diagnostic> {
  yield* faults;
  for (const { fault } of operations) yield* fault?.diagnostics ?? [];
}

/**
 * What a mock cannot promise of a document that it can serve: schemas that do not compile and
 * examples that break their own schema, each with its place. Compiles every schema.
 */
export function findFaults(contract: Contract): readonly Diagnostic[] {
  const faults = new Map<string, Diagnostic>();
  const add = (diagnostics: readonly Diagnostic[]): void => {
    for (const one of diagnostics) faults.set(`${one.file} ${one.pointer} ${one.message}`, one);
  };
  add([...findErrors(contract)]);
  for (const content of contentsOf(contract)) {
    add(tryOut(() => findExampleFaults(contract, content)));
  }
  for (const schema of parameterSchemas(contract)) {
    add(
      tryOut(() => {
        schema.check(null, 'query');
        return [];
      }),
    );
  }
  return [...faults.values()];
}

function soundOperations({ operations }: Contract): readonly Operation[] {
  return operations.filter(({ fault }) => fault === undefined);
}

function* contentsOf(contract: Contract): Generator<Content> {
  for (const { body, responses } of soundOperations(contract)) {
    yield* body?.contents ?? [];
    for (const { contents } of responses.all) yield* contents;
  }
}

function parameterSchemas(contract: Contract): readonly Schema[] {
  return soundOperations(contract).flatMap(({ parameters, responses }) => [
    ...parameters.flatMap(({ schema }) => schema ?? []),
    ...responses.all.flatMap(({ headers }) =>
      [...headers.schemas.values()].flatMap((one) => one ?? []),
    ),
  ]);
}

function findExampleFaults({ document }: Contract, content: Content): readonly Diagnostic[] {
  if (!content.isJson) return [];
  // Compiles the schema where no example does.
  content.schema?.check(null, 'body');
  return content.examples.flatMap(({ name, pointer, violations }) =>
    violations.map((violation) =>
      document.diagnose(
        'warning',
        pointer + violation.pointer,
        `the example ${name === undefined ? '' : `${JSON.stringify(name)} `}breaks its schema: ` +
          violation.message.replace(/^body/, 'value'),
        'It is not served; correct the example or the schema.',
      ),
    ),
  );
}

function tryOut(find: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics;
  }
}
