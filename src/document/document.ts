import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { DiagnosticError, Position } from './diagnostic.ts';
import { Identifiers, resolveUri } from './identifiers.ts';
import { type ListedPath, listPaths } from './listed-paths.ts';
import { type Place, readReference, splitPlace, toPlace } from './place.ts';
import type { SchemaDialect } from './schema-dialect.ts';
import type { KeptResult, Source } from './source.ts';
import {
  type DynamicAnchors,
  decodeFragment,
  SourceDocument,
  valueAt,
  type Whereabouts,
} from './source-document.ts';
import { SwaggerConverter } from './swagger.ts';

/** A supported version of OpenAPI. */
export type OpenAPIVersion = '2.0' | '3.0' | '3.1' | '3.2';

export interface DocumentFile {
  readonly source: Source;
  /** The absolute base URI of its references. */
  readonly uri: string;
  readonly version: OpenAPIVersion;
  /** Returns the place that a part of a converted file had before. */
  readonly originOf?: (pointer: string) => Place;
}

/** One OpenAPI document among those that are served together. */
export interface Entry {
  /** The place of its OpenAPI Object. */
  readonly place: Place;
  /** The place of the OpenAPI Object as written, where it was converted from another version. */
  readonly written: Place;
  readonly version: OpenAPIVersion;
  /** Path or URL as the user gave it. */
  readonly file: string;
  /** Base path without a trailing slash; undefined takes those of its `servers`. */
  readonly basePath: string | undefined;
}

/** All files that were read, and why others could not be. */
export interface FileSet {
  readonly files: readonly DocumentFile[];
  readonly entries: readonly Entry[];
  /** By URI. */
  readonly unread: ReadonlyMap<string, string>;
  /** Texts of other files, such as the `externalValue` of an example, by URI. */
  readonly texts: ReadonlyMap<string, string>;
}

/** OpenAPI documents with all files that they refer to, parsed but not compiled. */
export class OpenAPIDocument extends SourceDocument {
  readonly entries: readonly Entry[];
  readonly #set: FileSet;
  readonly #byUri: ReadonlyMap<string, number>;
  #identifiers: Identifiers | undefined;

  /** @param set errors of the whole set are reported in its first file */
  constructor(set: FileSet) {
    const [first] = set.files;
    if (first === undefined) throw new RangeError('a document has at least one file');
    super(first.source);
    this.#set = set;
    this.entries = set.entries;
    this.#byUri = new Map(set.files.map(({ uri }, index) => [uri, index] as const).reverse());
  }

  protected override rootOf(place: Place): JsonValue | undefined {
    return this.#set.files[splitPlace(place).file]?.source.value;
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
    // In one file, it does not matter where a reference on the way leads.
    const base = this.#set.files.length === 1 ? from : (this.find(from)?.pointer ?? from);
    const { file } = splitPlace(base);
    if (target === '' && fragment.startsWith('/')) {
      return this.#inResource(fragment, base) ?? toPlace(file, fragment);
    }
    const resource = target === '' ? this.#resourceOf(base) : this.#find(target, base);
    if (resource === undefined) throw this.#unread(reference, target, base);
    if (fragment === '' || fragment.startsWith('/')) return resource + fragment;
    return this.#names().anchor(resource, fragment) ?? `${resource}/${fragment}`;
  }

  override dynamicAnchorsAround(place: Place): DynamicAnchors | undefined {
    if (!this.#names().hasDynamicAnchors) return undefined;
    const resource = this.#names().dynamicResourceAround(place);
    const anchors = this.#names().dynamicAnchors(resource);
    return anchors && { resource, anchors };
  }

  /** Returns the paths below an OpenAPI Object, and where its Paths Object is. */
  pathsAt(root: Place): { readonly pointer: Place; readonly listed: readonly ListedPath[] } {
    const { paths: known } = this.#fileOf(root).source;
    if (known !== undefined) return { pointer: `${root}/paths`, listed: known };
    const paths = this.resolveObject(`${root}/paths`);
    if (paths === undefined) return { pointer: root, listed: [] };
    return { pointer: paths.pointer, listed: listPaths(paths.value) };
  }

  /** The store of results for the document; undefined if they depend on more than one file. */
  get kept(): KeptResult | undefined {
    const { source, uri } = this.#fileOf('');
    const { files, unread, texts } = this.#set;
    const isOne = this.entries.length === 1 && files.every((file) => file.uri === uri);
    return isOne && unread.size + texts.size === 0 ? source.kept : undefined;
  }

  /** Returns true if the file of a place may have our own member, `x-coldframe`. */
  hasExtensionsAt(place: Place): boolean {
    return this.#fileOf(place).source.hasExtensions;
  }

  /** Returns the text that a URI reference of the document names, if it was read. */
  textOf(reference: string, from: Place): string | undefined {
    const uri = resolveUri(reference, this.#fileOf(from).uri);
    return uri === undefined ? undefined : this.#set.texts.get(uri);
  }

  /** Resolves a pointer within the schema that has an `$id` (JSON Schema Core §8.2.1). */
  #inResource(fragment: string, from: Place): Place | undefined {
    const resource = this.#names().resourceAround(from);
    if (resource === undefined) return undefined;
    const place = resource.place + fragment;
    // Many documents have an `$id`, and still use pointers from the root of the file.
    const root = this.rootOf(place) ?? null;
    return valueAt(root, splitPlace(place).pointer) === undefined ? undefined : place;
  }

  #resourceOf(place: Place): Place {
    return this.#names().resourceAround(place)?.place ?? toPlace(splitPlace(place).file, '');
  }

