/** An element as it is written: names with their prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Character data of its own, joined. */
  readonly text: string;
}

const TOKEN =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

interface OpenElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: OpenElement[];
  text: string;
}

/** Reads XML 1.0 without a document type. @throws {SyntaxError} where it is not well-formed */
export function readXml(source: string): XmlElement {
  const root: OpenElement = { name: '', attributes: new Map(), children: [], text: '' };
  const open = [root];
  const tokens = new RegExp(TOKEN);
  const text = source.replace(/^\uFEFF/, '');
  while (tokens.lastIndex < text.length) {
    const token = tokens.exec(text);
    if (token === null) throw new SyntaxError('not well-formed');
    take(token, open);
  }
  const [only, ...others] = root.children;
  if (only === undefined || others.length > 0 || open.length > 1 || root.text.trim() !== '') {
    throw new SyntaxError('there must be one root element');
  }
  return only;
}

function take(token: RegExpExecArray, open: OpenElement[]): void {
  const [, data, closing, opening, attributes = '', isEmpty, characters] = token;
  const current = open.at(-1);
  if (current === undefined) throw new SyntaxError('an element is closed that is not open');
  if (data !== undefined) current.text += data;
  else if (characters !== undefined) current.text += decodeEntities(characters);
  else if (closing !== undefined) {
    if (current.name !== closing) throw new SyntaxError(`</${closing}> closes <${current.name}>`);
    open.pop();
  } else if (opening !== undefined) {
    const element: OpenElement = { name: opening, attributes: new Map(), children: [], text: '' };
    for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
      element.attributes.set(name, decodeEntities(double ?? single ?? ''));
    }
    current.children.push(element);
    if (isEmpty !== '/') open.push(element);
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(#x?)?([^;\s&]*);?/g, (whole, hash: string | undefined, name: string) => {
    if (hash !== undefined)
      return String.fromCodePoint(Number.parseInt(name, hash === '#' ? 10 : 16));
    const character = ENTITIES[name];
    if (character === undefined) throw new SyntaxError(`${whole} is no entity`);
    return character;
  });
}

/** @returns character data or an attribute's value with what XML reserves written as entities */
export function escapeXml(text: string): string {
  return text.replace(/[<>&"'\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
}
