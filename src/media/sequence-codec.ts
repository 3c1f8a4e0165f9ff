import { parseJsonOrText } from '../base/json/parse.ts';
import { stringifyJson, toText } from '../base/json/stringify.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
} from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { readText } from './charset.ts';
import type { Codec, Description } from './codec.ts';
import { readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { readJson } from './json-codec.ts';
import { readScalar, type Shape } from './shape.ts';

/** A format of sequential media types (OAS 3.2 §4.14.3). */
type SequenceFormat = 'lines' | 'records' | 'events';

export function sequenceFormat(type: string): SequenceFormat | undefined {
  return FORMATS.get(type);
}

const FORMATS: ReadonlyMap<string, SequenceFormat> = new Map([
  ['application/jsonl', 'lines'],
  ['application/x-jsonlines', 'lines'],
  ['application/x-ndjson', 'lines'],
  ['application/ndjson', 'lines'],
  ['application/json-seq', 'records'],
  ['application/geo+json-seq', 'records'],
  ['text/event-stream', 'events'],
]);

export function isSequential(mediaType: string): boolean {
  return sequenceFormat(readContentType(mediaType).type) !== undefined;
}

/** A sequential media type, whose value is the list of its items. */
export function createSequenceCodec(format: SequenceFormat, description: Description): Codec {
  const { shape } = description;
  const item = shape.item(0);
  const isText = item.types.size === 1 && item.types.has('string');
  const read = isEventShape(item)
    ? (text: string) => readEvent(text, item)
    : (text: string) => readData(text, isText);
  const writeItems = (value: JsonValue) =>
    [value].flat().map((one) => writeItem(format, one, description));
  return {
    // A schema that says text describes the body as it is written, and not its items.
    isValidated: !isText && (format !== 'events' || shape.types.has('array')),
    decode: (bytes, contentType) => {
      refuseCrowded(bytes, format === 'events' ? 'events' : 'lines');
      const text = readText(bytes, contentType);
      if (format === 'events') return splitEvents(text).map(read);
      return splitItems(format, text).map((one, index) => readJson(one, `/${index}`));
    },
    encode: (value) => writeItems(value).join(''),
    encodeItems: writeItems,
  };
}

function splitItems(format: 'lines' | 'records', text: string): readonly string[] {
  if (format === 'lines') return text.split('\n').filter((line) => line.trim() !== '');
  const [before = '', ...records] = text.split(RECORD_SEPARATOR);
  // RFC 7464 §2.1: each text is preceded by the separator.
  if (before.trim() !== '') {
    throw new Problem('MALFORMED_BODY', 'body must have U+001E before each JSON text');
  }
  return records.filter((record) => record.trim() !== '');
}

const RECORD_SEPARATOR = '\u001E';

function writeItem(format: SequenceFormat, item: JsonValue, description: Description): string {
  switch (format) {
    case 'lines':
      return `${stringifyJson(item)}\n`;
    case 'records':
      return `${RECORD_SEPARATOR}${stringifyJson(item)}\n`;
    case 'events':
      return writeEvent(item, description);
  }
}

/** Fields of an event (WHATWG HTML §9.2.5). */
const EVENT_FIELDS = ['event', 'id', 'retry', 'data'];

/** Returns true for a schema that describes the fields of an event, and nothing else. */
function isEventShape({ properties }: Shape): boolean {
  if (properties.size === 0) return true;
  return properties.has('data') && [...properties.keys()].every((name) => isField(name));
}

function isField(name: string): boolean {
  return EVENT_FIELDS.includes(name);
}

/** Writes an item as the data of an event, or as a whole event if its schema describes one. */
function writeEvent(item: JsonValue, { shape, eventName = '' }: Description): string {
  if (typeof item === 'string' && WRITTEN_EVENT.test(item)) return `${item.trimEnd()}\n\n`;
  const isEvent = isEventShape(shape.item(0)) && isJsonObject(item) && Object.hasOwn(item, 'data');
  const event: JsonObject = isEvent ? item : { data: item };
  const type = isJsonObject(item) && !isEvent ? getMember(item, eventName) : undefined;
  if (typeof type === 'string') event['event'] = type;
  const lines = EVENT_FIELDS.flatMap((name) => {
    const value = getMember(event, name);
    if (value === undefined) return [];
    return toText(value)
      .split(/\r\n|\r|\n/)
      .map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}

/** A text that is an event stream already, as examples are of schemas that say `type: string`. */
const WRITTEN_EVENT = /^(?:(?:event|id|retry|data)?:)/;

function splitEvents(text: string): readonly string[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n\n+/)
    .filter((event) => event.trim() !== '');
}

function readEvent(text: string, item: Shape): JsonValue {
  return mapMembers(readFields(text), (value, name) =>
    readScalar(toText(value), item.member(name)),
  );
}

/** Returns the data of an event: JSON, unless it is a text. */
function readData(text: string, isText: boolean): JsonValue {
  const { data = '' } = readFields(text);
  return isText ? data : parseJsonOrText(data);
}

function readFields(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (!isField(name)) continue;
    const known = fields[name];
    fields[name] = known === undefined ? value : `${known}\n${value}`;
  }
  return fields;
}
