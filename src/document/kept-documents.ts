import type { LazyText } from '../base/lazy-text.ts';
import {
  findOutline,
  type KeptResult,
  knowByJson,
  type Outline,
  parseSource,
  type Source,
  type WrittenJson,
  writeAsJson,
} from './source.ts';

/** Results of reading large documents, stored by earlier starts. */
export interface KeptDocuments {
  /** Returns the stored results for a text with these bytes, read as JSON or as YAML. */
  of(bytes: Uint8Array, isJson: boolean): KeptDocument;
}

interface KeptDocument {
  /** Returns the outline of a JSON text; undefined without one. */
  readOutline(): Promise<Outline | undefined>;
  keepOutline(outline: Outline): void;
  /** Returns the JSON of a YAML text; undefined without it. */
  readJson(): Promise<WrittenJson | undefined>;
  keepJson(json: WrittenJson): void;
  /**
   * Stores the value of a YAML text that was parsed as a whole. It takes as long as parsing, so that a
   * start leaves it to the check.
   */
  keepValue(source: Source): Promise<void>;
  /** Returns the store of the meanings of operations. Left out for a check, which needs none. */
  readResult?(): Promise<KeptResult>;
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
 * Parses a text like {@link parseSource}. For a large text, it uses the stored outline, and in place
 * of YAML the stored JSON.
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
  const known = await kept.readJson();
  const written = known ?? writeAsJson(content);
  if (written !== undefined && known === undefined) kept.keepJson(written);
  const source = parseSource(file, content, false, knowByJson(written));
  if (written === undefined) await kept.keepValue(source);
  return source;
}
