import { createRequire } from 'node:module';
import type { jsonpath } from 'json-p3';
import { isEqual } from '../../base/json/equal.ts';
import { compareNumbers, isNumber, readExactNumber } from '../../base/json/number.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { countCharacters } from '../../base/words.ts';
import type { FilePlace } from '../../document/source-document.ts';
import { compileTextPattern, PatternError } from '../../schema/pattern/text-pattern.ts';
import { childrenOf, Steps } from './steps.ts';

const require = createRequire(import.meta.url);

/** A JSONPath (RFC 9535) that finds values, numbers exactly. */
export interface JsonPath {
  find(value: JsonValue, steps?: Steps): readonly JsonValue[];
}

/**
 * Compiles a JSONPath. json-p3 parses it, but it has only doubles, backtracks in patterns, keeps
 * the path of every value, which a client could make long, and searches without limit. So the
 * parsed query is run here.
 */
export function compileJsonPath(place: FilePlace, expression: string): JsonPath {
  const library = (require('json-p3') as typeof import('json-p3')).jsonpath;
  try {
    const run = new PathCompiler(library).query(library.compile(expression), false);
    return { find: (root, steps = new Steps(root)) => run([root], { root, steps }) };
  } catch (error) {
    if (!(error instanceof library.JSONPathError || error instanceof PathError)) throw error;
    throw place.fail(
      `${JSON.stringify(expression)} is not a JSONPath: ${error.message}`,
      'Write it as in RFC 9535, such as $.items[?@.price < 10].name.',
    );
  }
}

/** A path that is valid, but not supported. */
class PathError extends Error {}

interface Search {
  readonly root: JsonValue;
  readonly steps: Steps;
}

type Run = (from: readonly JsonValue[], search: Search) => readonly JsonValue[];

type Select = (value: JsonValue, search: Search, found: JsonValue[]) => void;

type Test = (value: JsonValue, search: Search) => boolean;

/** Returns one side of a comparison; undefined is the RFC's Nothing. */
type Evaluate = (value: JsonValue, search: Search) => JsonValue | undefined;

type Find = (value: JsonValue, search: Search) => readonly JsonValue[];

type Expression = jsonpath.expressions.FilterExpression;

class PathCompiler {
  readonly #library: typeof jsonpath;

  constructor(library: typeof jsonpath) {
    this.#library = library;
  }

  /** Compiles a query that sees each value once; `isCounted` keeps duplicates (RFC 9535 §2.4.5). */
  query({ segments }: jsonpath.JSONPathQuery, isCounted: boolean): Run {
    const compiled = segments.map(({ token, selectors }) => ({
      isDescendant: token.kind === this.#library.TokenKind.DDOT,
      selects: selectors.map((selector) => this.#selector(selector)),
    }));
    return (from, search) => {
      let values = from;
      for (const { isDescendant, selects } of compiled) {
        const found: JsonValue[] = [];
        const selectAll = (value: JsonValue): void => {
          search.steps.spend(1);
          for (const select of selects) select(value, search, found);
        };
        const visited = isCounted ? undefined : new Set<JsonValue>();
        for (const value of values) {
          if (isDescendant) visit(value, selectAll, visited);
          else selectAll(value);
        }
        values = found;
      }
      return values;
    };
  }

  #selector(selector: jsonpath.JSONPathSelector): Select {
    const { NameSelector, IndexSelector, SliceSelector, WildcardSelector, FilterSelector } =
      this.#library.selectors;
    if (selector instanceof NameSelector) {
      const { name } = selector;
      return selectOne((value) => (isJsonObject(value) ? getMember(value, name) : undefined));
    }
    if (selector instanceof IndexSelector) {
      const { index } = selector;
      return selectOne((value) => (Array.isArray(value) ? value.at(index) : undefined));
    }
    if (selector instanceof SliceSelector) {
      return selectSome((value) => (Array.isArray(value) ? slice(value, selector) : []));
    }
    if (selector instanceof WildcardSelector) return selectSome(childrenOf);
    if (selector instanceof FilterSelector) {
      return selectSome(childrenOf, this.#test(selector.expression));
    }
    throw new PathError(`${selector.toString()} is not known`);
  }

  /** RFC 9535 §2.3.5. */
  #test(expression: Expression): Test {
    const { LogicalExpression, PrefixExpression, InfixExpression, FilterQuery, FunctionExtension } =
      this.#library.expressions;
    if (expression instanceof LogicalExpression) return this.#test(expression.expression);
    if (expression instanceof PrefixExpression) {
      const inner = this.#test(expression.right);
      return (value, search) => !inner(value, search);
    }
    if (expression instanceof InfixExpression) return this.#infix(expression);
    if (expression instanceof FilterQuery) {
      const find = this.#find(expression);
      return (value, search) => find(value, search).length > 0;
    }
    if (expression instanceof FunctionExtension) return this.#pattern(expression);
    throw new PathError(`${expression.toString()} is not a condition`);
  }

