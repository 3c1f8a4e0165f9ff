import { type Description, NotJudged, type Place } from './description.ts';
import { toText } from './encode-style.ts';
import { isMembers, type Json, type JsonMembers, member, setMember } from './json.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';
import { escapeXml, readXml, type XmlElement } from './xml-text.ts';

/** OAS 3.1 §4.8.26: how a schema is written in XML. */
class XmlForm {
  readonly view: SchemaView;
  readonly #xml: JsonMembers;
  readonly #fallback: string;

  constructor(view: SchemaView, fallback: string) {
    this.view = view;
    this.#xml = view.xml;
    this.#fallback = fallback;
  }

  get isAttribute(): boolean {
    return this.#xml['attribute'] === true || this.#xml['nodeType'] === 'attribute';
  }

  get isWrapped(): boolean {
    return this.#xml['wrapped'] === true || this.#xml['nodeType'] === 'element';
  }

  get isArray(): boolean {
    return this.view.types?.includes('array') ?? this.view.items !== undefined;
  }

  /** Without prefix. */
  get name(): string {
    return this.ownName ?? this.#fallback;
  }

  get ownName(): string | undefined {
    const { name } = this.#xml;
    return typeof name === 'string' ? name : undefined;
  }

  get prefixed(): string {
    const { prefix } = this.#xml;
    return typeof prefix === 'string' ? `${prefix}:${this.name}` : this.name;
  }

  /** The declaration of its namespace, with a space before it. */
  get declaration(): string {
    const { prefix, namespace } = this.#xml;
    if (typeof namespace !== 'string') return '';
    const name = typeof prefix === 'string' ? `xmlns:${prefix}` : 'xmlns';
    return ` ${name}="${escapeXml(namespace)}"`;
  }
}

/** Writes values as XML, and reads them, by their schemas. */
export class XmlValues {
  readonly #description: Description;

  constructor(description: Description) {
    this.#description = description;
  }

  /** @throws {NotJudged} for a value that has no XML of its own */
  write(place: Place, value: Json): string {
    const form = this.#form(place, this.#nameOf(place), 0);
    if (Array.isArray(value)) {
      const root = form.ownName ?? 'root';
      return `<${root}>${this.#writeItems(form, value)}</${root}>`;
    }
    return this.#writeElement(form, value);
  }

  /** @returns what the text may stand for, one value for each branch of its unions */
  read(place: Place, text: string): Json[] {
    let root: XmlElement;
    try {
      root = readXml(text);
    } catch {
      return [];
    }
    const readings = Array.from({ length: 6 }, (_, branch) => {
      const form = this.#form(place, root.name, branch);
      if (form.isArray) return this.#readItems(form, root.children, branch);
      return this.#readElement(form, root, branch);
    });
    // A schema of strings may mean the document as it is written.
    return [...readings, text];
  }

  #form(place: Place, fallback: string, branch: number): XmlForm {
    return new XmlForm(viewSchema(this.#description, place, branch), fallback);
  }

  #nameOf(place: Place): string {
    const reference = member(this.#description.at(place)?.value, '$ref');
    return typeof reference === 'string' ? (reference.split('/').at(-1) ?? 'root') : 'root';
  }

  #writeElement(form: XmlForm, value: Json): string {
    const name = form.prefixed;
    if (!isXmlName(name)) throw new NotJudged('a name that XML cannot have');
    if (value === null) throw new NotJudged('null in XML');
    if (!isMembers(value)) {
      if (Array.isArray(value)) throw new NotJudged('an array of arrays in XML');
      return `<${name}${form.declaration}>${escapeXml(toText(value))}</${name}>`;
    }
    let attributes = form.declaration;
    let content = '';
    for (const [key, item] of Object.entries(value)) {
      const place = form.view.properties.get(key) ?? form.view.additional;
      const inner = place === undefined ? plainForm(key) : this.#form(place, key, 0);
      if (inner.isAttribute && typeof item !== 'object') {
        attributes += `${inner.declaration} ${inner.prefixed}="${escapeXml(toText(item))}"`;
      } else content += this.#writeMember(inner, item);
    }
    return `<${name}${attributes}>${content}</${name}>`;
  }

