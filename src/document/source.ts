import { createRequire } from 'node:module';
import { type JsonOutline, scanJson } from '../base/json/outline.ts';
import { JsonError, parseJson } from '../base/json/parse.ts';
import { parseJsonInParts, parseShallow } from '../base/json/parse-in-parts.ts';
import type { JsonValue } from '../base/json/value.ts';
import { findAll, hasAt, LazyText } from '../base/lazy-text.ts';
import { once } from '../base/remember.ts';
import { escapeControls } from '../base/terminal.ts';
import {
  type Diagnostic,
  DiagnosticError,
  diagnoseFile,
  formatDiagnostic,
  type Position,
} from './diagnostic.ts';
import { mayLeadOutward } from './external-references.ts';
import { type ListedPath, listOwnPaths } from './listed-paths.ts';
import { positionsInJson, positionsInYaml, TextLines } from './positions.ts';
import { createPartReader, loadYaml } from './yaml.ts';
import { writeYamlAsJson } from './yaml-as-json.ts';

/** Facts about a text that are known before it is parsed, in a form that JSON can hold. */
export interface Outline {
  /** True when schemas in it may have an `$id` or `$anchor`. */
  readonly hasIdentifiers: boolean;
  /** True when it may have our own member, `x-coldframe`. */
  readonly hasExtensions: boolean;
  /** True when it may refer to other files. */
  readonly leadsOutward: boolean;
  /** That of a long JSON text without a fault. */
  readonly json?: JsonOutline;
  /** The paths of its OpenAPI Object, where they are listed already. */
  readonly paths?: readonly ListedPath[] | undefined;
}

/** Returns the outline of a text. It searches the whole text several times. */
export function findOutline(text: LazyText, isJson: boolean): Outline {
  const scanned = isJson ? scanJson(text) : undefined;
  if (scanned === undefined) {
    const mayBeEscaped = hasEscapedName(text);
    return {
      hasIdentifiers: mayBeEscaped || IDENTIFIERS.some((word) => has(findAll(text, word))),
      hasExtensions: mayBeEscaped || has(findAll(text, EXTENSION)),
      leadsOutward: mayBeEscaped || mayLeadOutward(text),
    };
  }
  const { outline, dollars, hasEscapedKeys } = scanned;
  const isIdentifier = (at: number) => IDENTIFIERS.some((word) => hasAt(text.bytes, at, word));
  // A key with an escape may be any.
  return {
    hasIdentifiers: hasEscapedKeys || dollars.some(isIdentifier),
    hasExtensions: hasEscapedKeys || has(findAll(text, EXTENSION)),
    leadsOutward: hasEscapedKeys || mayLeadOutward(text, dollars),
    json: outline,
    paths: listOwnPaths(parseShallow(text, scanned, 'paths')),
  };
}

function has(found: Iterator<number>): boolean {
  return found.next().done !== true;
}

/** Stores a result that depends only on the text of a document. */
export interface KeptResult {
  /** The result of an earlier start; undefined if there is none. */
  readonly result: Buffer | undefined;
  /** Stores the result for later starts. */
  keep(result: Buffer): void;
}

/** The value of a YAML or JSON file, with the position of each part. */
export interface Source extends Omit<Outline, 'json'> {
  /** Undefined if nothing is stored, and if an overlay has changed the value. */
  readonly kept?: KeptResult | undefined;
  /** Path or URL as the user gave it. */
  readonly file: string;
  readonly value: JsonValue;
  /**
   * @param pointer JSON Pointer of a value; one that does not exist finds its nearest ancestor
   * @param of `key` finds the member's name instead of its value
   */
  locate(pointer: string, of?: 'key' | 'value'): Position;
}

/** Facts about a text that its reader has already: {@link parseSource} does not compute them. */
export interface Known {
  readonly outline?: Outline | undefined;
  readonly value?: JsonValue | undefined;
}

/** Shorter YAML texts are parsed at once. */
const SHORTEST_WRITTEN = 500_000;

/** A JSON text with the value of a YAML text, and its outline. */
export interface WrittenJson {
  readonly text: LazyText;
  readonly outline: Outline;
}

/** Returns a long YAML text as JSON; undefined for a text that has to be parsed as a whole. */
export function writeAsJson(content: LazyText): WrittenJson | undefined {
  if (content.bytes.length < SHORTEST_WRITTEN) return undefined;
  const text = writeYamlAsJson(content, createPartReader());
  return text && outlineJson(text);
}

/** Returns a JSON text with its outline; undefined for one that only the parser judges. */
export function outlineJson(text: LazyText): WrittenJson | undefined {
  const outline = findOutline(text, true);
  return outline.json === undefined ? undefined : { text, outline };
}

/** Returns what is known of a YAML text by its JSON; nothing without that. */
export function knowByJson(written: WrittenJson | undefined): Known {
  const { json } = written?.outline ?? {};
  if (written === undefined || json === undefined) return {};
  return { outline: written.outline, value: parseJsonInParts(written.text, json) };
}

/**
 * Parses YAML 1.2 or JSON.
 *
 * @param file its name, for messages; `.json` is read as JSON, all else as YAML
 * @param isJson overrides the file's extension
 * @param known found in the text if it is left out
 * @throws {DiagnosticError} with file, line and column of every fault of syntax
 */
