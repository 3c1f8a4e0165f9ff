import { createRequire } from 'node:module';
import type { LineCounter, Node, parseDocument } from 'yaml';
import { JsonError, parseJson } from '../json/parse.ts';
import { toPath } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { type Diagnostic, DiagnosticError, type Position } from './diagnostic.ts';
import { loadYaml, type YamlFault } from './yaml.ts';

/** A YAML or JSON file as a value that remembers where each part of it stands. */
export interface Source {
  /** As a person would name it: the path or the URL that was given. */
  readonly file: string;
  readonly value: JsonValue;
  /** True when schemas in it may name themselves by `$id` or `$anchor`. */
  readonly hasIdentifiers: boolean;
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
 * @param isJson overrules what the name says
 * @throws {DiagnosticError} with file, line and column of every fault of syntax
 */
export function parseSource(
  file: string,
  text: string,
  isJson: boolean = /\.json$/i.test(file),
): Source {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  return isJson ? parseJsonSource(file, content) : parseYamlSource(file, content);
}

function createSource(file: string, text: string, value: JsonValue): Source {
  const hasIdentifiers = /\$(?:id|anchor|dynamicAnchor)\b/.test(text);
  return { file, value, hasIdentifiers, locate: locateIn(file, text) };
}

/** Positions are wanted only when something is wrong: then the text is parsed a second time. */
function locateIn(file: string, text: string): Source['locate'] {
  let tree: SourceTree | undefined;
  return (pointer, of) => {
    tree ??= new SourceTree(file, text);
    return tree.locate(pointer, of);
  };
}

function parseYamlSource(file: string, text: string): Source {
  const loaded = loadYaml(text);
  if ('value' in loaded) return createSource(file, text, loaded.value);
  // The parser of positions goes on behind a fault, and so knows them all.
  const faults = new SourceTree(file, text).faults;
  throw new DiagnosticError(faults.length > 0 ? faults : [toDiagnostic(file, loaded)]);
}

function toDiagnostic(file: string, { message, position }: YamlFault): Diagnostic {
  return { severity: 'error', file, position, pointer: '', message };
}

function parseJsonSource(file: string, text: string): Source {
  try {
    return createSource(file, text, parseJson(text));
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

type Yaml = {
  readonly parseDocument: typeof parseDocument;
  readonly LineCounter: new () => LineCounter;
} & Pick<typeof import('yaml'), 'isCollection' | 'isMap' | 'isScalar'>;

const require = createRequire(import.meta.url);

/** A text parsed by a parser that keeps positions; it takes five times as long as one that does not. */
class SourceTree {
  readonly #yaml = require('yaml') as Yaml;
  readonly #lines = new this.#yaml.LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  /** Every fault of syntax. */
  readonly faults: readonly Diagnostic[];

  constructor(file: string, text: string) {
    this.#document = this.#yaml.parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      logLevel: 'silent',
    });
    this.faults = this.#document.errors.map(({ pos, message }) => ({
      severity: 'error',
      file,
      position: this.#positionAt(pos[0]),
      pointer: '',
      message,
    }));
  }

  locate(pointer: string, of: 'key' | 'value' = 'value'): Position {
    const { isCollection, isMap, isScalar } = this.#yaml;
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

  #positionAt(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
