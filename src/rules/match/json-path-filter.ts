import type { jsonpath } from 'json-p3';
import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber, readExactNumber } from '../../base/json/number.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { compileTextPattern, PatternError } from '../../schema/pattern/linear.ts';

/** A filter that is not supported. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
}

type Library = typeof jsonpath;
type Expression = jsonpath.expressions.FilterExpression;
type Query = jsonpath.JSONPathQuery;
type Run = (from: Iterable<JsonValue>, root: JsonValue) => Iterable<JsonValue>;

/** Tests a value by a filter. */
type Test = (value: JsonValue, root: JsonValue) => boolean;

/** Returns one side of a comparison; undefined is the RFC's Nothing. */
type Evaluate = (value: JsonValue, root: JsonValue) => JsonValue | undefined;

type Find = (value: JsonValue, root: JsonValue) => readonly JsonValue[];

/**
 * Compiles a filter of a JSONPath (RFC 9535 §2.3.5).
 *
 * @param compileQuery compiles a query in the filter
 * @throws {FilterError} for a filter that is valid, but not supported
 */
export function compileFilter(
  filter: Expression,
  library: Library,
  compileQuery: (query: Query) => Run,
): Test {
  return new FilterCompiler(library, compileQuery).test(filter);
}

class FilterCompiler {
  readonly #library: Library;
  readonly #compileQuery: (query: Query) => Run;

  constructor(library: Library, compileQuery: (query: Query) => Run) {
    this.#library = library;
    this.#compileQuery = compileQuery;
  }

  test(expression: Expression): Test {
    const { LogicalExpression, PrefixExpression, InfixExpression, FilterQuery, FunctionExtension } =
      this.#library.expressions;
    if (expression instanceof LogicalExpression) return this.test(expression.expression);
    if (expression instanceof PrefixExpression) {
      const inner = this.test(expression.right);
      return (value, root) => !inner(value, root);
    }
    if (expression instanceof InfixExpression) return this.#infix(expression);
    if (expression instanceof FilterQuery) {
      const find = this.#find(expression);
      return (value, root) => find(value, root).length > 0;
    }
    if (expression instanceof FunctionExtension) return this.#pattern(expression);
    throw new FilterError(`${expression.toString()} is not a condition`);
  }

  #infix({ left, operator, right }: jsonpath.expressions.InfixExpression): Test {
    if (operator === '&&' || operator === '||') {
      const one = this.test(left);
      const other = this.test(right);
      return operator === '&&'
        ? (value, root) => one(value, root) && other(value, root)
        : (value, root) => one(value, root) || other(value, root);
    }
    const one = this.#evaluate(left);
    const other = this.#evaluate(right);
    const holds = comparisons.get(operator);
    if (holds === undefined) throw new FilterError(`there is no operator ${operator}`);
    return (value, root) => holds(one(value, root), other(value, root));
  }

  #evaluate(expression: Expression): Evaluate {
    const { NullLiteral, BooleanLiteral, StringLiteral, NumberLiteral, FilterQuery } =
      this.#library.expressions;
    if (expression instanceof NullLiteral) return () => null;
    if (expression instanceof NumberLiteral) {
      const number = readExactNumber(expression.token.value);
      return () => number;
    }
    if (expression instanceof BooleanLiteral || expression instanceof StringLiteral) {
      const { value: literal } = expression;
      return () => literal;
    }
    if (expression instanceof FilterQuery) return single(this.#find(expression));
    if (expression instanceof this.#library.expressions.FunctionExtension) {
      return this.#call(expression);
    }
    throw new FilterError(`${expression.toString()} is not a value`);
  }

  #call({ name, args }: jsonpath.expressions.FunctionExtension): Evaluate {
    const [argument] = args;
    if (argument === undefined) throw new FilterError(`${name}() needs an argument`);
    if (name === 'length') {
      const evaluate = this.#evaluate(argument);
      return (value, root) => measureLength(evaluate(value, root));
    }
    const find = this.#find(argument);
    if (name === 'count') return (value, root) => find(value, root).length;
    if (name === 'value') return single(find);
    throw new FilterError(`there is no function ${name}`);
  }

  /** Compiles `match` and `search` by an engine whose time is linear in the text. */
  #pattern({ name, args }: jsonpath.expressions.FunctionExtension): Test {
    const [subject, pattern] = args;
    const isLiteral = pattern instanceof this.#library.expressions.StringLiteral;
    if (subject === undefined || !isLiteral || (name !== 'match' && name !== 'search')) {
      throw new FilterError(`${name}() needs a literal pattern`);
    }
    const evaluate = this.#evaluate(subject);
    const isMatch = compileIRegexp(pattern.value, name === 'match');
    return (value, root) => {
      const text = evaluate(value, root);
      return typeof text === 'string' && isMatch(text);
    };
  }

  #find(expression: Expression): Find {
    const { FilterQuery, RootQuery } = this.#library.expressions;
    if (!(expression instanceof FilterQuery)) {
      throw new FilterError(`${expression.toString()} is not a query`);
    }
    const run = this.#compileQuery(expression.path);
    const isRoot = expression instanceof RootQuery;
    return (value, root) => [...run([isRoot ? root : value], root)];
  }
}

/** Returns the value of a query that finds exactly one; otherwise Nothing. */
function single(find: Find): Evaluate {
  return (value, root) => {
    const [first, ...others] = find(value, root);
    return others.length === 0 ? first : undefined;
  };
}

type Sides = readonly [left: JsonValue | undefined, right: JsonValue | undefined];

const comparisons: ReadonlyMap<string, (...sides: Sides) => boolean> = new Map([
  ['==', isSame],
  ['!=', (...sides: Sides) => !isSame(...sides)],
  ['<', isLess],
  ['>', (...[left, right]: Sides) => isLess(right, left)],
  ['<=', (...[left, right]: Sides) => isLess(left, right) || isSame(left, right)],
  ['>=', (...[left, right]: Sides) => isLess(right, left) || isSame(left, right)],
]);

function isSame(...[left, right]: Sides): boolean {
  if (left === undefined || right === undefined) return left === right;
  return isEqual(left, right);
}

/** Only numbers and texts have an order; texts are ordered by code points, not by UTF-16. */
function isLess(...[left, right]: Sides): boolean {
  if (left === undefined || right === undefined) return false;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) < 0;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}

/** RFC 9535 §2.4.4. */
function measureLength(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string') return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

/** Compiles an I-Regexp (RFC 9485): the syntax of RE2, but the dot matches no line end. */
function compileIRegexp(source: string, isWhole: boolean): (text: string) => boolean {
  const dotless = source.replaceAll(/(\\.|\[(?:\\.|[^\]\\])*\])|\./gs, (_, kept?: string) =>
    kept === undefined ? '[^\\n\\r]' : kept,
  );
  try {
    const pattern = compileTextPattern(dotless);
    return (text) => (isWhole ? pattern.matchesWhole(text) : pattern.isFoundIn(text));
  } catch (error) {
    if (error instanceof PatternError) throw new FilterError(error.message);
    throw error;
  }
}