export function parseSource(
  file: string,
  text: string | LazyText,
  isJson = isNamedAsJson(file),
  known?: Known,
): Source {
  const content = typeof text === 'string' ? LazyText.of(text) : text;
  if (MARKUP.test(content.slice(0, LONGEST_START))) {
    const remedy = 'Name the file itself; on a code host, the address of its raw form.';
    throw new DiagnosticError([diagnoseFile(file, 'this is a page, not YAML or JSON', { remedy })]);
  }
  const given = known ?? (isJson ? {} : knowByJson(writeAsJson(content)));
  const { json, ...facts } = given.outline ?? findOutline(content, isJson);
  const parse = () => (isJson ? parseJsonText(file, content, json) : parseYaml(file, content.text));
  const value = given.value ?? parse();
  // The text is read again for positions, as only faults need them.
  const positions = once(() => (isJson ? positionsInJson : positionsInYaml)(content.text));
  const locate: Source['locate'] = (pointer, of) => positions().locate(pointer, of);
  return { ...facts, file, value, locate };
}

/** Returns true for a file that is read as JSON. */
export function isNamedAsJson(file: string): boolean {
  return /\.json$/i.test(file);
}

/** The member of a document that overrides what is inferred. */
export const EXTENSION = 'x-coldframe';

/** The members that identify a schema, or a part of it. */
const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor'];

/** The beginnings of escapes that end with two digits (YAML §5.7). */
const ESCAPES = ['\\x', '\\u00', '\\U000000'];

/** Returns true for a text with an escaped `$`, `-` or letter, which a name may have. */
function hasEscapedName(text: LazyText): boolean {
  return ESCAPES.some((start) => {
    for (const at of findAll(text, start)) {
      const digits = text.slice(at + start.length, at + start.length + 2);
      if (/^(?:24|2d|[46][1-9a-f]|[57][0-9a])$/i.test(digits)) return true;
    }
    return false;
  });
}

/** Bytes of a text that show what it is. */
const LONGEST_START = 1_000;

/** What servers send in place of a file. */
const MARKUP = /^\s*<(?:!doctype|html|\?xml)\b/i;

function parseYaml(file: string, text: string): JsonValue {
  const loaded = loadYaml(text);
  if ('value' in loaded) return loaded.value;
  const faults = findSyntaxFaults(file, text);
  const { message, position } = loaded;
  const all = faults.length > 0 ? faults : [diagnoseFile(file, message, { position })];
  throw new DiagnosticError(withFrame(all, text));
}

function parseJsonText(
  file: string,
  content: LazyText,
  outline: JsonOutline | undefined,
): JsonValue {
  if (outline !== undefined) return parseJsonInParts(content, outline);
  const { text } = content;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const position = new TextLines(text).positionAt(error.position);
    throw new DiagnosticError(withFrame([diagnoseFile(file, error.message, { position })], text));
  }
}

/** Shows the lines of the first fault, which is often the cause of the others. */
function withFrame(faults: readonly Diagnostic[], text: string): readonly Diagnostic[] {
  return faults.map((fault, index) =>
    index === 0 ? { ...fault, frame: writeFrame(text, fault.position) } : fault,
  );
}

const LINES_BEFORE = 2;
const LONGEST_LINE = 120;

/** Returns the lines of a text that end at a position, with a mark below it. */
function writeFrame(text: string, { line, column }: Position): string {
  const lines = text.split(/\r?\n/, line);
  const width = String(line).length;
  const first = Math.max(0, line - 1 - LINES_BEFORE);
  const shown = lines.slice(first).map((one, index) => {
    const number = String(first + index + 1).padStart(width);
    return `    ${number} | ${escapeControls(one.replaceAll('\t', ' ').slice(0, LONGEST_LINE))}`;
  });
  const mark = `    ${' '.repeat(width)} | ${' '.repeat(Math.min(column - 1, LONGEST_LINE))}^`;
  return [...shown, mark].join('\n');
}

/** Returns all syntax errors: this parser is slower, but goes on after the first one. */
function findSyntaxFaults(file: string, text: string): readonly Diagnostic[] {
  const { parseDocument } = require('yaml') as typeof import('yaml');
  if (text.length > LONGEST_LISTED || isDeep(text)) return [];
  const lines = new TextLines(text);
  const { errors } = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  const faults = errors
    .slice(0, MOST_LISTED)
    .map(({ pos, message }) => diagnoseFile(file, message, { position: lines.positionAt(pos[0]) }));
  // The parser reports a block that ends too early once for each level.
  return [...new Map(faults.map((fault) => [formatDiagnostic(fault), fault])).values()];
}

const require = createRequire(import.meta.url);

/** Of a longer text only the first error is reported: this parser's time grows with its square. */
const LONGEST_LISTED = 32 * 1024;
const MOST_LISTED = 100;
const DEEPEST_LISTED = 100;

/**
 * Returns true for a text that the parser may not read: it recurses into every level, and one that
 * runs out of stack in a regular expression ends the process. Its tokens are read without recursion.
 */
function isDeep(text: string): boolean {
  const { Lexer, Parser } = require('yaml') as typeof import('yaml');
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme)) {
      // A token is complete; only what is still open counts.
    }
    if (parser.stack.length > DEEPEST_LISTED) return true;
  }
  return false;
}
