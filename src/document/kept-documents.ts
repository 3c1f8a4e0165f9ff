import { parseJsonInParts } from '../base/json/parse-in-parts.ts';
import type { LazyText } from '../base/lazy-text.ts';
import { findOutline, type KeptResult, type Outline, parseSource, type Source } from './source.ts';

/** Results of reading large documents, stored by earlier starts. */
export interface KeptDocuments {
  /** Returns the stored results for a text with these bytes, read as JSON or as YAML. */
  of(bytes: Uint8Array, isJson: boolean): KeptDocument;
}

interface KeptDocument {
  /** Returns the outline of the text, or of the JSON text of its value; undefined without one. */
  readOutline(): Promise<Outline | undefined>;
  keepOutline(outline: Outline): void;
  /** Returns the value of a YAML text as a JSON text; undefined without one. */
  readValue(): Promise<LazyText | undefined>;
  /** Returns the store of the meanings of operations. Left out for a check, which needs none. */
  readResult?(): Promise<KeptResult>;
  /** Stores the value of a YAML text. Left out during a start, as it takes as long as parsing. */
  keepValue?(source: Source): Promise<void>;
}

/** Parsing a shorter text is as fast as reading the stored results. */
const SHORTEST = 1_000_000;

export interface ParsedText {
  readonly file: string;
  readonly content: LazyText;
  /** Undefined for a text that did not come from a file. */
  readonly bytes?: Uint8Array;
  readonly isJson: boolean;
}

/**
 * Parses a text like {@link parseSource}. For a large text, it uses the stored outline (JSON) or the
 * stored value (YAML).
 */
export async function parseKept(text: ParsedText, documents: KeptDocuments): Promise<Source> {
  const { file, content, bytes, isJson } = text;
  if (bytes === undefined || bytes.length < SHORTEST) {
    return parseSource(file, content, isJson);
  }
  const kept = documents.of(bytes, isJson);
  const source = await (isJson ? parseJson(text, kept) : parseYaml(text, kept));
  return { ...source, kept: await kept.readResult?.() };
}

async function parseJson({ file, content }: ParsedText, kept: KeptDocument): Promise<Source> {
  const known = await kept.readOutline();
  if (known !== undefined) return parseSource(file, content, true, { outline: known });
  const outline = findOutline(content, true);
  // A text without a JSON outline is parsed at once.
  if (outline.json !== undefined) kept.keepOutline(outline);
  return parseSource(file, content, true, { outline });
}

async function parseYaml({ file, content }: ParsedText, kept: KeptDocument): Promise<Source> {
  const outline = await kept.readOutline();
  const text = outline && (await kept.readValue());
  if (outline?.json !== undefined && text !== undefined) {
    const value = parseJsonInParts(text, outline.json);
    return parseSource(file, content, false, { outline, value });
  }
  const source = parseSource(file, content, false);
  await kept.keepValue?.(source);
  return source;
}
