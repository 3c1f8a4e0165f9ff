import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import { type Diagnostic, DiagnosticError, type Position } from './diagnostic.ts';
import { Identifiers, resolveUri } from './identifiers.ts';
import { type Place, readReference, splitPlace, toPlace } from './place.ts';
import type { SchemaDialect } from './schema-dialect.ts';
import { parseSource, type Source } from './source.ts';
import { type DynamicAnchors, decodeFragment, SourceDocument, valueAt } from './source-document.ts';
import { convertSwagger } from './swagger.ts';

/** A version of OpenAPI that is read. */
export type OpenAPIVersion = '2.0' | '3.0' | '3.1' | '3.2';

/** A file of the set that makes a document. */
export interface DocumentFile {
  readonly source: Source;
  /** Absolute: what its relative references are resolved against. */
  readonly uri: string;
  readonly version: OpenAPIVersion;
  /** Where a part of a converted file stood before. */
  readonly originOf?: (pointer: string) => Place;
}

/** One OpenAPI description among those that are served together. */
export interface Entry {
  /** Of its OpenAPI Object. */
  readonly place: Place;
  /** Of the OpenAPI Object as its author wrote it, where it was converted from another version. */
  readonly written: Place;
  readonly version: OpenAPIVersion;
  /** As a person named it. */
  readonly file: string;
  /**
   * Path below which it is served, without a last slash; undefined leaves that to its `servers`.
   */
  readonly basePath: string | undefined;
}

/** What was read: files, the descriptions among them, and why others could not be. */
export interface FileSet {
  readonly files: readonly DocumentFile[];
  readonly entries: readonly Entry[];
  /** By URI. */
  readonly unread: ReadonlyMap<string, string>;
  /** Texts of what is no document, such as the `externalValue` of an example; by URI. */
  readonly texts: ReadonlyMap<string, string>;
}

/** OpenAPI descriptions with all files that they refer to, read but not yet understood. */
export class OpenAPIDocument extends SourceDocument {
  readonly entries: readonly Entry[];
  readonly #set: FileSet;
  readonly #byUri: ReadonlyMap<string, number>;
  #identifiers: Identifiers | undefined;

  /** @param set its first file is the one that errors of the whole are told of */
  constructor(set: FileSet) {
    const [first] = set.files;
    if (first === undefined) throw new RangeError('a document has at least one file');
    super(first.source);
    this.#set = set;
    this.entries = set.entries;
    this.#byUri = new Map(set.files.map(({ uri }, index) => [uri, index] as const).reverse());
  }

  override at(place: Place): JsonValue | undefined {
    if (!place.startsWith('@')) return super.at(place);
    const { file, pointer } = splitPlace(place);
    const source = this.#set.files[file]?.source;
    return source === undefined ? undefined : valueAt(source.value, pointer);
  }

  override dialectAt(place: Place): SchemaDialect {
    const version = this.#fileOf(place).version;
    return version === '2.0' || version === '3.0' ? 'openapi-3.0' : '2020-12';
  }

  override pointerOf(reference: string, from: Place): Place {
    const made = readReference(reference);
    if (made !== undefined) return made;
    const hash = reference.indexOf('#');
    const target = hash < 0 ? reference : reference.slice(0, hash);
    const fragment = hash < 0 ? '' : decodeFragment(reference.slice(hash + 1));
    const { file } = splitPlace(from);
    if (target === '' && fragment.startsWith('/')) {
      return this.#inResource(fragment, from) ?? toPlace(file, fragment);
    }
    const resource = target === '' ? this.#resourceOf(from) : this.#find(target, from);
    if (resource === undefined) throw this.#unread(reference, target, from);
    if (fragment === '' || fragment.startsWith('/')) return resource + fragment;
    return this.#names().anchor(resource, fragment) ?? `${resource}/${fragment}`;
  }

  override dynamicAnchorsAround(place: Place): DynamicAnchors | undefined {
    const resource = this.#names().dynamicResourceAround(place);
    const anchors = this.#names().dynamicAnchors(resource);
    return anchors && { resource, anchors };
  }

  /** Returns the text that a URI reference of the document names, if it was read. */
  textOf(reference: string, from: Place): string | undefined {
    const uri = resolveUri(reference, this.#fileOf(from).uri);
    return uri === undefined ? undefined : this.#set.texts.get(uri);
  }

  /** A pointer in a schema with an `$id` is one in that schema (JSON Schema Core §8.2.1). */
  #inResource(fragment: string, from: Place): Place | undefined {
    const resource = this.#names().resourceAround(from);
    if (resource === undefined) return undefined;
    const place = resource.place + fragment;
    // Many documents give an `$id` and go on to point from the root of the file.
    return this.at(place) === undefined ? undefined : place;
  }