  #infix({ left, operator, right }: jsonpath.expressions.InfixExpression): Test {
    if (operator === '&&' || operator === '||') {
      const one = this.#test(left);
      const other = this.#test(right);
      return operator === '&&'
        ? (value, search) => one(value, search) && other(value, search)
        : (value, search) => one(value, search) || other(value, search);
    }
    const one = this.#evaluate(left);
    const other = this.#evaluate(right);
    const holds = comparisons.get(operator);
    if (holds === undefined) throw new PathError(`there is no operator ${operator}`);
    return (value, search) => {
      const sides = [one(value, search), other(value, search)] as const;
      // Values of different types are compared at once, others part by part.
      if (typeof sides[0] === typeof sides[1]) {
        for (const side of sides) search.steps.spendOn(side);
      }
      return holds(...sides);
    };
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
    throw new PathError(`${expression.toString()} is not a value`);
  }

  #call({ name, args }: jsonpath.expressions.FunctionExtension): Evaluate {
    const [argument] = args;
    if (argument === undefined) throw new PathError(`${name}() needs an argument`);
    if (name === 'length') {
      const evaluate = this.#evaluate(argument);
      return (value, search) => measureLength(evaluate(value, search), search.steps);
    }
    const find = this.#find(argument);
    if (name === 'count') return (value, search) => find(value, search).length;
    if (name === 'value') return single(find);
    throw new PathError(`there is no function ${name}`);
  }

  /** Compiles `match` and `search` by an engine whose time is linear in the text. */
  #pattern({ name, args }: jsonpath.expressions.FunctionExtension): Test {
    const [subject, pattern] = args;
    const isLiteral = pattern instanceof this.#library.expressions.StringLiteral;
    if (subject === undefined || !isLiteral || (name !== 'match' && name !== 'search')) {
      throw new PathError(`${name}() needs a literal pattern`);
    }
    const evaluate = this.#evaluate(subject);
    const isMatch = compileIRegexp(pattern.value, name === 'match');
    return (value, search) => {
      const text = evaluate(value, search);
      if (typeof text !== 'string') return false;
      search.steps.spend(text.length >> 2);
      return isMatch(text);
    };
  }

  #find(expression: Expression): Find {
    const { FilterQuery, RootQuery } = this.#library.expressions;
    if (!(expression instanceof FilterQuery)) {
      throw new PathError(`${expression.toString()} is not a query`);
    }
    const run = this.query(expression.path, true);
    const isRoot = expression instanceof RootQuery;
    return (value, search) => run([isRoot ? search.root : value], search);
  }
}

/** Visits a value and all inside, those of `visited` once; the JSON parser limits the depth. */
function visit(value: JsonValue, see: (value: JsonValue) => void, visited?: Set<JsonValue>): void {
  if (visited !== undefined && typeof value === 'object' && value !== null) {
    if (visited.has(value)) return;
    visited.add(value);
  }
  see(value);
  for (const child of childrenOf(value)) visit(child, see, visited);
}

function selectOne(find: (value: JsonValue) => JsonValue | undefined): Select {
  return (value, _, found) => {
    const child = find(value);
    if (child !== undefined) found.push(child);
  };
}

function selectSome(list: (value: JsonValue) => readonly JsonValue[], isKept?: Test): Select {
  return (value, search, found) => {
    const children = list(value);
    search.steps.spend(children.length);
    for (const child of children) {
      if (isKept === undefined || isKept(child, search)) found.push(child);
    }
  };
}

/** RFC 9535 §2.3.4.2.2. */
function slice(
  list: readonly JsonValue[],
  { start, stop, step = 1 }: jsonpath.selectors.SliceSelector,
): readonly JsonValue[] {
  const { length } = list;
  const isForward = step > 0;
  const lowest = isForward ? 0 : -1;
  const bound = (index: number): number =>
    Math.min(Math.max(index < 0 ? index + length : index, lowest), length + lowest);
  const [first, end] = isForward ? [0, length] : [length - 1, -1];
  const from = start === undefined ? first : bound(start);
  const to = stop === undefined ? end : bound(stop);
  const items: JsonValue[] = [];
  if (step === 0) return items;
  for (let index = from; isForward ? index < to : index > to; index += step) {
    items.push(list[index] as JsonValue);
  }
  return items;
}

/** Returns the value of a query that finds exactly one; otherwise Nothing. */
function single(find: Find): Evaluate {
  return (value, search) => {
    const [first, ...others] = find(value, search);
    return others.length === 0 ? first : undefined;
  };
}

type Compare = (left: JsonValue | undefined, right: JsonValue | undefined) => boolean;

const isSame: Compare = (left, right) =>
  left === undefined || right === undefined ? left === right : isEqual(left, right);

/** Only numbers and texts have an order; texts are ordered by code points, not by UTF-16. */
const isLess: Compare = (left, right) => {
  if (left === undefined || right === undefined) return false;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) < 0;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
};

const comparisons: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['==', isSame],
  ['!=', (left, right) => !isSame(left, right)],
  ['<', isLess],
  ['>', (left, right) => isLess(right, left)],
  ['<=', (left, right) => isLess(left, right) || isSame(left, right)],
  ['>=', (left, right) => isLess(right, left) || isSame(left, right)],
]);

/** RFC 9535 §2.4.4. */
function measureLength(value: JsonValue | undefined, steps: Steps): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string' && !isJsonObject(value)) return undefined;
  steps.spendOn(value);
  return typeof value === 'string' ? countCharacters(value) : Object.keys(value).length;
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
    if (error instanceof PatternError) throw new PathError(error.message);
    throw error;
  }
}
