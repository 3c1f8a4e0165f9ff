import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DiagnosticError } from './diagnostic.ts';

/** What a file or folder was when it was read: another stamp, another content. */
export type Stamps = ReadonlyMap<string, string>;

/** Returns the stamp of a path as it is now; one that is not there has a stamp too. */
export async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    // Reading the path reports why it cannot be read.
    return 'missing';
  }
}

/** Returns the stamps of these paths as they are now. */
export async function stampAll(paths: Iterable<string>): Promise<Stamps> {
  const list = [...new Set(paths)];
  return new Map(await Promise.all(list.map(async (path) => [path, await stampOf(path)] as const)));
}

export function isSame(left: Stamps, right: Stamps): boolean {
  return left.size === right.size && [...left].every(([path, stamp]) => right.get(path) === stamp);
}

/** A file as read from disk. */
export interface TextFile {
  /** As a person would name it. */
  readonly file: string;
  readonly text: string;
  /** As it was before it was read. */
  readonly stamp: string;
}

/** Where bodies of answers lie beside fixtures; the name is WireMock's. */
export const BODY_FOLDER = '__files';

/** Larger files are a mistake or an attack. */
export const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Reads one file of text.
 *
 * @param what it is, for the message: `document`, `fixture file`
 * @throws {DiagnosticError} when it is not there, not a file, too large or not UTF-8
 */
export async function readTextFile(file: string, what: string): Promise<TextFile> {
  try {
    const stamp = await stampOf(file);
    const { size } = await stat(file);
    if (size > LARGEST_FILE_BYTES)
      throw new Error(`it has ${size} bytes, ${LARGEST_FILE_BYTES} are read`);
    const bytes = await readFile(file);
    return { file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), stamp };
  } catch (error) {
    throw unreadable(file, what, error as NodeJS.ErrnoException);
  }
}

/**
 * Finds the fixture files that a path names: itself, or in a folder every YAML and JSON file,
 * sorted by name; JSON Schemas (`*.schema.json`) and what lies in `__files` are none.
 */
export async function findFixtureFiles(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && isFixtureFile(entry.name))
      .map((entry) => join(path, relative(path, join(entry.parentPath, entry.name))))
      .filter((file) => !relative(path, file).split(sep).includes(BODY_FOLDER))
      .sort();
  } catch (error) {
    throw unreadable(path, 'fixture path', error as NodeJS.ErrnoException);
  }
}

function isFixtureFile(name: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(name) && !/\.schema\.json$/i.test(name) && !name.startsWith('.');
}

function unreadable(file: string, what: string, error: NodeJS.ErrnoException): DiagnosticError {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'it may not be read',
    ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8',
  };
  const reason = reasons[error.code ?? ''] ?? error.message;
  return new DiagnosticError([
    {
      severity: 'error',
      file,
      position: { line: 1, column: 1 },
      pointer: '',
      message: `the ${what} cannot be read: ${reason}`,
      ...(error.code === 'ENOENT' && { remedy: 'Check the path; it is taken from where you are.' }),
    },
  ]);
}

/** A text that was fetched. */
export interface FetchedText {
  /** After redirections. */
  readonly url: string;
  readonly text: string;
  readonly isJson: boolean;
}

const LONGEST_WAIT_MILLISECONDS = 30_000;

/**
 * Fetches a document by http or https.
 *
 * @param largest number of bytes that are read
 * @throws {DiagnosticError} when it cannot be had
 */
export async function fetchText(url: string, largest: number): Promise<FetchedText> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/yaml, application/json, text/yaml, */*;q=0.1' },
      signal: AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS),
    });
    if (!response.ok) throw new Error(`the answer is ${response.status} ${response.statusText}`);
    const text = await readLimited(response, largest);
    const type = response.headers.get('content-type') ?? '';
    const isJson = /\bjson\b/i.test(type) || /\.json(?:$|\?)/i.test(url) || /^\s*\{/.test(text);
    return { url: response.url, text, isJson };
  } catch (error) {
    throw unfetched(url, error as Error);
  }
}

async function readLimited(response: Response, largest: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > largest) throw new Error(`it has more than ${largest} bytes`);
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text + decoder.decode();
}

function unfetched(url: string, error: Error): DiagnosticError {
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return new DiagnosticError([
    {
      severity: 'error',
      file: url,
      position: { line: 1, column: 1 },
      pointer: '',
      message: `the document cannot be fetched: ${cause ?? error.message}`,
      remedy: 'Check the address, and whether this machine can reach it.',
    },
  ]);
}