  #find(target: string, from: Place): Place | undefined {
    const { uri: file } = this.#fileOf(from);
    for (const base of [this.#names().resourceAround(from)?.uri ?? file, file]) {
      const uri = resolveUri(target, base) ?? '';
      const index = this.#byUri.get(uri);
      const root = index === undefined ? undefined : toPlace(index, '');
      const place = this.#names().find(uri) ?? root;
      if (place !== undefined) return place;
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
    // Every place is in a file of the set.
    return this.#set.files[file] as DocumentFile;
  }

  override locate(place: Place, of?: 'key' | 'value'): Position {
    const { file, pointer } = splitPlace(this.#originOf(place));
    return this.#set.files[file]?.source.locate(pointer, of) ?? { line: 1, column: 1 };
  }

  override whereIs(place: Place, of?: 'key' | 'value'): Whereabouts {
    const origin = this.#originOf(place);
    return {
      file: this.#fileOf(origin).source.file,
      position: this.locate(origin, of),
      pointer: splitPlace(origin).pointer,
    };
  }

  #originOf(place: Place): Place {
    const { file, pointer } = splitPlace(place);
    return this.#set.files[file]?.originOf?.(pointer) ?? place;
  }
}

/**
 * Returns the version of an OpenAPI Object; undefined for a file that is only a part of a document.
 *
 * @throws {DiagnosticError} for a version that is not supported
 */
export function readVersion(source: Source): OpenAPIVersion | undefined {
  const root = isJsonObject(source.value) ? source.value : {};
  const member = Object.hasOwn(root, 'swagger') ? 'swagger' : 'openapi';
  const value = getMember(root, member);
  if (value === undefined) return undefined;
  // YAML reads `3.0` and `2.0` as numbers, which lose the zero.
  const text = /^[23]$/.test(String(value)) ? `${String(value)}.0` : String(value);
  const [, version] = /^(2\.0|3\.[012])(?:\.\d+)*(?:-.*)?$/.exec(text) ?? [];
  if (version !== undefined && (version === '2.0') === (member === 'swagger')) {
    return version as OpenAPIVersion;
  }
  throw new SourceDocument(source).fail(
    `/${member}`,
    `this is ${member === 'swagger' ? 'Swagger' : 'OpenAPI'} ${String(value)}, which is not read`,
    'Versions 2.0, 3.0, 3.1 and 3.2 are read; convert the document to one of them.',
  );
}

/** Returns the version; throws for a file that is not an OpenAPI document. */
export function requireVersion(source: Source): OpenAPIVersion {
  const version = readVersion(source);
  if (version !== undefined) return version;
  throw new SourceDocument(source).fail(
    '',
    'this is not an OpenAPI document',
    'An OpenAPI document is an object with the member "openapi", such as `openapi: 3.1.0`.',
  );
}

/** Files before they are converted to one version. */
export interface ReadSet extends Omit<FileSet, 'entries'> {
  /** The files that are OpenAPI documents. */
  readonly roots: readonly { readonly index: number; readonly basePath: string | undefined }[];
}

/** Converts documents in OpenAPI 2.0 to 3.0. */
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
    const converter = new SwaggerConverter(unconverted, written);
    const source = { ...root.source, value: converter.convert(), paths: undefined };
    files.push({ ...root, source, originOf: (pointer) => converter.originOf(pointer) });
    return [{ ...entry, place: toPlace(files.length - 1, '') }];
  });
  return new OpenAPIDocument({ ...set, files, entries });
}
