import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stringifyJson } from '../base/json/stringify.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { LazyText } from '../base/lazy-text.ts';
import { DiagnosticError } from './diagnostic.ts';
import {
  assembleDocument,
  type DocumentFile,
  type ReadSet,
  readVersion,
  requireVersion,
} from './document.ts';
import { createRefuseUri, findExternalReferences } from './external-references.ts';
import { resolveUri } from './identifiers.ts';
import { type KeptDocuments, type ParsedText, parseKept } from './kept-documents.ts';
import { applyOverlay } from './overlay.ts';
import { fetchText, type LongFile, type RefuseUri, readLongFile, stampOf } from './read.ts';
import { isNamedAsJson, parseSource, type Source } from './source.ts';

export interface NamedDocument {
  /** Its path or URL, or the document itself. */
  readonly location: string | JsonObject;
  /** Its base path; undefined takes those of its `servers`. */
  readonly basePath?: string;
}

export interface ReadOptions {
  /** Files of OpenAPI Overlays, applied in this order to every document. */
  readonly overlay?: readonly string[];
  /** Further folders and URL prefixes that documents may refer to. */
  readonly allowReference?: readonly string[];
  /** Returns the value of a document's text where that is known, so that it is not parsed. */
  readonly knownValueOf?: (text: LazyText) => JsonValue | undefined;
  readonly kept?: KeptDocuments | undefined;
}

/**
 * Reads documents, and every file that they refer to and are allowed to.
 *
 * @throws {DiagnosticError} when a document cannot be read; a file that is only referenced is
 *   reported where it is used
 */
export async function readDocument(
  named: readonly NamedDocument[],
  { overlay = [], allowReference = [], knownValueOf, kept }: ReadOptions = {},
) {
  const reader = new Reader(kept);
  const changes = await Promise.all(overlay.map((path) => reader.readOverlay(path)));
  const roots = [];
  for (const { location, basePath } of named) {
    roots.push({ index: await reader.readRoot(location, changes, knownValueOf), basePath });
  }
  const uris = roots.map(({ index }) => reader.files[index]?.uri ?? '');
  await reader.readReferences(await createRefuseUri(uris, allowReference));
  const { files, unread, texts, stamps } = reader;
  const set: ReadSet = { files, roots, unread, texts };
  return { document: assembleDocument(set), stamps };
}

/** More files are a mistake, such as a folder that links to itself. */
const MOST_FILES = 5000;

interface ReadText extends ParsedText {
  /** Its URL after redirections. */
  readonly uri: string;
}

/** Returns a source with all overlays applied, which may have what they have. */
function overlay(source: Source, overlays: readonly Source[]): Source {
  // A copy can be changed in place; aliases of YAML share values.
  const value = copyJson(source.value);
  for (const overlay of overlays) applyOverlay(value, overlay);
  const all = [source, ...overlays];
  return {
    ...source,
    value,
    paths: undefined,
    kept: undefined,
    hasIdentifiers: all.some((one) => one.hasIdentifiers),
    hasExtensions: all.some((one) => one.hasExtensions),
    leadsOutward: all.some((one) => one.leadsOutward),
  };
}

class Reader {
  readonly files: DocumentFile[] = [];
  /** Of all files, taken before each was read. */
  readonly stamps = new Map<string, string>();
  readonly unread = new Map<string, string>();
  readonly texts = new Map<string, string>();
  /** URIs of files to read, each with the index of a file that refers to it. */
  readonly #wanted = new Map<string, number>();
  readonly #wantedTexts = new Set<string>();
  readonly #kept: KeptDocuments | undefined;

  constructor(kept: KeptDocuments | undefined) {
    this.#kept = kept;
  }

  async readOverlay(path: string): Promise<Source> {
    const { file, content } = await this.#readFile(path, 'overlay');
    return parseSource(file, content);
  }

