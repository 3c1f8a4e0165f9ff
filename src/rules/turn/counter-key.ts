import type { Operation } from '../../contract/contract.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { RequestView } from '../../request/view.ts';
import type { CounterScope, TurnDefinition } from './turn-form.ts';

/** @returns which of a rule's counters a request is counted by */
export type CounterKey = (view: RequestView) => string;

/**
 * Works out what a rule counts apart: requests of one key share a counter.
 *
 * @param operations that the rule names; none for all
 * @throws {DiagnosticError} for path parameters that an operation of the rule has not
 */
export function compileCounterKey(
  file: SourceDocument,
  { pointer, per }: Pick<TurnDefinition, 'pointer' | 'per'>,
  operations: readonly Operation[],
): CounterKey {
  refuseWithoutParameter(file, `${pointer}/per`, per, operations);
  switch (per) {
    case undefined:
      return () => '';
    case 'operation':
      return ({ operation }) => operation?.id ?? '';
    case 'resource':
      return (view) => shorten(resourceOf(view));
    case 'client':
      return ({ credential }) => shorten(credential ?? '');
    default:
      return (view) => shorten(join(view.texts(per.in, per.name)));
  }
}

/** A resource is what a path names, whatever is done with it. */
function resourceOf(view: RequestView): string {
  const { operation, path } = view;
  if (operation === undefined) return path;
  const values = namesIn(operation.path).flatMap((name) => view.texts('path', name));
  return join([operation.path, ...values]);
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

/** A NUL comes into a request only by `%00`, which nobody counts by. */
function join(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\0');
}

const LONGEST_KEY = 256;
const KEPT = 100;

/** What a client sends may be long, and ten thousand of it are remembered. */
function shorten(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  return `${key.slice(0, KEPT)}…${key.length}…${key.slice(-KEPT)}`;
}

function refuseWithoutParameter(
  file: SourceDocument,
  pointer: string,
  per: CounterScope | undefined,
  operations: readonly Operation[],
): void {
  for (const { id, path } of operations) {
    const names = namesIn(path);
    if (per === 'resource' && names.length === 0) {
      throw file.fail(
        pointer,
        `${id} has no path parameters that tell resources apart`,
        'Leave it out, or say what to count by: client, or a header, query or cookie by its name.',
      );
    }
    if (typeof per !== 'object' || per.in !== 'path' || names.includes(per.name)) continue;
    throw file.fail(
      `${pointer}/path`,
      `${id} has no path parameter ${JSON.stringify(per.name)}`,
      `It has ${names.join(', ') || 'none'}.`,
    );
  }
}
