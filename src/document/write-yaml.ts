import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';

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