  /** Returns the index of the file in the set. */
  async readRoot(
    location: string | JsonObject,
    overlays: readonly Source[],
    knownValueOf?: ReadOptions['knownValueOf'],
  ): Promise<number> {
    const read = await (isJsonObject(location) ? this.#write(location) : this.#read(location));
    const { file, content, isJson } = read;
    const value = knownValueOf?.(content);
    const source =
      this.#kept === undefined || value !== undefined
        ? parseSource(file, content, isJson, { value })
        : await parseKept(read, this.#kept);
    const changed = overlays.length === 0 ? source : overlay(source, overlays);
    return this.#add(changed, read, requireVersion(source));
  }

  async readReferences(refuse: RefuseUri): Promise<void> {
    for (const [uri, from] of this.#wanted) {
      await this.#readAllowed(uri, refuse, (read) => {
        const source = parseSource(read.file, read.content, read.isJson);
        const version = readVersion(source) ?? this.files[from]?.version ?? '3.1';
        this.#add(source, { ...read, uri }, version);
      });
    }
    for (const uri of this.#wantedTexts) {
      await this.#readAllowed(uri, refuse, ({ content }) => this.texts.set(uri, content.text));
    }
  }

  /** Records why a file cannot be read: an error only where it is used. */
  async #readAllowed(uri: string, refuse: RefuseUri, take: (read: ReadText) => void) {
    try {
      if (this.files.length >= MOST_FILES) throw new Error(`${MOST_FILES} files were read`);
      const refusal = await refuse(uri);
      if (refusal === undefined) take(await this.#read(this.#nameOf(uri), refuse));
      else this.unread.set(uri, refusal);
    } catch (error) {
      const [diagnostic] = error instanceof DiagnosticError ? error.diagnostics : [];
      this.unread.set(uri, diagnostic?.message ?? (error as Error).message);
    }
  }

  #add(source: Source, read: ReadText, version: DocumentFile['version']): number {
    const index = this.files.push({ source, uri: read.uri, version }) - 1;
    if (!source.leadsOutward) return index;
    const references = findExternalReferences(source.value);
    const known = new Set(this.files.map(({ uri }) => uri));
    for (const reference of references.files) {
      const uri = resolveUri(reference, read.uri);
      if (uri === undefined || known.has(uri) || this.#wanted.has(uri)) continue;
      this.#wanted.set(uri, index);
    }
    for (const reference of references.texts) {
      const uri = resolveUri(reference, read.uri);
      if (uri !== undefined) this.#wantedTexts.add(uri);
    }
    return index;
  }

  /** @param refuse refuses redirections of a URL; those of a document that the user named are free */
  async #read(location: string, refuse?: RefuseUri): Promise<ReadText> {
    if (/^https?:\/\//i.test(location)) {
      return { ...(await fetchText(location, refuse)), file: location };
    }
    const path = /^file:/i.test(location) ? fileURLToPath(location) : location;
    const { file, content, bytes } = await this.#readFile(path, 'document');
    const uri = pathToFileURL(resolve(path)).href;
    return { uri, file, content, bytes, isJson: isNamedAsJson(file) };
  }

  /** Returns the text of a document from memory, whose references begin in the current folder. */
  #write(document: JsonObject): ReadText {
    const file = `document-${this.files.length + 1}.json`;
    const uri = pathToFileURL(resolve(file)).href;
    return { uri, file, content: LazyText.of(stringifyJson(document)), isJson: true };
  }

  /** Returns the name of a file, relative where the user named the first document so. */
  #nameOf(uri: string): string {
    if (!uri.startsWith('file:')) return uri;
    const path = fileURLToPath(uri);
    return isAbsolute(this.files[0]?.source.file ?? '') ? path : relative('', path);
  }

  async #readFile(path: string, what: string): Promise<LongFile> {
    // A file that does not exist yet is watched as well.
    this.stamps.set(path, await stampOf(path));
    const read = await readLongFile(path, what);
    this.stamps.set(read.file, read.stamp);
    return read;
  }
}
