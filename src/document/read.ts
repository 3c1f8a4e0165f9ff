import { constants, type Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LazyText } from '../base/lazy-text.ts';
import { DiagnosticError, diagnoseFile } from './diagnostic.ts';

/** Stamps of files and folders by path: another stamp means other content. */
export type Stamps = ReadonlyMap<string, string>;

/** The stamp of a path that does not exist. */
export const NO_STAMP = 'missing';

/** Returns the current stamp of a path, also of one that does not exist. */
export async function stampOf(path: string): Promise<string> {
  try {
    return toStamp(await stat(path));
  } catch {
    // Reading the path reports why it cannot be read.
    return NO_STAMP;
  }
}

function toStamp({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

export async function stampAll(paths: Iterable<string>): Promise<Stamps> {
  const list = [...new Set(paths)];
  return new Map(await Promise.all(list.map(async (path) => [path, await stampOf(path)] as const)));
}

export function isSame(left: Stamps, right: Stamps): boolean {
  return left.size === right.size && [...left].every(([path, stamp]) => right.get(path) === stamp);
}

export interface TextFile {
  /** Path as the user gave it. */
  readonly file: string;
  readonly text: string;
  /** The stamp before it was read. */
  readonly stamp: string;
}

/** A file that may be long, of which only a part may be needed. */
export interface LongFile extends Omit<TextFile, 'text'> {
  readonly bytes: Uint8Array;
  readonly content: LazyText;
}

/** The folder of response bodies next to fixture files; WireMock's name. */
export const BODY_FOLDER = '__files';

/** Larger files are a mistake or an attack. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/** Reads a text file as {@link readLongFile} does. */
export async function readTextFile(file: string, what: string): Promise<TextFile> {
  const { content, stamp } = await readLongFile(file, what);
  return { file, text: content.text, stamp };
}

/**
 * Reads a text file.
 *
 * @param what kind of file it is, for messages: `document`, `fixture file`
 * @throws {DiagnosticError} when it does not exist, is not a file, is too large or not UTF-8
 */
export async function readLongFile(file: string, what: string): Promise<LongFile> {
  try {
    const { stats, bytes } = await readRegularFile(file);
    return { file, bytes, content: LazyText.read(bytes), stamp: toStamp(stats) };
  } catch (error) {
    throw unreadable(file, what, error as NodeJS.ErrnoException);
  }
}

/**
 * Opens a file, but not a pipe that a path leads to by then: that waits until someone writes, and
 * keeps the process from ending.
 */
export const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Returns the bytes of a file, with what was known of it before.
 *
 * @throws {Error} when it does not exist, is not a file or is too large
 */
export async function readRegularFile(
  path: string,
): Promise<{ readonly stats: Stats; readonly bytes: Buffer }> {
  const stats = await stat(path);
  if (!stats.isFile() && !stats.isDirectory()) {
    throw new Error('it is a pipe, a socket or a device');
  }
  if (stats.size > LARGEST_FILE_BYTES) {
    throw new Error(`it has ${stats.size} bytes, ${LARGEST_FILE_BYTES} are read`);
  }
  return { stats, bytes: await readFile(path, { flag: WITHOUT_WAITING }) };
}

/** The fixture files of paths. */
export interface FixtureFiles {
  readonly files: readonly string[];
  /** All folders that were searched, also those without a file: one may appear there. */
  readonly folders: readonly string[];
}

/**
 * Finds the fixture files of paths: a file itself, or every YAML and JSON file of a folder, sorted
 * by name, except JSON Schemas (`*.schema.json`), files in `__files`, and hidden files and folders.
 * Links are followed, and a file or folder that several lead to is read once: Kubernetes mounts a
 * ConfigMap as links into a hidden folder.
 */
export async function findFixtureFiles(paths: readonly string[]): Promise<FixtureFiles> {
  const seen = new Set<string>();
  const files: string[] = [];
  const folders: string[] = [];
  for (const path of paths) {
    try {
      const isFolder = (await stat(path)).isDirectory();
      const real = await realpath(path);
      if (isFolder) files.push(...[...(await listFixtureFiles(path, seen, folders))].sort());
      else if (!seen.has(real)) files.push(path);
      seen.add(real);
    } catch (error) {
      throw unreadable(path, 'fixture path', error as NodeJS.ErrnoException);
    }
  }
  return { files, folders };
}

/**
 * @param seen the real paths that were listed already
 * @param folders where each folder is added
 */
async function listFixtureFiles(
  path: string,
  seen: Set<string>,
  folders: string[],
): Promise<readonly string[]> {
  // Reading a link that leads nowhere reports it.
  const real = await realpath(path).catch(() => path);
  if (seen.has(real)) return [];
  seen.add(real);
  const isFolder = await stat(real).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) return isFixtureFile(path) ? [path] : [];
  folders.push(path);
  const files: string[] = [];
  for (const name of (await readdir(path)).sort()) {
    if (name.startsWith('.') || name === BODY_FOLDER) continue;
    files.push(...(await listFixtureFiles(join(path, name), seen, folders)));
  }
  return files;
}

function isFixtureFile(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !/\.schema\.json$/i.test(name);
}

function unreadable(file: string, what: string, error: NodeJS.ErrnoException): DiagnosticError {
  const [reason = error.message, remedy] = UNREADABLE[error.code ?? ''] ?? [];
  const message = `the ${what} cannot be read: ${reason}`;
  return new DiagnosticError([diagnoseFile(file, message, remedy === undefined ? {} : { remedy })]);
}

const NOT_UTF8 = 'ERR_ENCODING_INVALID_ENCODED_DATA';

/** Why a file cannot be read, and what to do, by the code of the error. */
const UNREADABLE: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOENT: ['there is no such file', 'Check the path; it is taken from where you are.'],
  EISDIR: ['it is a folder', 'Name a file in it.'],
  EACCES: ['it may not be read', 'Give the user of this process the right to read it.'],
  [NOT_UTF8]: ['it is not UTF-8', 'Save it as UTF-8.'],
};

