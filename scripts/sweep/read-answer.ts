import { NotJudged, type Place } from './description.ts';
import type { Json } from './json.ts';
import { essence, isJson, isText, isXml } from './media-type.ts';
import { readTexts } from './text-readings.ts';
import type { XmlValues } from './xml-values.ts';

/** Material for reading bodies. */
export interface Reading {
  readonly xml: XmlValues;
}

/**
 * Reads a body by its media type.
 *
 * @returns the values that it may stand for; none where it is not well-formed
 * @throws {NotJudged} for a media type that the sweep cannot read
 */
export function readBody({ xml }: Reading, type: string, body: Buffer, schema: Place): Json[] {
  const text = body.toString('utf8');
  if (isJson(type)) return readJson(text);
  if (isXml(type)) return xml.read(schema, text);
  // What is no scalar has no text but JSON.
  if (isText(type) && essence(type) !== 'text/event-stream') {
    return [...readTexts(text), ...readJson(text)];
  }
  const items = readItems(type, body);
  if (items !== undefined) return items.every((item) => item.length > 0) ? [items.flat()] : [];
  if (/form|multipart|event-stream/.test(type)) {
    throw new NotJudged(`an answer of ${essence(type)}`);
  }
  // A picture or a page for print has no members, and nothing here reads YAML.
  if (/^(?:image|audio|video)\/|[/+](?:pdf|zip|(?:x-)?yaml)$/.test(essence(type))) {
    throw new NotJudged(`an answer of ${essence(type)}`);
  }
  return [text, ...readJson(text)];
}

const SEPARATORS: Readonly<Record<string, RegExp>> = {
  'application/jsonl': /\n/,
  'application/x-ndjson': /\n/,
  'application/x-jsonlines': /\n/,
  'application/json-seq': /\u001e/,
};

/** @returns the items of a sequence, each as what it may stand for; undefined for other types */
export function readItems(type: string, body: Buffer): Json[][] | undefined {
  const separator = SEPARATORS[essence(type)];
  if (separator === undefined) return undefined;
  const parts = body.toString('utf8').split(separator);
  return parts.filter((part) => part.trim() !== '').map(readJson);
}

/** @returns the value, or nothing where the text is no JSON */
export function readJson(text: string): Json[] {
  try {
    return [JSON.parse(text.replace(TOKENS, markBeyond)) as Json];
  } catch {
    return [];
  }
}

const TOKENS = /"(?:\\.|[^"\\])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LARGEST = 2n ** 63n - 1n;

/** The nearest double to an integer just beyond int64 is one that it has: it is moved further. */
function markBeyond(token: string): string {
  if (!/^-?\d{19}$/.test(token)) return token;
  const value = BigInt(token);
  if (value > LARGEST) return '1e19';
  return value < -LARGEST - 1n ? '-1e19' : token;
}
