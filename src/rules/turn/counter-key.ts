import type { Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { parameterNames } from '../../contract/template-segment.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { RequestView } from '../../request/view.ts';
import { requirePathParameter } from '../match/parameters.ts';

export interface CounterMembers {
  readonly per?: Scope;
}

/** The scope of a counter: one of three, or the parameter of one location by its name. */
type Scope =
  | 'operation'
  | 'resource'
  | 'client'
  | { readonly [Location in ParameterLocation]?: string };

/** Returns the key of the counter that counts a request. */
type CounterKey = (view: RequestView) => string;

/**
 * Compiles what a rule counts separately: requests with the same key share a counter.
 *
 * @param pointer of the rule in its file
 * @param operations that the rule names; none for all
 * @throws {DiagnosticError} for path parameters that an operation of the rule does not have
 */
export function compileCounterKey(
  file: SourceDocument,
  pointer: string,
  { per }: CounterMembers,
  operations: readonly Operation[],
): CounterKey {
  const unnamed = operations.find(({ path }) => parameterNames(path).length === 0);
  if (per === 'resource' && unnamed !== undefined) {
    throw file.fail(
      `${pointer}/per`,
      `${unnamed.id} has no path parameters that tell resources apart`,
      'Leave it out, or count by client, or by the name of a header, query or cookie.',
    );
  }
  switch (per) {
    case undefined:
      return () => '';
    case 'operation':
      return ({ operation }) => operation?.id ?? '';
    case 'resource':
      return (view) => shorten(resourceOf(view));
    case 'client':
      return ({ credential }) => shorten(credential ?? '');
    default: {
      const [[location, name] = ['header', '']] = Object.entries(per);
      if (location === 'path') requirePathParameter(file, `${pointer}/per/path`, name, operations);
      return (view) => shorten(join(view.texts(location as ParameterLocation, name)));
    }
  }
}

/** Returns the resource that a path names, whatever the method. */
function resourceOf(view: RequestView): string {
  const { operation, path } = view;
  if (operation === undefined) return path;
  const values = parameterNames(operation.path).flatMap((name) => view.texts('path', name));
  return join([operation.path, ...values]);
}

/** A NUL can only come from `%00` in a request, which is useless as a key. */
function join(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? '') : texts.join('\0');
}

const LONGEST_KEY = 256;
const KEPT = 100;

/** A client may send long values, and ten thousand keys are remembered. */
function shorten(key: string): string {
  if (key.length <= LONGEST_KEY) return key;
  return `${key.slice(0, KEPT)}…${key.length}…${key.slice(-KEPT)}`;
}
