import { toPath, toPointer } from '../base/json/pointer.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../base/json/value.ts';
import type { Entry, OpenAPIDocument } from '../document/document.ts';
import { METHODS } from '../document/listed-paths.ts';
import { type Place, splitPlace } from '../document/place.ts';
import { followReference } from '../document/source-document.ts';
import { subschemaKeywords } from '../schema/schema-keywords.ts';
import type { OperationPlace } from './operation.ts';

/**
 * Returns one of the documents as one file: what it refers to in other files is among its
 * components. OpenAPI 2.0 comes as 3.0.
 *
 * @param url where the mock serves it, in place of its `servers`
 */
export function bundle(document: OpenAPIDocument, { place }: Entry, url: string): JsonObject {
  const { openapi = null, info = null, servers: _, ...rest } = toObject(document.at(place));
  const bundler = new Bundler(document, splitPlace(place).file);
  return { openapi, info, servers: [{ url }], ...bundler.copyRoot(rest, place) };
}

/** Returns a document of one operation, with the components that it refers to. */
export function bundleOperation(
  document: OpenAPIDocument,
  { root, path, method, pathItem, pointer }: OperationPlace,
  url: string,
): JsonObject {
  const { openapi = null, info = null, security = [] } = toObject(document.at(root));
  const bundler = new Bundler(document);
  const copyEach = (place: Place, section: string): JsonObject => {
    const members = document.at(place);
    return members === undefined ? {} : { [section]: bundler.copyEach(members, place, section) };
  };
  const operation = bundler.copy(document.at(pointer) ?? {}, pointer, '');
  const name = method.toLowerCase();
  const isFixed = METHODS.includes(name);
  const item = {
    ...copyEach(`${pathItem}/parameters`, 'parameters'),
    ...(isFixed ? { [name]: operation } : { additionalOperations: { [method]: operation } }),
  };
  const components = copyEach(`${root}/components/securitySchemes`, 'securitySchemes');
  bundler.addComponents(components);
  return { openapi, info, servers: [{ url }], security, paths: { [path]: item }, components };
}

/** The members whose values, by name or in a list, may be references to one kind of component. */
const SECTIONS: ReadonlySet<string> = new Set([
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
]);

/** The kind of component that the value of a member may refer to. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['schema', 'schemas'],
  ['itemSchema', 'schemas'],
  ['requestBody', 'requestBodies'],
]);

/** Members whose names are not those of OpenAPI. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['paths', 'pathItems'],
  ['webhooks', 'pathItems'],
  ['content', ''],
  ['encoding', ''],
]);

/** Members that hold data, in which `$ref` is a name like any other. */
const DATA: ReadonlySet<string> = new Set(['example', 'value', 'default', 'enum', 'const']);

class Bundler {
  readonly #document: OpenAPIDocument;
  /** The file whose references stay as they are; undefined for none. */
  readonly #kept: number | undefined;
  /** Names in use, as `#/components/{section}/{name}`. */
  readonly #names = new Set<string>();
  readonly #references = new Map<string, string>();
  readonly #added: { section: string; name: string; target: Place }[] = [];
  /** Places that are being copied in place of a reference. */
  readonly #around = new Set<Place>();

  constructor(document: OpenAPIDocument, kept?: number) {
    this.#document = document;
    this.#kept = kept;
  }

