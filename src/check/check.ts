import { Contract, type Operation } from '../contract/contract.ts';
import type { Undeclared } from '../contract/error-response.ts';
import { findSecurityFaults } from '../contract/security.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { createAmbiguityInspector } from './ambiguity.ts';
import { createExampleInspector } from './examples.ts';
import {
  type Finding,
  type Inspector,
  keyOf,
  messageSchemas,
  requestSchemas,
  responseSchemas,
  toFindings,
} from './finding.ts';
import {
  createOperationIdInspector,
  createPathInspector,
  createPathParameterInspector,
  whyUnreachable,
} from './paths.ts';
import { createRefusalInspector, createResponseInspector } from './responses.ts';
import { Satisfiability } from './satisfiability.ts';
import { Compilation, findFault } from './uncompilable.ts';
import { createFeatureInspector, createKeywordInspector } from './unsupported.ts';

/** One step of a check: the findings in one operation, or in the document as a whole. */
export interface Inspection {
  /** Undefined for the document as a whole. */
  readonly operation: Operation | undefined;
  /** False when a valid request to the operation cannot be answered as declared. */
  readonly isServed: boolean;
  /** The findings that are new. */
  readonly findings: readonly Finding[];
}

/**
 * Yields the findings of a document, one operation at a time, so that the caller can do other work
 * between two steps. Compiles every schema of the document.
 */
export function* inspectContract(
  contract: Contract,
  undeclared: Undeclared = 'contract',
): Generator<Inspection> {
  const compilation = new Compilation(contract);
  const satisfiability = new Satisfiability(contract, compilation);
  const inspectors: readonly Inspector[] = [
    createPathInspector(contract),
    createAmbiguityInspector(contract),
    createPathParameterInspector(contract),
    createOperationIdInspector(contract),
    createResponseInspector(contract),
    createKeywordInspector(contract),
    createFeatureInspector(contract),
    createRefusalInspector(contract, undeclared),
    // These compile schemas.
    compilation,
    satisfiability,
    createExampleInspector(contract, compilation),
  ];
  const known = new Set<string>();
  const whole = (findings: Iterable<Finding>): Inspection => ({
    operation: undefined,
    isServed: true,
    findings: keepNews(known, findings),
  });
  yield whole(toFindings(contract.faults, 'document'));
  yield whole(toFindings(findSecurityFaults(contract), 'document'));
  // The first of two identical paths is routed.
  yield whole(toFindings(contract.duplicates, 'unreachable-path'));
  yield whole(toFindings(contract.twins, 'ambiguous-route'));
  for (const operation of contract.operations) {
    const { fault } = operation;
    const found = fault
      ? toFindings(fault.diagnostics, 'document')
      : inspectors.flatMap((one) => collect(() => one.inspect?.(operation) ?? []));
    const findings = keepNews(known, found).map((one) => ({ ...one, operation: operation.id }));
    yield { operation, isServed: isServed(operation, satisfiability), findings };
  }
  for (const one of inspectors) yield whole(collect(() => one.conclude?.() ?? []));
}

/**
 * Yields all findings of a document, in the background: it pauses between operations, and between
 * the schemas of each, so that a server in the same process can respond. It keeps nothing that it
 * compiles.
 */
export async function* findFindingsIdly(
  { document }: Contract,
  signal: AbortSignal,
  pause: () => Promise<void>,
): AsyncGenerator<Finding> {
  const contract = new Contract(document);
  let inspected = 0;
  for (const { findings } of inspectContract(contract)) {
    yield* findings;
    await pause();
    const operation = contract.operations[inspected++];
    if (signal.aborted) return;
    if (operation === undefined || operation.fault !== undefined) continue;
    // Compiling the schemas takes the time; the inspection reports what is wrong with them.
    for (const schema of messageSchemas(operation)) {
      findFault(schema);
      await pause();
      if (signal.aborted) return;
    }
  }
}

/** Collects findings; a part of the document that cannot be read is one, too. */
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

function isServed(operation: Operation, satisfiability: Satisfiability): boolean {
  const { fault, path } = operation;
  if (fault !== undefined || whyUnreachable(path) !== undefined) return false;
  const { success } = operation.responses;
  const answered = success === undefined ? [] : responseSchemas(success.response);
  const schemas = [...requestSchemas(operation), ...answered];
  return schemas.every((schema) => satisfiability.mayHaveValues(schema));
}