  #writeMember(form: XmlForm, value: Json): string {
    if (!Array.isArray(value)) return this.#writeElement(form, value);
    const items = this.#writeItems(form, value);
    return form.isWrapped ? `<${form.prefixed}>${items}</${form.prefixed}>` : items;
  }

  #writeItems(form: XmlForm, items: readonly Json[]): string {
    if (items.length === 0 && !form.isWrapped) throw new NotJudged('an empty array in XML');
    const item = form.view.items;
    const inner = item === undefined ? plainForm(form.name) : this.#form(item, form.name, 0);
    return items.map((one) => this.#writeElement(inner, one)).join('');
  }

  #readElement(form: XmlForm, element: XmlElement, branch: number): Json {
    if (isNil(element)) return null;
    const isScalar = element.children.length === 0 && !isObject(form.view);
    if (isScalar) return readScalar(element.text, form.view);
    const object: JsonMembers = {};
    const rest = new Set(element.children);
    for (const [key, place] of form.view.properties) {
      const inner = this.#form(place, key, branch);
      const value = this.#readMember(inner, element, rest, branch);
      if (value !== undefined) setMember(object, key, value);
      // Without an element around it, nothing is written of an empty list.
      else if (form.view.required.has(key) && inner.isArray && !inner.isWrapped) {
        setMember(object, key, []);
      }
    }
    for (const child of rest) {
      const place = form.view.additional;
      const inner =
        place === undefined ? plainForm(child.name) : this.#form(place, child.name, branch);
      setMember(object, child.name, this.#readElement(inner, child, branch));
    }
    return object;
  }

  #readMember(
    form: XmlForm,
    element: XmlElement,
    rest: Set<XmlElement>,
    branch: number,
  ): Json | undefined {
    if (form.isAttribute && !isObject(form.view)) {
      const text = find(element.attributes, form.name);
      return text === undefined ? undefined : readScalar(text, form.view);
    }
    const isListed = form.isArray && !form.isWrapped;
    const name = isListed ? this.#itemName(form, branch) : form.name;
    const children = element.children.filter((child) => localName(child.name) === name);
    for (const child of children) rest.delete(child);
    const [first] = children;
    if (first === undefined) return undefined;
    if (isListed && isNil(first)) return null;
    if (isListed) return this.#readItems(form, children, branch);
    if (form.isArray) return this.#readItems(form, first.children, branch);
    return this.#readElement(form, first, branch);
  }

  #itemName(form: XmlForm, branch: number): string {
    const { items } = form.view;
    return items === undefined ? form.name : this.#form(items, form.name, branch).name;
  }

  #readItems(form: XmlForm, children: readonly XmlElement[], branch: number): Json[] {
    const { items } = form.view;
    const inner = items === undefined ? plainForm(form.name) : this.#form(items, form.name, branch);
    return children.map((child) => this.#readElement(inner, child, branch));
  }
}

const NO_VIEW: SchemaView = {
  types: undefined,
  keywords: {},
  xml: {},
  properties: new Map(),
  required: new Set(),
  items: undefined,
  prefixItems: [],
  additional: undefined,
  given: [],
  tags: new Map(),
};

function plainForm(name: string): XmlForm {
  return new XmlForm(NO_VIEW, name);
}

function isNil({ attributes }: XmlElement): boolean {
  return attributes.get('xsi:nil') === 'true';
}

function isObject({ types, properties }: SchemaView): boolean {
  return types?.includes('object') ?? properties.size > 0;
}

function isXmlName(name: string): boolean {
  return /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/.test(name);
}

function localName(name: string): string {
  return name.replace(/^[^:]*:/, '');
}

function find(attributes: ReadonlyMap<string, string>, name: string): string | undefined {
  for (const [key, value] of attributes) if (localName(key) === name) return value;
  return undefined;
}

function readScalar(text: string, { types, keywords }: SchemaView): Json {
  const listed = keywords['enum'];
  const isListed = Array.isArray(listed) && listed.some((one) => typeof one === 'number');
  const isNumber = types?.some((type) => type === 'integer' || type === 'number') ?? isListed;
  if (isNumber && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text.trim())) return Number(text);
  if (types?.includes('boolean') === true && /^\s*(?:true|false)\s*$/.test(text)) {
    return text.trim() === 'true';
  }
  return text;
}
