import { JsonError, parseJson } from '../base/json/parse.ts';
import { stringifyJson, stringifyOrdinary } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';

/** Marks a text with exact numbers. JSON allows white space before a value. */
const EXACT_MARK = ' ';

/** Writes JSON for a store, which begins with a space where a number is no double. */
export function writeResource(resource: JsonObject): string {
  return stringifyOrdinary(resource) ?? EXACT_MARK + stringifyJson(resource);
}

/** Reads a text of {@link writeResource}; `JSON.parse` is much faster where it is exact. */
export function readResource(text: string): JsonObject {
  return (text.startsWith(EXACT_MARK) ? parseJson(text) : JSON.parse(text)) as JsonObject;
}

/** Reads a text that another version may have written; undefined where it is no JSON object. */
export function readForeignResource(text: string): JsonObject | undefined {
  try {
    const resource: unknown = readResource(text);
    return isJsonObject(resource) ? resource : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) return undefined;
    throw error;
  }
}
