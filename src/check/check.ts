import { type Contract, compileContract, type Operation } from '../contract/contract.ts';
import type { Undeclared } from '../contract/error-response.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { createAmbiguityInspector } from './ambiguity.ts';
import { createExampleInspector } from './examples.ts';
import { type Finding, type Inspector, keyOf, toFindings } from './finding.ts';
import { createOperationIdInspector } from './operation-ids.ts';
import { messageSchemas, requestSchemas, responseSchemas } from './operation-parts.ts';
import { createPathParameterInspector } from './path-parameters.ts';
import { createPathInspector, whyUnreachable } from './path-templates.ts';
import { createRefusalInspector } from './refusals.ts';
import { createResponseInspector } from './responses.ts';
import { createSatisfiabilityInspector, Satisfiability } from './satisfiability.ts';
import { Compilation, createSchemaInspector } from './uncompilable.ts';
import { createFeatureInspector } from './unsupported-features.ts';
import { createKeywordInspector } from './unsupported-keywords.ts';

/** A step of a check: what was found in one operation, or in the document as a whole. */
export interface Inspection {
  /** Undefined for the document as a whole. */
  readonly operation: Operation | undefined;
  /** False when a valid request to the operation cannot be answered as declared. */
  readonly isServed: boolean;
  /** Those that were not found before. */
  readonly findings: readonly Finding[];
}

/**
 * What a mock can and cannot promise of a document, an operation at a time: whoever has other
 * things to do may do them between two steps. Compiles every schema of the document.
 *
 * @param undeclared how refusals are answered whose status is not declared
 */
export function* inspectContract(
  contract: Contract,
  undeclared: Undeclared = 'contract',
): Generator<Inspection> {
  const compilation = new Compilation(contract);
  const satisfiability = new Satisfiability(contract, compilation);
  const inspectors = [
    ...createDocumentInspectors(contract, undeclared),
    createSchemaInspector(contract, compilation),
    createSatisfiabilityInspector(contract, satisfiability),
    createExampleInspector(contract, compilation),
  ];
  const answers = (operation: Operation) => isServed(operation, compilation, satisfiability);
  const known = new Set<string>();
  const whole = (findings: Iterable<Finding>): Inspection => ({
    operation: undefined,
    isServed: true,
    findings: keepNews(known, findings),
  });
  yield whole(toFindings(contract.faults, 'document'));
  // The first of two identical paths is routed.
  yield whole(toFindings(contract.duplicates, 'unreachable-path'));
  for (const operation of contract.operations) {
    const { fault } = operation;
    const found = fault
      ? toFindings(fault.diagnostics, 'document')
      : inspectors.flatMap((one) => collect(() => one.inspect?.(operation) ?? []));
    const findings = keepNews(known, found).map((one) => ({ ...one, operation: operation.id }));
    yield { operation, isServed: answers(operation), findings };
  }
  for (const one of inspectors) yield whole(collect(() => one.conclude?.() ?? []));
}

/** @returns everything that is found in a document, one by one */
export function* findFindings(contract: Contract): Generator<Finding> {
  for (const { findings } of inspectContract(contract)) yield* findings;
}

/**
 * As {@link findFindings}, in the background: a server in the same process answers between two
 * operations, and between the schemas of each. What is compiled is let go of afterwards.
 *
 * @param signal ends it when it aborts
 * @param pause is waited for between two pieces of work
 */
export async function* findFindingsIdly(
  { document }: Contract,
  signal: AbortSignal,
  pause: () => Promise<void>,
): AsyncGenerator<Finding> {
  const contract = compileContract(document);
  let inspected = 0;
  for (const { findings } of inspectContract(contract)) {
    yield* findings;
    // To compile the schemas is what takes time.
    for await (const _ of compileSchemas(contract.operations[inspected++], pause)) {
      if (signal.aborted) return;
    }
  }
}

/** Compiles what an operation needs, a schema in each turn of the event loop. */
async function* compileSchemas(
  operation: Operation | undefined,
  pause: () => Promise<void>,
): AsyncGenerator<void> {
  await pause();
  yield;
  if (operation === undefined || operation.fault !== undefined) return;
  for (const schema of messageSchemas(operation)) {
    // What is wrong with it is found when the operation is inspected.
    collect(() => {
      schema.check(null, 'body');
      return [];
    });
    await pause();
    yield;
  }
}

/** Those that compile no schema. */
function createDocumentInspectors(
  contract: Contract,
  undeclared: Undeclared,
): readonly Inspector[] {
  return [
    createPathInspector(contract),
    createAmbiguityInspector(contract),
    createPathParameterInspector(contract),
    createOperationIdInspector(contract),
    createResponseInspector(contract),
    createKeywordInspector(contract),
    createFeatureInspector(contract),
    createRefusalInspector(contract, undeclared),
  ];
}

/** What cannot be looked at is a finding itself. */
function collect(find: () => Iterable<Finding>): readonly Finding[] {
  try {
    return [...find()];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return toFindings(error.diagnostics, 'document');
  }
}

function keepNews(known: Set<string>, findings: Iterable<Finding>): readonly Finding[] {
  return [...findings].filter((finding) => {
    const key = keyOf(finding);
    return !known.has(key) && known.add(key).size > 0;
  });
}

function isServed(
  operation: Operation,
  compilation: Compilation,
  satisfiability: Satisfiability,
): boolean {
  const { fault, path } = operation;
  if (fault !== undefined || whyUnreachable(path) !== undefined) return false;
  const { success } = operation.responses;
  const answered = success === undefined ? [] : responseSchemas(success.response);
  const schemas = [...requestSchemas(operation), ...answered];
  return schemas.every(
    (schema) => compilation.faultOf(schema) === undefined && !satisfiability.isRefuted(schema),
  );
}
