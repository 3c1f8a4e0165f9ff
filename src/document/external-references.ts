import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { findAll, hasAt, type LazyText } from '../base/lazy-text.ts';
import { NO_STAMP, type RefuseUri, stampOf } from './read.ts';

/**
 * Matches what follows the name of a member with a reference, which YAML may have a comment in front
 * of, that does not begin with `#`. An object or a list is no reference: a path of a document may end
 * in `$ref`.
 */
const OUTWARD = /^["']?(?:\s|#.*\n)*:(?!\s*(?:["']#|[{[]))/;

/** Matches what follows the name of a mapping that names a file. */
const TO_FILE = /^["']?\s*:[^}]{0,4000}?(?:\.(?:json|ya?ml)|["'\s]\.{1,2}\/)/i;

/**
 * Returns true for a text that may refer to others. Few do, and walking through the values of all
 * of them is slow.
 *
 * @param dollars where words begin with a `$`, if that is known
 */
export function mayLeadOutward(text: LazyText, dollars?: readonly number[]): boolean {
  return (
    hasBefore(text, '$ref', OUTWARD, dollars) ||
    hasBefore(text, '$dynamicRef', OUTWARD, dollars) ||
    // Few words have a capital, and most have an `e`.
    hasBefore(text, 'externalValue', OUTWARD, findAll(text, 'externalValue', 'Value')) ||
    hasBefore(text, 'mapping', TO_FILE)
  );
}

/** Returns true if a text has a word, and directly behind it what a pattern matches. */
function hasBefore(
  text: LazyText,
  word: string,
  behind: RegExp,
  places: Iterable<number> = findAll(text, word),
): boolean {
  for (const at of places) {
    if (!hasAt(text.bytes, at, word)) continue;
    const end = at + word.length;
    if (INWARD.some((usual) => hasAt(text.bytes, end, usual))) continue;
    // The patterns match ASCII.
    if (behind.test(text.bytes.toString('latin1', end, end + LONGEST_BEHIND))) return true;
  }
  return false;
}

/** How most references into the same file go on, in JSON and in YAML. */
const INWARD = ['": "#', ": '#", ': "#'];
const LONGEST_BEHIND = 5_000;

/**
 * Returns the URI references of a file, without fragments: those of files with values, and those of
 * texts, the `externalValue` of examples (OAS 3.1 §4.8.19).
 */
export function findExternalReferences(value: JsonValue) {
  const files = new Set<string>();
  const texts = new Set<string>();
  collect(value, files, texts);
  return { files, texts };
}

function collect(value: JsonValue, files: Set<string>, texts: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value) as [string, JsonValue][]) {
    if (typeof member === 'string') collectText(key, member, files, texts);
    else if (key === 'mapping' && isJsonObject(member)) collectMapping(member, files);
    else collect(member, files, texts);
  }
}

function collectText(key: string, text: string, files: Set<string>, texts: Set<string>): void {
  if (key === '$ref' || key === '$dynamicRef') addFile(text, files);
  if (key === 'externalValue') texts.add(text);
}

/** Collects the references of a discriminator's mapping (OAS 3.1 §4.8.25). */
function collectMapping(mapping: JsonObject, files: Set<string>): void {
  for (const target of Object.values(mapping)) {
    if (typeof target === 'string' && /[./]/.test(target)) addFile(target, files);
  }
}

function addFile(reference: string, files: Set<string>): void {
  const [target = ''] = reference.split('#');
  if (target !== '') files.add(target);
}

type Uris = readonly string[];

/**
 * Allows a document to refer to files in its folder or its repository and below, and a document from
 * a URL to URLs below the same path. Nothing else on this machine or its network is read, but folders
 * and URLs that the user allows. Symbolic links are resolved first.
 */
export async function createRefuseUri(roots: Uris, allowed: Uris): Promise<RefuseUri> {
  const folders: string[] = [];
  const prefixes: string[] = [];
  for (const uri of roots) {
    if (isFile(uri)) folders.push(await findRepository(await realpathOf(fileURLToPath(uri))));
    else prefixes.push(new URL('.', uri).href);
  }
  for (const place of allowed) {
    if (/^https?:\/\//i.test(place)) prefixes.push(new URL(place).href);
    else folders.push(await realpathOf(resolve(place)));
  }
  return async (uri) => {
    if (isFile(uri)) {
      const path = await realpathOf(fileURLToPath(uri));
      const isAllowed = folders.some((folder) => isWithin(path, folder, sep));
      return isAllowed ? undefined : 'it is outside of the folder of the document';
    }
    const isAllowed = prefixes.some((prefix) => isWithin(uri, prefix, '/'));
    return isAllowed ? undefined : 'it is a URL that was not allowed';
  };
}

function isFile(uri: string): boolean {
  return uri.startsWith('file:');
}

/** `https://example.com/a` allows `https://example.com/a/b`, not `https://example.com/ab`. */
function isWithin(place: string, around: string, separator: string): boolean {
  return (
    place === around || place.startsWith(around.endsWith(separator) ? around : around + separator)
  );
}

/** Returns the folder of the repository that a file is in; of a file in none, its own folder. */
async function findRepository(file: string): Promise<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    // A work tree has a file of this name.
    if ((await stampOf(join(folder, '.git'))) !== NO_STAMP) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}

/** Resolves symbolic links; returns the path itself for a file that does not exist. */
async function realpathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // Reading the path reports why it cannot be read.
    return path;
  }
}
