import { Decimal, isJsonObject, type JsonValue } from '../base/json/value.ts';

/** A member of an object type, as TypeScript writes it. */
export interface MemberText {
  readonly key: string;
  readonly isOptional: boolean;
  readonly type: string;
  /** What is said of it; empty for nothing. */
  readonly comment: string;
}

/** @returns `{ … }` with a member a line; without a member, the object that has none */
export function writeObject(members: readonly string[]): string {
  if (members.length === 0) return writeObject(['[key: string]: never;']);
  return `{\n${members.map((member) => indent(member)).join('\n')}\n}`;
}

/** @returns one member, its comment before it */
export function writeMember({ key, isOptional, type, comment }: MemberText): string {
  const start = `${writeKey(key)}${isOptional ? '?' : ''}:`;
  return `${writeComment(comment)}${start}${writeAfter(start, type)};`;
}

/** @returns the type as it stands behind a start: a long union has an alternative a line */
export function writeAfter(start: string, type: string): string {
  const isLong = start.length + type.length > LONGEST_LINE && !type.includes('\n');
  const alternatives = isLong ? splitUnion(type) : [];
  if (alternatives.length < 2) return ` ${type}`;
  return indent(alternatives.map((one) => `\n| ${one}`).join(''));
}

/** With what may stand before it. */
const LONGEST_LINE = 90;

/** @returns the key as it stands in an object type: quoted where it is no identifier */
function writeKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$|^(?:0|[1-9]\d{0,14})$/.test(key) ? key : writeText(key);
}

/** @returns a documentation comment with its line's end; nothing for an empty text */
export function writeComment(text: string): string {
  const lines = text
    .replaceAll('*/', '*\\/')
    .replaceAll(UNPRINTABLE, ' ')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
  const [first = '', ...rest] = lines;
  if (first === '') return '';
  if (rest.length === 0) return `/** ${first} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Line ends of every kind but `\n`, and controls: an editor shows none of them. */
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** @returns the type that has this value only */
export function writeLiteral(value: JsonValue): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Decimal) return 'number';
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value).map(([key, member]) =>
    writeMember({ key, isOptional: false, type: writeLiteral(member), comment: '' }),
  );
  return writeObject(members);
}

/** @returns a text between single quotes */
function writeText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** @returns what is one or the other, each once; `never` for nothing */
export function uniteTypes(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== 'never');
  if (known.includes('unknown')) return 'unknown';
  return known.length === 0 ? 'never' : known.join(' | ');
}

/** @returns what is all of them at once; `unknown` for nothing */
export function intersectTypes(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== 'unknown');
  if (known.includes('never')) return 'never';
  const [only = 'unknown'] = known;
  return known.length <= 1 ? only : known.map(bracket).join(' & ');
}

/** @returns the type of a list of these */
export function writeList(items: string): string {
  return `${bracket(items)}[]`;
}

/** A type that is made of several stands in brackets where it becomes a part of another. */
function bracket(type: string): string {
  return isCompound(type) ? `(${type})` : type;
}

/** True where `|` or `&` stands outside of all brackets, quotes and comments. */
function isCompound(type: string): boolean {
  for (const { character } of outerCharacters(type)) {
    if (character === '|' || character === '&') return true;
  }
  return false;
}

/** @returns the alternatives of a type that has no comments in it */
function splitUnion(type: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { character, index } of outerCharacters(type)) {
    if (character !== '|') continue;
    parts.push(type.slice(start, index).trim());
    start = index + 1;
  }
  return [...parts, type.slice(start).trim()];
}

/** The characters outside of all brackets, quotes and comments. */
function* outerCharacters(type: string) {
  let depth = 0;
  for (const match of type.matchAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|[{}[\]()|&]/g)) {
    const [character] = match;
    if ('{[('.includes(character)) depth++;
    else if ('}])'.includes(character)) depth--;
    else if (depth === 0) yield { character, index: match.index };
  }
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** The names of one file: each is a legal name of a type, and no two are the same. */
export class TypeNames {
  readonly #taken = new Set<string>();

  /**
   * @param wishes texts that the name may come of, best first
   * @returns the first that is free; otherwise the first one with a number
   */
  take(...wishes: readonly [string, ...string[]]): string {
    const names = wishes.map(toTypeName);
    const [first = ''] = names;
    const free = names.find((name) => !this.#taken.has(name)) ?? this.#number(first);
    this.#taken.add(free);
    return free;
  }

  #number(name: string): string {
    for (let number = 2; ; number++) {
      const numbered = `${name}${number}`;
      if (!this.#taken.has(numbered)) return numbered;
    }
  }
}

/**
 * `plant-store` is `PlantStore`. With its capital, no name is one of TypeScript's own words.
 *
 * @returns letters, digits and underlines, a capital first
 */
function toTypeName(text: string): string {
  const words = text.normalize('NFKD').split(/[^A-Za-z0-9_]+/);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (name === '') return 'Type';
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}
