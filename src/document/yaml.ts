import { createRequire } from 'node:module';
import type { Event, Schema } from 'js-yaml';
import { readNumber } from '../base/json/number.ts';
import { MAXIMUM_DEPTH } from '../base/json/parse.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import { once } from '../base/remember.ts';
import type { Position } from './diagnostic.ts';

/** The first error of a text. */
interface YamlFault {
  readonly message: string;
  readonly position: Position;
}

const require = createRequire(import.meta.url);

/**
 * Returns the value of a YAML 1.2 text (core schema, and the merge key that documents use) with exact
 * numbers, or its first error.
 */
export function loadYaml(text: string): { readonly value: JsonValue } | YamlFault {
  const yaml = require('js-yaml') as Yaml;
  try {
    const events = parseYamlEvents(text);
    refuseExpansion(yaml, events, text);
    const documents = yaml.constructFromEvents(events, { schema: exactSchema(yaml), source: text });
    if (documents.length > 1) throw new RangeError('one document is read, here are several');
    return { value: (documents[0] ?? null) as JsonValue };
  } catch (error) {
    if (error instanceof yaml.YAMLException) {
      const { line = 0, column = 0 } = error.mark ?? {};
      return { message: error.reason, position: { line: line + 1, column: column + 1 } };
    }
    return { message: (error as Error).message, position: { line: 1, column: 1 } };
  }
}

/**
 * Returns a reader of parts of a text. It returns undefined for comments alone, and throws for faults,
 * and for aliases, as the text they refer to may be in another part.
 */
export function createPartReader(): (text: string) => JsonValue | undefined {
  const begin = once(() => {
    const yaml = require('js-yaml') as Yaml;
    return { yaml, schema: exactSchema(yaml) };
  });
  return (text) => {
    const { yaml, schema } = begin();
    const events = parseYamlEvents(text);
    const hasAlias = events.some(({ type }) => type === yaml.EVENT_ID.ALIAS);
    if (hasAlias) throw new yaml.YAMLException('an alias');
    const [value, ...others] = yaml.constructFromEvents(events, { schema, source: text });
    if (others.length > 0) throw new yaml.YAMLException('several documents');
    return value as JsonValue | undefined;
  };
}

/**
 * Returns the parser's events, which are in the order of the text. Depth is bounded while they are
 * read, so that no text overflows the stack.
 *
 * @throws {YAMLException} for a text that is not YAML, or nested too deep
 */
export function parseYamlEvents(text: string): Event[] {
  const yaml = require('js-yaml') as Yaml;
  return yaml.parseEvents(text, { maxDepth: MAXIMUM_DEPTH });
}

type Yaml = typeof import('js-yaml');

function exactSchema(yaml: Yaml): Schema {
  return yaml.CORE_SCHEMA.withTags(exactInteger(yaml), exactFloat(yaml), yaml.mergeTag);
}

function exactInteger({ defineScalarTag, intCoreTag, NOT_RESOLVED }: Yaml) {
  return defineScalarTag<JsonValue>(intCoreTag.tagName, {
    ...intCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = intCoreTag.resolve(source, isExplicit, tagName);
      if (value === NOT_RESOLVED || Number.isSafeInteger(value)) return value;
      const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(source) ?? [];
      return sign === '-' ? -BigInt(digits) : BigInt(digits);
    },
  });
}

/** Decimals of at most this many digits are exact as doubles. */
const SAFE_DECIMAL_LENGTH = 15;

function exactFloat({ defineScalarTag, floatCoreTag, NOT_RESOLVED }: Yaml) {
  return defineScalarTag<JsonValue>(floatCoreTag.tagName, {
    ...floatCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = floatCoreTag.resolve(source, isExplicit, tagName);
      if (value === NOT_RESOLVED) return value;
      if (!Number.isFinite(value)) throw new RangeError(`${source} is not a JSON value`);
      const isLong = source.length > SAFE_DECIMAL_LENGTH;
      return (isLong ? readNumber(source) : undefined) ?? value;
    },
  });
}

/**
 * The most values, counting each use of an alias: few lines can make more values than fit into
 * memory.
 */
const MOST_VALUES = 5_000_000;

/** A long text counts as several values of this many characters. */
const CHARACTERS_OF_VALUE = 16;

/** How large a value is once its aliases are followed. */
interface Extent {
  values: number;
  depth: number;
}

/** A collection or a document whose end is not read yet. */
interface Open extends Extent {
  /** Empty without one. */
  readonly anchor: string;
  /** Offset in the text. */
  readonly start: number;
}

