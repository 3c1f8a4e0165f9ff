import { toPath, toPointer } from '../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { decodePercent } from '../http/query.ts';
import { type Diagnostic, DiagnosticError, type Position, type Severity } from './diagnostic.ts';
import type { Place } from './place.ts';
import { type SchemaDialect, upgradeSchema } from './schema-dialect.ts';
import type { Source } from './source.ts';

/** A value of the document with its pointer, after following references. */
export interface Located<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly pointer: string;
}

/** A schema resource that has dynamic anchors. */
export interface DynamicAnchors {
  readonly resource: string;
  /** Pointers of schemas by `$dynamicAnchor`. */
  readonly anchors: ReadonlyMap<string, string>;
}

/** The file, the position and the pointer of a value. */
export type Whereabouts = Pick<Diagnostic, 'file' | 'position' | 'pointer'>;

/** A file's value: resolves references in it, and reports faults with their position. */
export class SourceDocument {
  readonly file: string;
  readonly root: JsonValue;
  readonly #source: Source;
  readonly #schemas = new WeakMap<JsonObject, JsonObject>();

  constructor(source: Source) {
    this.#source = source;
    this.file = source.file;
    this.root = source.value;
  }

  /** Returns the value at a JSON Pointer without following references. */
  at(pointer: string): JsonValue | undefined {
    return valueAt(this.root, pointer);
  }

  /**
   * Returns the schema at a pointer in JSON Schema 2020-12, without following references; undefined
   * when there is none.
   */
  schemaAt(pointer: string): JsonObject | boolean | undefined {
    const value = this.at(pointer);
    if (Array.isArray(value) && pointer.endsWith('/items')) {
      // In older drafts, `additionalItems` describes the items after a tuple.
      return this.schemaAt(`${pointer.slice(0, -'items'.length)}additionalItems`) ?? true;
    }
    if (isJsonObject(value)) return this.upgradeSchema(value, pointer);
    return typeof value === 'boolean' ? value : undefined;
  }

  /** Like {@link schemaAt}, for a schema that has been read. */
  upgradeSchema(schema: JsonObject, pointer: string): JsonObject {
    return remember(this.#schemas, schema, () => upgradeSchema(schema, this.dialectAt(pointer)));
  }

  /** Returns the dialect of the schema at a pointer. */
  dialectAt(_pointer: string): SchemaDialect {
    return '2020-12';
  }

  /**
   * Follows Reference Objects (OAS 3.1 §4.8.23) to their target.
   *
   * @throws {DiagnosticError} for a reference to nothing, to another file, or to itself
   */
  resolve(pointer: string): Located | undefined {
    const visited = new Set<string>();
    let current = pointer;
    for (;;) {
      const value = this.at(current);
      if (value === undefined) return undefined;
      const reference = isJsonObject(value) ? getMember(value, '$ref') : undefined;
      if (typeof reference !== 'string') return { value, pointer: current };
      visited.add(current);
      const target = this.pointerOf(reference, current);
      if (visited.has(target))
        throw this.fail(current, `the reference ${reference} leads to itself`);
      if (this.at(target) === undefined) throw this.missing(reference, current);
      current = target;
    }
  }

  /** Like {@link resolve}, for a value that must be an object. */
  resolveObject(pointer: string): Located<JsonObject> | undefined {
    const located = this.resolve(pointer);
    if (located === undefined) return undefined;
    if (isJsonObject(located.value)) return { value: located.value, pointer: located.pointer };
    throw this.fail(located.pointer, 'an object is required here');
  }

  /** Returns the names of an object's members, each with its pointer. */
  members(pointer: string): readonly (readonly [key: string, pointer: string])[] {
    const object = this.resolveObject(pointer);
    if (object === undefined) return [];
    return Object.keys(object.value).map((key) => [key, object.pointer + toPointer([key])]);
  }

  /** Returns the pointer that a `$ref` leads to. */
  pointerOf(reference: string, from: string): string {
    if (reference === '#') return '';
    if (reference.startsWith('#/')) return decodeFragment(reference.slice(1));
    throw this.fail(
      `${from}/$ref`,
      `the reference ${JSON.stringify(reference)} leads out of this document`,
      'Bundle the document into one file first.',
    );
  }

  /**
   * Returns the schema resource that a pointer is in, with its dynamic anchors by name, which a
   * `$dynamicRef` may lead to (JSON Schema Core §7.1); undefined where it has none.
   */
  dynamicAnchorsAround(_pointer: string): DynamicAnchors | undefined {
    return undefined;
  }

  locate(pointer: string, of?: 'key' | 'value'): Position {
    return this.#source.locate(pointer, of);
  }

  /** Returns where a value is for a reader. */
  whereIs(pointer: string): Whereabouts {
    return { file: this.file, position: this.locate(pointer), pointer };
  }

  diagnose(severity: Severity, pointer: Place, message: string, remedy?: string): Diagnostic {
    const diagnostic = { severity, ...this.whereIs(pointer), message };
    return remedy === undefined ? diagnostic : { ...diagnostic, remedy };
  }

  fail(pointer: string, message: string, remedy?: string): DiagnosticError {
    return new DiagnosticError([this.diagnose('error', pointer, message, remedy)]);
  }

  missing(reference: string, from: string): DiagnosticError {
    return this.fail(
      `${from}/$ref`,
      `the reference ${JSON.stringify(reference)} leads to nothing`,
      'Correct the reference, or add what it names.',
    );
  }
}

/** Returns the value at a JSON Pointer; undefined when there is none. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const token of toPath(pointer)) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isJsonObject(value)) value = memberOf(value, token);
    else return undefined;
  }
  return value;
}

/** Returns the place of a tuple's schemas, which older drafts have in `items`. */
function memberOf(object: JsonObject, name: string): JsonValue | undefined {
  const member = getMember(object, name);
  if (member !== undefined || name !== 'prefixItems') return member;
  const { items } = object;
  return Array.isArray(items) ? items : undefined;
}

/** Returns the pointer in a URI's fragment (RFC 6901 §6). */
export function decodeFragment(fragment: string): string {
  return decodePercent(fragment) ?? fragment;
}
