import {
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type ScalarTag,
  type Tags,
} from 'yaml';
import { readExactNumber } from '../json/number.ts';
import { JsonError, parseJson } from '../json/parse.ts';
import { toPath } from '../json/pointer.ts';
import { Decimal, type JsonValue, setMember } from '../json/value.ts';
import { type Diagnostic, DiagnosticError, type Position } from './diagnostic.ts';

/** A YAML or JSON file as a value that remembers where each part of it stands. */
export interface Source {
  /** As a person would name it: the path that was given. */
  readonly file: string;
  readonly value: JsonValue;
  /**
   * @param pointer JSON Pointer of a value; one that does not exist finds its nearest parent
   * @param of `key` finds the member's name instead of its value
   */
  locate(pointer: string, of?: 'key' | 'value'): Position;
}

/**
 * Parses YAML 1.2 or JSON.
 *
 * @param file its name, for messages; `.json` is read as JSON, all else as YAML
 * @throws {DiagnosticError} with file, line and column of every fault of syntax
 */
export function parseSource(file: string, text: string): Source {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (/\.json$/i.test(file)) return parseJsonSource(file, content);
  const tree = new SourceTree(file, content);
  return { file, value: tree.toValue(), locate: (pointer, of) => tree.locate(pointer, of) };
}

function parseJsonSource(file: string, text: string): Source {
  // Positions are wanted only when something is wrong: then the text is parsed a second time.
  let tree: SourceTree | undefined;
  try {
    const value = parseJson(text);
    const locate: Source['locate'] = (pointer, of) => {
      tree ??= new SourceTree(file, text);
      return tree.locate(pointer, of);
    };
    return { file, value, locate };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const position = new TextLines(text).positionAt(error.position);
    throw new DiagnosticError([
      { severity: 'error', file, position, pointer: '', message: error.message },
    ]);
  }
}

class TextLines {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
      starts.push(end + 1);
    }
    this.#starts = starts;
  }

  positionAt(offset: number): Position {
    const line = this.#starts.findLastIndex((start) => start <= offset);
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}

class SourceTree {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      intAsBigInt: true,
      prettyErrors: false,
      customTags: keepDecimals,
    });
    const faults = this.#document.errors.map((error) => this.#fault(error.pos[0], error.message));
    if (faults.length > 0) throw new DiagnosticError(faults);
  }

  toValue(): JsonValue {
    try {
      return toJson(this.#document.toJS({ maxAliasCount: 1000 }), new Set());
    } catch (error) {
      // The library's words for a bomb of aliases and for an alias without its anchor.
      throw new DiagnosticError([this.#fault(0, (error as Error).message)]);
    }
  }

  locate(pointer: string, of: 'key' | 'value' = 'value'): Position {
    let node: unknown = this.#document.contents;
    let offset = offsetOf(node) ?? 0;
    const path = toPath(pointer);
    for (const [index, token] of path.entries()) {
      if (!isCollection(node)) break;
      const pair = isMap(node)
        ? node.items.find(
            (item) => String(isScalar(item.key) ? item.key.value : item.key) === token,
          )
        : undefined;
      const child = pair?.value ?? node.get(token, true) ?? node.get(Number(token), true);
      const isLast = index === path.length - 1;
      offset =
        offsetOf(isLast && of === 'value' ? (child ?? pair?.key) : (pair?.key ?? child)) ?? offset;
      node = child;
    }
    return this.#positionAt(offset);
  }

  #fault(offset: number, message: string): Diagnostic {
    const position = this.#positionAt(offset);
    return { severity: 'error', file: this.#file, position, pointer: '', message };
  }

  #positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

/** Shorter decimals are the double that they say. */
const SAFE_DECIMAL_LENGTH = 15;

/** Floats of YAML's core schema that keep the digits which a double would lose. */
function keepDecimals(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || tag.tag !== 'tag:yaml.org,2002:float') return tag;
    const { resolve } = tag;
    if (typeof resolve !== 'function') return tag;
    const exactly: ScalarTag['resolve'] = (text, onError, options) => {
      const isLong = text.length > SAFE_DECIMAL_LENGTH && JSON_NUMBER.test(text);
      const value = isLong ? readExactNumber(text) : undefined;
      return value ?? (resolve as ScalarTag['resolve'])(text, onError, options);
    };
    return { ...tag, resolve: exactly } as ScalarTag;
  });
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** YAML's values as JSON's: integers keep their digits, keys are plain, a loop is an error. */
function toJson(value: unknown, parents: Set<unknown>): JsonValue {
  if (typeof value === 'bigint') {
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError(`${value} is not a JSON value`);
  }
  if (value instanceof Decimal) return value;
  if (typeof value !== 'object' || value === null) return (value ?? null) as JsonValue;
  if (parents.has(value)) throw new RangeError('an alias stands inside its own anchor');
  parents.add(value);
  const copy = Array.isArray(value)
    ? value.map((item) => toJson(item, parents))
    : Object.entries(value).reduce<{ [key: string]: JsonValue }>((object, [key, member]) => {
        setMember(object, key, toJson(member, parents));
        return object;
      }, {});
  parents.delete(value);
  return copy;
}
