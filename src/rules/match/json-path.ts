import { createRequire } from 'node:module';
import type { jsonpath } from 'json-p3';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { compileFilter, FilterError } from './json-path-filter.ts';

const require = createRequire(import.meta.url);

/** A JSONPath (RFC 9535) that finds values, numbers exactly. */
export interface JsonPath {
  /** Returns each value that it finds, once. */
  find(value: JsonValue): readonly JsonValue[];
}

/**
 * Compiles a JSONPath. json-p3 parses it, but it has only doubles, backtracks in patterns, and keeps
 * the path of every value, which a client could make long. So the parsed query is run here.
 *
 * @param pointer of the path in the file
 * @throws {DiagnosticError} for an invalid JSONPath
 */
export function compileJsonPath(
  file: SourceDocument,
  pointer: string,
  expression: string,
): JsonPath {
  const library = (require('json-p3') as typeof import('json-p3')).jsonpath;
  try {
    const run = compileQuery(library.compile(expression), library);
    return { find: (value) => [...run([value], value)] };
  } catch (error) {
    if (!(error instanceof library.JSONPathError || error instanceof FilterError)) throw error;
    throw file.fail(
      pointer,
      `${JSON.stringify(expression)} is not a JSONPath: ${error.message}`,
      'Write it as in RFC 9535, such as $.items[?@.price < 10].name.',
    );
  }
}

type Library = typeof jsonpath;

/** Returns the values that a query finds from others. */
type Run = (from: Iterable<JsonValue>, root: JsonValue) => Iterable<JsonValue>;

type Select = (value: JsonValue, root: JsonValue, found: JsonValue[]) => void;

/** Compiles a query that finds each value once: a search at every depth stays small. */
function compileQuery(query: jsonpath.JSONPathQuery, library: Library): Run {
  const steps = compileSegments(query, library);
  return (from, root) => {
    let values = from;
    for (const { run, isDescendant } of steps) {
      values = run(values, root);
      if (isDescendant) values = new Set(values);
    }
    return values;
  };
}

/** Compiles a query of a filter, in which count() counts duplicates (RFC 9535 §2.4.5). */
function compileCounted(query: jsonpath.JSONPathQuery, library: Library): Run {
  const steps = compileSegments(query, library);
  return (from, root) => {
    let values = from;
    for (const { run } of steps) values = run(values, root);
    return values;
  };
}

interface Step {
  readonly run: Run;
  readonly isDescendant: boolean;
}

function compileSegments(query: jsonpath.JSONPathQuery, library: Library): readonly Step[] {
  return query.segments.map((segment) => {
    const selects = segment.selectors.map((selector) => compileSelector(selector, library));
    const isDescendant = segment.token.kind === library.TokenKind.DDOT;
    const run: Run = (values, root) => {
      const found: JsonValue[] = [];
      const selectAll = (value: JsonValue): void => {
        for (const select of selects) select(value, root, found);
      };
      for (const value of values) {
        if (isDescendant) visit(value, selectAll);
        else selectAll(value);
      }
      return found;
    };
    return { run, isDescendant };
  });
}

/** Visits a value and all values in it; the parser of JSON limits their depth. */
function visit(value: JsonValue, see: (value: JsonValue) => void): void {
  see(value);
  for (const child of childrenOf(value)) visit(child, see);
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : NONE;
}

const NONE: readonly JsonValue[] = [];

function compileSelector(selector: jsonpath.JSONPathSelector, library: Library): Select {
  const { NameSelector, IndexSelector, SliceSelector, WildcardSelector, FilterSelector } =
    library.selectors;
  if (selector instanceof NameSelector) return selectName(selector.name);
  if (selector instanceof IndexSelector) return selectIndex(selector.index);
  if (selector instanceof SliceSelector) return selectSlice(selector);
  if (selector instanceof WildcardSelector) {
    return (value, _, found) => {
      for (const child of childrenOf(value)) found.push(child);
    };
  }
  if (selector instanceof FilterSelector) {
    const isKept = compileFilter(selector.expression, library, (query) =>
      compileCounted(query, library),
    );
    return (value, root, found) => {
      for (const child of childrenOf(value)) if (isKept(child, root)) found.push(child);
    };
  }
  throw new FilterError(`${selector.toString()} is not known`);
}

function selectName(name: string): Select {
  return (value, _, found) => {
    const member = isJsonObject(value) ? getMember(value, name) : undefined;
    if (member !== undefined) found.push(member);
  };
}

function selectIndex(index: number): Select {
  return (value, _, found) => {
    const item = Array.isArray(value) ? value.at(index) : undefined;
    if (item !== undefined) found.push(item);
  };
}

function selectSlice(slice: jsonpath.selectors.SliceSelector): Select {
  return (value, _, found) => {
    if (!Array.isArray(value)) return;
    for (const index of listIndices(slice, value.length)) {
      const item = value[index];
      if (item !== undefined) found.push(item);
    }
  };
}

/** RFC 9535 §2.3.4.2.2. */
function* listIndices(
  { start, stop, step = 1 }: jsonpath.selectors.SliceSelector,
  length: number,
): Generator<number> {
  const isForward = step > 0;
  const lowest = isForward ? 0 : -1;
  const bound = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + length : index, lowest), length + lowest);
  const [first, end] = isForward ? [0, length] : [length - 1, -1];
  const from = start === undefined ? first : bound(start);
  const to = stop === undefined ? end : bound(stop);
  if (step === 0) return;
  for (let index = from; isForward ? index < to : index > to; index += step) yield index;
}
