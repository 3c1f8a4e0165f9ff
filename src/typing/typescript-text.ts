import { Decimal, isJsonObject, type JsonValue } from '../base/json/value.ts';

/** Returns `{ … }` with a member on each line; without members, the type of an empty object. */
export function writeObject(members: readonly string[]): string {
  if (members.length === 0) return writeObject(['[key: string]: never;']);
  return `{\n${members.map((member) => indent(member)).join('\n')}\n}`;
}

export function writeMember(key: string, type: string, isOptional = false, comment = ''): string {
  const start = `${writeKey(key)}${isOptional ? '?' : ''}:`;
  return `${writeComment(comment)}${start}${writeAfter(start, type)};`;
}

/** Returns a type to write after a start: a long union has an alternative on each line. */
export function writeAfter(start: string, type: string): string {
  const isLong = start.length + type.length > LONGEST_LINE && !type.includes('\n');
  const alternatives = isLong ? splitUnion(type) : [];
  if (alternatives.length < 2) return ` ${type}`;
  return indent(alternatives.map((one) => `\n| ${one}`).join(''));
}

const LONGEST_LINE = 90;

/** Returns a key of an object type, quoted unless it is an identifier. */
function writeKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$|^(?:0|[1-9]\d{0,14})$/.test(key) ? key : writeText(key);
}

/** Returns a documentation comment with its line end; nothing for an empty text. */
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

/** Controls and all line ends except `\n`, which editors do not show. */
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Returns the type that has only this value. */
export function writeLiteral(value: JsonValue): string {
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Decimal) return 'number';
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.entries(value);
  return writeObject(members.map(([key, member]) => writeMember(key, writeLiteral(member))));
}

function writeText(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** Returns the union of types, each once; `never` for none. */
export function uniteTypes(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== 'never');
  if (known.includes('unknown')) return 'unknown';
  return known.length === 0 ? 'never' : known.join(' | ');
}

/** Returns the intersection of types; `unknown` for none. */
export function intersectTypes(types: readonly string[]): string {
  const known = [...new Set(types)].filter((type) => type !== 'unknown');
  if (known.includes('never')) return 'never';
  const [only = 'unknown'] = known;
  return known.length <= 1 ? only : known.map(bracket).join(' & ');
}

export function writeList(items: string): string {
  return `${bracket(items)}[]`;
}

/** Adds parentheses to a compound type, for use in another type. */
function bracket(type: string): string {
  const isSimple = outerCharacters(type).next().done === true;
  return isSimple ? type : `(${type})`;
}

/** Returns the alternatives of a type without comments. */
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

/** Yields each `|` and `&` outside of all brackets, quotes and comments. */
function* outerCharacters(type: string) {
  let depth = 0;
  for (const match of type.matchAll(/\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\.)*'|[{}[\]()|&]/g)) {
    const [character] = match;
    if ('{[('.includes(character)) depth++;
    else if ('}])'.includes(character)) depth--;
    else if (depth === 0 && '|&'.includes(character)) yield { character, index: match.index };
  }
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** The type names of one file, which are legal and unique. */
export class TypeNames {
  readonly #taken = new Set<string>();

  /** Takes the first of these names that is free; if none is, the first of all with a number. */
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
 * Returns `PlantStore` for `plant-store`: letters, digits and underscores with a first capital, so that
 * no name is a reserved word.
 */
function toTypeName(text: string): string {
  const words = text.normalize('NFKD').split(/[^A-Za-z0-9_]+/);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (name === '') return 'Type';
  return /^[A-Z]/.test(name) ? name : `Type${name}`;
}