  #resourceOf(place: Place): Place {
    return this.#names().resourceAround(place)?.place ?? toPlace(splitPlace(place).file, '');
  }

  #find(target: string, from: Place): Place | undefined {
    const around = this.#names().resourceAround(from)?.uri;
    const bases = around === undefined ? [] : [around];
    for (const base of [...bases, this.#fileOf(from).uri]) {
      const uri = resolveUri(target, base);
      if (uri === undefined) continue;
      const place = this.#names().find(uri);
      if (place !== undefined) return place;
      const file = this.#byUri.get(uri);
      if (file !== undefined) return toPlace(file, '');
    }
    return undefined;
  }

  #names(): Identifiers {
    if (this.#identifiers === undefined) {
      this.#identifiers = new Identifiers();
      for (const [index, { source, uri }] of this.#set.files.entries()) {
        if (source.hasIdentifiers) this.#identifiers.add(index, uri, source.value);
      }
    }
    return this.#identifiers;
  }

  #unread(reference: string, target: string, from: Place): DiagnosticError {
    const uri = resolveUri(target, this.#fileOf(from).uri);
    const reason = uri === undefined ? undefined : this.#set.unread.get(uri);
    return this.fail(
      `${from}/$ref`,
      `the reference ${JSON.stringify(reference)} leads to a file that was not read` +
        (reason === undefined ? '' : `: ${reason}`),
      'Correct the reference; files outside of the folder of the document and URLs are read ' +
        'only when --allow-reference names where they are.',
    );
  }

  #fileOf(place: Place): DocumentFile {
    const { file } = splitPlace(place);
    // A place is only ever made of a file of the set.
    return this.#set.files[file] as DocumentFile;
  }

  override locate(place: Place, of?: 'key' | 'value'): Position {
    const { file, pointer } = splitPlace(this.#originOf(place));
    return this.#set.files[file]?.source.locate(pointer, of) ?? { line: 1, column: 1 };
  }

  override diagnose(
    severity: Diagnostic['severity'],
    place: Place,
    message: string,
    remedy?: string,
  ): Diagnostic {
    const origin = this.#originOf(place);
    return {
      severity,
      file: this.#fileOf(origin).source.file,
      position: this.locate(origin),
      pointer: splitPlace(origin).pointer,
      message,
      ...(remedy !== undefined && { remedy }),
    };
  }

  /** Of a converted file, the place before it was converted. */
  #originOf(place: Place): Place {
    const { file, pointer } = splitPlace(place);
    return this.#set.files[file]?.originOf?.(pointer) ?? place;
  }
}

/**
 * @returns the version that an OpenAPI Object says; undefined for a file that is only a part of one
 * @throws {DiagnosticError} for a version that is not read
 */
export function readVersion(source: Source): OpenAPIVersion | undefined {
  const root = isJsonObject(source.value) ? source.value : {};
  const member = Object.hasOwn(root, 'swagger') ? 'swagger' : 'openapi';
  const said = getMember(root, member);
  if (said === undefined) return undefined;
  // YAML takes `3.0` and `2.0` for numbers, of which the zero is no part.
  const text = /^[23]$/.test(String(said)) ? `${String(said)}.0` : String(said);
  const [, version] = /^(2\.0|3\.[012])(?:\.\d+)*(?:-.*)?$/.exec(text) ?? [];
  if (version !== undefined && (version === '2.0') === (member === 'swagger')) {
    return version as OpenAPIVersion;
  }
  throw failIn(
    source,
    `/${member}`,
    `this is ${member === 'swagger' ? 'Swagger' : 'OpenAPI'} ${String(said)}, which is not read`,
    'Versions 2.0, 3.0, 3.1 and 3.2 are read; convert the document to one of them.',
  );
}

/** @throws {DiagnosticError} when a file is no OpenAPI description */
export function requireVersion(source: Source): OpenAPIVersion {
  const version = readVersion(source);
  if (version !== undefined) return version;
  throw failIn(
    source,
    '',
    'this is not an OpenAPI document',
    'An OpenAPI document is an object with the member "openapi", such as `openapi: 3.1.0`.',
  );
}

function failIn(source: Source, pointer: string, message: string, remedy: string): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      file: source.file,
      position: source.locate(pointer),
      pointer,
      message,
      remedy,
    },
  ]);
}

/**
 * Reads a document that is one file.
 *
 * @throws {DiagnosticError} with file, line, column and remedy
 */
export function parseDocument(file: string, text: string): OpenAPIDocument {
  return documentOf(parseSource(file, text));
}

/** Returns the document that a single file makes. */
function documentOf(source: Source): OpenAPIDocument {
  const version = requireVersion(source);
  const file = { source, uri: `file:///${encodeURIComponent(source.file)}`, version };
  return assembleDocument({
    files: [file],
    roots: [{ index: 0, basePath: undefined }],
    unread: new Map(),
    texts: new Map(),
  });
}

/** A file set before it is brought to one version. */
export interface ReadSet extends Omit<FileSet, 'entries'> {
  /** Which files are descriptions of their own. */
  readonly roots: readonly { readonly index: number; readonly basePath: string | undefined }[];
}

/** Brings what was read to one version: descriptions in 2.0 are converted. */
export function assembleDocument({ roots, ...set }: ReadSet): OpenAPIDocument {
  const files = [...set.files];
  const unconverted = new OpenAPIDocument({ ...set, entries: [] });
  const entries = roots.flatMap(({ index, basePath }): Entry[] => {
    const root = set.files[index];
    if (root === undefined) return [];
    const { version } = root;
    const written = toPlace(index, '');
    const entry = { version, file: root.source.file, basePath, written };
    if (version !== '2.0') return [{ ...entry, place: written }];
    const { value, originOf } = convertSwagger(unconverted, written);
    files.push({ ...root, source: { ...root.source, value }, originOf });
    return [{ ...entry, place: toPlace(files.length - 1, '') }];
  });
  return new OpenAPIDocument({ ...set, files, entries });
}