  copyRoot(members: JsonObject, root: Place): JsonObject {
    for (const section of SECTIONS) {
      const at = `${root}/components/${section}`;
      for (const name of Object.keys(toObject(this.#document.at(at)))) {
        this.#names.add(nameComponent(section, name));
      }
    }
    const copy = toObject(this.#copyObject(members, root));
    const components = toObject(copy['components']);
    this.addComponents(components);
    return this.#added.length === 0 ? copy : { ...copy, components };
  }

  /** Adds the components that the copies refer to. */
  addComponents(components: JsonObject): void {
    // Copying a component may add another one.
    for (const { section, name, target } of this.#added) {
      const all = toObject(components[section]);
      const value = this.#document.at(target) ?? {};
      components[section] = all;
      setMember(all, name, this.copy(value, target, section));
    }
  }

  /** @param section the kind of component that a reference here leads to; `''` for none */
  copy(value: JsonValue, place: Place, section: string): JsonValue {
    if (Array.isArray(value)) return this.copyEach(value, place, section);
    if (!isJsonObject(value)) return value;
    if (typeof value['$ref'] === 'string') return this.#copyReference(value, place, section);
    if (section === 'schemas') return this.#copySchema(value, place);
    if (section === 'callbacks') return this.copyEach(value, place, 'pathItems');
    return this.#copyObject(value, place);
  }

  copyEach(value: JsonValue, place: Place, section: string): JsonValue {
    if (Array.isArray(value)) {
      return value.map((item, index) => this.copy(item, `${place}/${index}`, section));
    }
    if (!isJsonObject(value)) return value;
    if (typeof value['$ref'] === 'string') return this.#copyReference(value, place, section);
    return mapMembers(value, (member, name) =>
      this.copy(member, place + toPointer([name]), section),
    );
  }

  /** Copies an object of OpenAPI without its servers, which lead past the mock. */
  #copyObject({ servers: _, ...object }: JsonObject, place: Place): JsonValue {
    return mapMembers(object, (member, name) => {
      const at = place + toPointer([name]);
      if (DATA.has(name) || name.startsWith('x-')) return member;
      const section = SECTIONS.has(name) ? name : NAMED.get(name);
      if (section !== undefined) return this.copyEach(member, at, section);
      return this.copy(member, at, KINDS.get(name) ?? '');
    });
  }

  #copySchema(schema: JsonObject, place: Place): JsonValue {
    return mapMembers(schema, (member, keyword) => {
      const at = place + toPointer([keyword]);
      if (keyword === 'discriminator') return this.#copyDiscriminator(member, place);
      if (keyword === '$defs' || keyword === 'definitions') {
        return this.copyEach(member, at, 'schemas');
      }
      const form = subschemaKeywords.get(keyword);
      if (form === undefined) return member;
      return form === 'schema'
        ? this.copy(member, at, 'schemas')
        : this.copyEach(member, at, 'schemas');
    });
  }

  /** In OpenAPI 2.0, a discriminator is the name of the property alone. */
  #copyDiscriminator(value: JsonValue, schema: Place): JsonValue {
    if (typeof value === 'string') return { propertyName: value };
    if (!isJsonObject(value) || !isJsonObject(value['mapping'])) return value;
    const mapping = mapMembers(value['mapping'], (target) =>
      typeof target === 'string' && /[./]/.test(target)
        ? (this.#refer(target, schema, 'schemas') ?? target)
        : target,
    );
    return { ...value, mapping };
  }

  #copyReference(value: JsonObject, place: Place, section: string): JsonValue {
    const reference = String(value['$ref']);
    if (this.#isKept(place) && reference.startsWith('#/')) return value;
    if (section !== '' && section !== 'pathItems') {
      return { ...value, $ref: this.#refer(reference, place, section) ?? reference };
    }
    // OpenAPI 3.0 has no components of these kinds: a copy takes the place of the reference.
    const target = this.#find(reference, place);
    if (target === undefined || this.#around.has(target)) return value;
    this.#around.add(target);
    const { $ref: _, ...siblings } = value;
    const found = toObject(this.copy(this.#document.at(target) ?? {}, target, section));
    this.#around.delete(target);
    return { ...found, ...toObject(this.#copyObject(siblings, place)) };
  }

  /** Returns a reference within the bundle; undefined for one that leads to nothing. */
  #refer(reference: string, from: Place, section: string): string | undefined {
    const target = this.#find(reference, from);
    if (target === undefined) return undefined;
    const { pointer } = splitPlace(target);
    if (this.#isKept(target)) return `#${encodeURI(pointer)}`;
    const key = `${section} ${target}`;
    const known = this.#references.get(key);
    if (known !== undefined) return known;
    const name = this.#chooseName(section, toPath(pointer).at(-1) ?? this.#fileNameOf(target));
    const made = nameComponent(section, name);
    this.#names.add(made);
    this.#references.set(key, made);
    this.#added.push({ section, name, target });
    return made;
  }

  #find(reference: string, from: Place): Place | undefined {
    const target = followReference(this.#document, reference, from);
    return target === undefined ? undefined : this.#document.find(target)?.pointer;
  }

  #isKept(place: Place): boolean {
    return splitPlace(place).file === this.#kept;
  }

  /** The names of components have these characters only (OAS 3.1 §4.8.7). */
  #chooseName(section: string, wanted: string): string {
    const plain = wanted.replaceAll(/[^\w.-]/g, '_') || section;
    for (let count = 1; ; count++) {
      const name = count === 1 ? plain : `${plain}-${count}`;
      if (!this.#names.has(nameComponent(section, name))) return name;
    }
  }

  #fileNameOf(place: Place): string {
    const { file } = this.#document.whereIs(place);
    return file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  }
}

function nameComponent(section: string, name: string): string {
  return `#/components/${section}/${name}`;
}

function toObject(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}
