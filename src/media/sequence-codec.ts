import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { readText } from './charset.ts';
import type { Codec, Description } from './codec.ts';
import { refuseCrowded } from './crowding.ts';
import { readJson } from './json-codec.ts';
import { readScalar } from './shape.ts';
import { toText } from './text-codec.ts';

/** A format of sequential media types (OAS 3.2 §4.14.3). */
type SequenceFormat = 'lines' | 'records' | 'events';

/** Returns the format of a media type; undefined for one that is not sequential. */
export function sequenceFormat(type: string): SequenceFormat | undefined {
  switch (type) {
    case 'application/jsonl':
    case 'application/x-jsonlines':
    case 'application/x-ndjson':
    case 'application/ndjson':
      return 'lines';
    case 'application/json-seq':
    case 'application/geo+json-seq':
      return 'records';
    case 'text/event-stream':
      return 'events';
    default:
      return undefined;
  }
}

/** A sequential media type, whose value is the list of its items. */
export function createSequenceCodec(format: SequenceFormat, { shape }: Description): Codec {
  const write = (item: JsonValue): string => writeItem(format, item);
  return {
    // Events that the schema does not describe as objects are free text.
    isValidated: format !== 'events' || shape.types.has('object') || shape.types.has('array'),
    decode: (bytes, contentType) => {
      refuseCrowded(bytes, format === 'events' ? 'events' : 'lines');
      const text = readText(bytes, contentType);
      if (format === 'events') return splitEvents(text).map((event) => readEvent(event, shape));
      return splitItems(format, text).map(readJson);
    },
    encode: (value) => [value].flat().map(write).join(''),
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

function writeItem(format: SequenceFormat, item: JsonValue): string {
  switch (format) {
    case 'lines':
      return `${stringifyJson(item)}\n`;
    case 'records':
      return `${RECORD_SEPARATOR}${stringifyJson(item)}\n`;
    case 'events':
      return writeEvent(item);
  }
}

/** Fields of an event (WHATWG HTML §9.2.5). */
const EVENT_FIELDS = ['event', 'id', 'retry', 'data'];

/** Writes an object with the members of an event as one, and anything else as its data. */
function writeEvent(item: JsonValue): string {
  const isEvent = isJsonObject(item) && EVENT_FIELDS.some((name) => Object.hasOwn(item, name));
  const event: JsonObject = isEvent ? item : { data: item };
  const lines = EVENT_FIELDS.flatMap((name) => {
    const value = getMember(event, name);
    if (value === undefined) return [];
    return toText(value)
      .split(/\r\n|\r|\n/)
      .map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}

function splitEvents(text: string): readonly string[] {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n\n+/)
    .filter((event) => event.trim() !== '');
}

function readEvent(text: string, shape: Description['shape']): JsonValue {
  const event: JsonObject = {};
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (!EVENT_FIELDS.includes(name)) continue;
    const known = event[name];
    event[name] = known === undefined ? value : `${String(known)}\n${value}`;
  }
  for (const [name, value] of Object.entries(event)) {
    event[name] = readScalar(String(value), shape.item(0).member(name));
  }
  return event;
}