export interface FetchedText {
  /** Its URL after redirections. */
  readonly uri: string;
  readonly content: LazyText;
  readonly isJson: boolean;
}

const LONGEST_WAIT_MILLISECONDS = 30_000;

/** Returns why a URI may not be read; undefined when it may. */
export type RefuseUri = (uri: string) => Promise<string | undefined>;

/**
 * Fetches a document by http or https.
 *
 * @param refuse is asked before each redirection is followed
 * @throws {DiagnosticError} when it cannot be fetched
 */
export async function fetchText(url: string, refuse?: RefuseUri): Promise<FetchedText> {
  try {
    const response = await follow(url, refuse);
    if (!response.ok) throw new Error(`the response is ${response.status} ${response.statusText}`);
    const content = LazyText.read(await readLimited(response));
    const type = response.headers.get('content-type') ?? '';
    const isJson = /\bjson\b/i.test(type) || /\.json(?:$|\?)/i.test(url) || isObject(content);
    return { uri: response.url, content, isJson };
  } catch (error) {
    const isRead = (error as NodeJS.ErrnoException).code === NOT_UTF8;
    throw isRead ? unreadable(url, 'document', error as Error) : unfetched(url, error as Error);
  }
}

/** Fetches a URL, and what it is redirected to. */
async function follow(url: string, refuse: RefuseUri | undefined): Promise<Response> {
  const signal = AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS);
  const headers = { accept: 'application/yaml, application/json, text/yaml, */*;q=0.1' };
  let next = url;
  for (let count = 0; count <= MOST_REDIRECTIONS; count++) {
    const response = await fetch(next, { headers, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTIONS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    next = new URL(location, next).href;
    const reason = await refuse?.(next);
    if (reason !== undefined) throw new Error(`it is redirected to ${next}: ${reason}`);
  }
  throw new Error(`it is redirected more than ${MOST_REDIRECTIONS} times`);
}

/** The statuses that name another URL for the same request (RFC 9110 §15.4). */
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTIONS = 20;

async function readLimited(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > LARGEST_FILE_BYTES) throw new Error(`it has more than ${LARGEST_FILE_BYTES} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

/** Returns true for a text that begins like an object of JSON. */
function isObject({ bytes }: LazyText): boolean {
  return bytes[bytes.findIndex((byte) => byte > SPACE)] === OPENING_BRACE;
}

const SPACE = 0x20;
const OPENING_BRACE = 0x7b;

function unfetched(url: string, error: Error): DiagnosticError {
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const message = `the document cannot be fetched: ${cause ?? error.message}`;
  const remedy = 'Check the address, and whether this machine can reach it.';
  return new DiagnosticError([diagnoseFile(url, message, { remedy })]);
}