/**
 * Follows the aliases of a text without making their values.
 *
 * @throws {YAMLException} for aliases that repeat too many values or nest them too deep, and for an
 *   alias inside its own anchor
 */
function refuseExpansion(yaml: Yaml, events: readonly Event[], text: string): void {
  const { SCALAR, ALIAS, POP } = yaml.EVENT_ID;
  if (!events.some(({ type }) => type === ALIAS)) return;
  const anchors = new Map<string, Extent | 'open'>();
  const opened: Open[] = [];
  const refuse = (start: number, message: string): never =>
    yaml.YAMLException.throwAt(text, Math.max(start, 0), message);
  /** Adds a part to the collection around it. */
  const add = (part: Extent, anchor: string, start: number): void => {
    anchors.set(anchor, part);
    const around = opened.at(-1);
    if (around === undefined) return;
    around.values += part.values;
    around.depth = Math.max(around.depth, part.depth);
    if (around.values > MOST_VALUES) {
      refuse(start, `aliases repeat more than ${MOST_VALUES} values`);
    }
    if (part.depth > MAXIMUM_DEPTH) {
      refuse(start, `aliases nest values deeper than ${MAXIMUM_DEPTH}`);
    }
  };
  /** Adds what an alias names; making the values reports one that names nothing. */
  const follow = (anchor: string, start: number): void => {
    const target = anchors.get(anchor);
    if (target === 'open') refuse(start, 'an alias is inside its own anchor');
    else if (target !== undefined) add(target, anchor, start);
  };
  for (const event of events) {
    const start = 'anchorStart' in event ? event.anchorStart : -1;
    const anchor = 'anchorStart' in event ? text.slice(start, event.anchorEnd) : '';
    if (event.type === POP) {
      const { values = 0, depth = 0, ...around } = opened.pop() ?? { anchor, start };
      add({ values: values + 1, depth: depth + 1 }, around.anchor, around.start);
    } else if (event.type === ALIAS) follow(anchor, start);
    else if (event.type === SCALAR) {
      const values = 1 + Math.floor((event.valueEnd - event.valueStart) / CHARACTERS_OF_VALUE);
      add({ values, depth: 0 }, anchor, start);
    } else {
      anchors.set(anchor, 'open');
      opened.push({ anchor, start, values: 0, depth: 0 });
    }
  }
}

/** Returns a value as YAML, in time linear to its size; every number keeps its exact value. */
export function writeYaml(value: JsonValue): string {
  return `${writeBelow(value, '').replace(/^[\n ]/, '')}\n`;
}

/** Returns a value with the white space between it and its key. */
function writeBelow(value: JsonValue, indent: string): string {
  const below = `\n${indent}`;
  if (Array.isArray(value) && value.length > 0) {
    return value.map((item) => `${below}-${inItem(writeBelow(item, `${indent}  `))}`).join('');
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    const members = Object.entries(value).map(
      ([key, member]) => `${below}${writeText(key)}:${writeBelow(member, `${indent}  `)}`,
    );
    return members.join('');
  }
  if (typeof value !== 'string') return ` ${stringifyJson(value)}`;
  return ` ${isBlock(value) ? writeBlock(value, indent) : writeText(value)}`;
}

/** Returns what follows the dash of an item: its first member is on the same line. */
function inItem(text: string): string {
  return text.replace(/^\n +/, ' ');
}

/** Matches a text that means itself without quotes, in YAML 1.1 too. */
const PLAIN = /^(?:[A-Za-z_$/][\w $/.{},()+-]*[\w/})+]|[A-Za-z])$/;
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Every JSON string is a double-quoted scalar (YAML 1.2 §1.3). */
function writeText(text: string): string {
  return PLAIN.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text);
}

/** Matches characters that a parser may change, and ends that a literal block loses. */
const OUTSIDE_BLOCK =
  /[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|\n\s*\n$|\n\s*$(?<!\S\n)/u;

/** Returns true for lines that a literal block holds as they are. */
function isBlock(text: string): boolean {
  return /^[^\s].*\n/.test(text) && !OUTSIDE_BLOCK.test(text);
}

function writeBlock(text: string, indent: string): string {
  const lines = text.endsWith('\n') ? text.slice(0, -1) : text;
  const isEnded = lines !== text;
  const shown = lines.split('\n').map((line) => (line === '' ? '' : `${indent || '  '}${line}`));
  return `${isEnded ? '|' : '|-'}\n${shown.join('\n')}`;
}
