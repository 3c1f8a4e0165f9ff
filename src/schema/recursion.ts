import type { AnySchemaObject, ErrorObject } from 'ajv/dist/2020.js';

interface Context {
  readonly instancePath: string;
}

/** A function that Ajv has compiled; its result is partly in its members. */
interface Compiled {
  (data: unknown, context?: Context): boolean;
  errors?: ErrorObject[] | null;
  /** The members and items that its schema has looked at. */
  evaluated?: { props?: unknown; items?: unknown };
}

/** The result of a function for an object or an array. */
interface Result {
  readonly path: string | undefined;
  readonly isValid: boolean;
  readonly errors: readonly ErrorObject[] | null;
  readonly props?: unknown;
  readonly items?: unknown;
}

/** More errors of one function are of no use to a reader. */
export const MOST_ERRORS = 1000;

/** A recursion remembers what it finds below this depth: most values are not so deep. */
const DEPTH = 4;

/**
 * Makes Ajv's function for a schema remember what it has found out about each object, while it is
 * busy with one that contains it. A recursive schema may lead to the same part of a value in several
 * ways, as `oneOf` does with the operators of a filter: without a memory, each level of the value
 * would double the time, and the errors.
 *
 * @param environment where Ajv puts the function when it has compiled the schema
 */
export function boundRecursion(environment: AnySchemaObject): void {
  let validate: Compiled | undefined;
  Object.defineProperty(environment, 'validate', {
    configurable: true,
    enumerable: true,
    get: () => validate,
    set: (compiled: Compiled) => {
      validate = remembering(compiled);
    },
  });
}

function remembering(compiled: Compiled): Compiled {
  const known = new Map<object, Result>();
  let depth = 0;
  const keep = (data: object, path: string | undefined, isValid: boolean): void => {
    const { errors = null, evaluated = {} } = compiled;
    known.set(data, { path, isValid, errors: errors && [...errors], ...evaluated });
  };
  const recall = ({ isValid, errors, props, items }: Result): boolean => {
    // The caller changes its list of errors.
    bounded.errors = errors && [...errors];
    if (compiled.evaluated !== undefined) Object.assign(compiled.evaluated, { props, items });
    return isValid;
  };
  const leave = (): void => {
    depth--;
    // To clear an empty map takes longer than to look at it.
    if (depth === 0 && known.size > 0) known.clear();
  };
  // One frame of the stack, as values may be nested deep.
  const validate = (data: unknown, context?: Context): boolean => {
    const isKept = depth >= DEPTH && typeof data === 'object' && data !== null;
    const before = isKept ? known.get(data) : undefined;
    if (before !== undefined && before.path === context?.instancePath) return recall(before);
    depth++;
    try {
      const isValid = compiled(data, context);
      if (compiled.errors && compiled.errors.length > MOST_ERRORS) {
        compiled.errors = compiled.errors.slice(0, MOST_ERRORS);
      }
      bounded.errors = compiled.errors ?? null;
      if (isKept) keep(data, context?.instancePath, isValid);
      return isValid;
    } finally {
      leave();
    }
  };
  const bounded: Compiled = Object.assign(validate, compiled);
  return bounded;
}
