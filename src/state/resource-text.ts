import { JsonError, parseJson } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { containsExactNumber, isJsonObject, type JsonObject } from '../base/json/value.ts';

/** JSON allows white space before a value; the engine's own reader need not be kept from these. */
const EXACT_MARK = ' ';

/**
 * Writes a resource as the text that stores keep: JSON, which begins with a space where it holds a
 * number that no double holds.
 */
export function writeResource(resource: JsonObject): string {
  return containsExactNumber(resource)
    ? EXACT_MARK + stringifyJson(resource)
    : JSON.stringify(resource);
}

/**
 * Reads a text of {@link writeResource}. Most of them hold ordinary numbers alone, and for those
 * the engine's reader is exact and several times faster.
 */
export function readResource(text: string): JsonObject {
  return (text.startsWith(EXACT_MARK) ? parseJson(text) : JSON.parse(text)) as JsonObject;
}

/** Returns the resource of a text that another version may have written; undefined for no JSON object. */
export function readForeignResource(text: string): JsonObject | undefined {
  try {
    const resource: unknown = readResource(text);
    return isJsonObject(resource) ? resource : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) return undefined;
    throw error;
  }
}
