import { type Path, toPath, toPointer, unescapeToken } from '../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { decodePercent } from '../http/query.ts';
import {
  type Diagnostic,
  DiagnosticError,
  ifReadable,
  type Position,
  type Severity,
} from './diagnostic.ts';
import { isObjectHere, type Place } from './place.ts';
import { type SchemaDialect, upgradeSchema } from './schema-dialect.ts';
import type { Source } from './source.ts';

/** A value of the document with its pointer, after following references. */
export interface Located<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly pointer: string;
}

export interface DynamicAnchors {
  readonly resource: string;
  /** Pointers of schemas by `$dynamicAnchor`. */
  readonly anchors: ReadonlyMap<string, string>;
}

export type Whereabouts = Pick<Diagnostic, 'file' | 'position' | 'pointer'>;

/** A file's value: resolves references in it, and reports faults with their position. */
export class SourceDocument {
  readonly file: string;
  readonly root: JsonValue;
  readonly #source: Source;
  readonly #schemas = new Map<JsonObject, JsonObject>();
  /** The schemas that were found last, by pointer: most are asked for several times. */
  readonly #schemasAt = new Map<string, JsonObject | boolean>();
  /** The objects and lists that were found last: their members are asked for together. */
  readonly #parents = new Map<Place, Located>();
  /** The targets of the references that were followed last. */
  readonly #followed = new Map<Place, Located>();

  constructor(source: Source) {
    this.#source = source;
    this.file = source.file;
    this.root = source.value;
  }

  /** Returns the value at a JSON Pointer; only references on the way to it are followed. */
  at(pointer: Place): JsonValue | undefined {
    return this.find(pointer)?.value;
  }

  /**
   * Returns the value at a pointer, and where it is: elsewhere if an object on the way has, in place
   * of the next member, a reference to an object that has it.
   */
  find(pointer: Place, steps = 0): Located | undefined {
    const end = pointer.lastIndexOf('/');
    if (end < 0) {
      const value = this.rootOf(pointer);
      return value === undefined ? undefined : { value, pointer };
    }
    const parent = this.#findParent(pointer.slice(0, end), steps);
    if (parent === undefined) return undefined;
    const token = pointer.slice(end);
    const value = childOf(parent.value, unescapeToken(token.slice(1)));
    const isThere = parent.pointer.length === end && pointer.startsWith(parent.pointer);
    if (value !== undefined) return { value, pointer: isThere ? pointer : parent.pointer + token };
    const reference = isJsonObject(parent.value) ? getMember(parent.value, '$ref') : undefined;
    const target = followReference(this, reference, parent.pointer);
    if (target === undefined || steps > MOST_STEPS) return undefined;
    return this.find(target + token, steps + 1);
  }

  #findParent(pointer: Place, steps: number): Located | undefined {
    const known = this.#parents.get(pointer);
    if (known !== undefined) return known;
    const found = this.find(pointer, steps);
    if (found !== undefined) this.#keepParent(pointer, found);
    return found;
  }

  #keepParent(pointer: Place, found: Located): void {
    if (this.#parents.size >= MOST_PARENTS) this.#parents.clear();
    this.#parents.set(pointer, found);
  }

  protected rootOf(_pointer: Place): JsonValue | undefined {
    return this.root;
  }

  /** Returns the items of a list, each behind its references; those of a list in it are among them. */
  items(pointer: Place, around: readonly Place[] = []): readonly Located[] {
    const located = this.resolve(pointer);
    if (located === undefined || around.includes(located.pointer)) return [];
    if (!Array.isArray(located.value)) return [located];
    const inside = [...around, located.pointer];
    return located.value.flatMap((value, index): readonly Located[] => {
      const at = `${located.pointer}/${index}`;
      const reference = isJsonObject(value) ? getMember(value, '$ref') : undefined;
      const found =
        typeof reference === 'string' ? this.#follow(reference, at) : { value, pointer: at };
      return isJsonObject(found.value) ? [found] : this.items(at, inside);
    });
  }

  /**
   * Returns the schema at a pointer in JSON Schema 2020-12, without following references; undefined
   * when there is none.
   */
  schemaAt(pointer: string): JsonObject | boolean | undefined {
    const known = this.#schemasAt.get(pointer);
    if (known !== undefined) return known;
    const found = this.#findSchema(pointer);
    // A recursive schema has a pointer for each of its depths.
    if (this.#schemasAt.size >= MOST_KEPT) this.#schemasAt.clear();
    if (found !== undefined) this.#schemasAt.set(pointer, found);
    return found;
  }

  #findSchema(pointer: string): JsonObject | boolean | undefined {
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
    return remember(this.#schemas, schema, () =>
      upgradeSchema(this.#followKeywords(schema, pointer), this.dialectAt(pointer)),
    );
  }

  /** Returns a schema with the values of keywords that have a reference in their place. */
  #followKeywords(schema: JsonObject, pointer: Place): JsonObject {
    let followed = schema;
    for (const keyword of REFERABLE) {
      const value = schema[keyword];
      if (!isJsonObject(value) || typeof value['$ref'] !== 'string') continue;
      const target = this.resolve(`${pointer}/${keyword}`);
      if (target !== undefined) followed = { ...followed, [keyword]: target.value };
    }
    return followed;
  }

  dialectAt(_pointer: string): SchemaDialect {
    return '2020-12';
  }

  /**
   * Follows Reference Objects (OAS 3.1 §4.8.23) to their target.
   *
   * @throws {DiagnosticError} for a reference to nothing, to another file, or to itself
   */
  resolve(pointer: string): Located | undefined {
    const found = this.find(pointer);
    const reference = isJsonObject(found?.value) ? getMember(found.value, '$ref') : undefined;
    if (found === undefined || typeof reference !== 'string') return found;
    return this.#follow(reference, found.pointer, pointer);
  }

  /** Returns where a reference leads, also through others: many lead to the same. */
  #follow(given: string, from: Place, asked = from): Located {
    const visited = new Set([asked, from]);
    let reference = given;
    let [current, owner] = [asked, from];
    let first: Place | undefined;
    for (;;) {
      const target = this.pointerOf(reference, owner);
      const known = this.#followed.get(target);
      if (known !== undefined) return known;
      if (visited.has(target))
        throw this.fail(current, `the reference ${reference} leads to itself`);
      const found = this.find(target);
      if (found === undefined) throw this.missing(reference, current);
      first ??= target;
      const next = isJsonObject(found.value) ? getMember(found.value, '$ref') : undefined;
      if (typeof next !== 'string') {
        if (this.#followed.size >= MOST_PARENTS) this.#followed.clear();
        this.#followed.set(first, found);
        return found;
      }
      [current, owner, reference] = [target, found.pointer, next];
      visited.add(current).add(owner);
    }
  }

  /** Like {@link resolve}, for a value that must be an object. */
  resolveObject(pointer: string): Located<JsonObject> | undefined {
    const located = this.resolve(pointer);
    if (located === undefined) return undefined;
    if (isJsonObject(located.value)) return { value: located.value, pointer: located.pointer };
    throw this.fail(located.pointer, 'an object is required here');
  }

  /** Returns an object that is a member of one that was found, as {@link resolveObject} does. */
  memberObject(owner: Located<JsonObject>, name: string): Located<JsonObject> | undefined {
    const value = getMember(owner.value, name);
    const pointer = owner.pointer + toPointer([name]);
    if (!isObjectHere(value)) return this.resolveObject(pointer);
    const found = { value, pointer };
    this.#keepParent(pointer, found);
    return found;
  }

  members(pointer: string): readonly (readonly [key: string, pointer: string])[] {
    const object = this.resolveObject(pointer);
    if (object === undefined) return [];
    return Object.keys(object.value).map((key) => [key, object.pointer + toPointer([key])]);
  }

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

  /** Returns where a value is for a reader, or its name. */
  whereIs(pointer: string, of?: 'key' | 'value'): Whereabouts {
    return { file: this.file, position: this.locate(pointer, of), pointer };
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

const MOST_KEPT = 20_000;
const MOST_PARENTS = 2_000;

type Follower = Pick<SourceDocument, 'pointerOf'>;

/**
 * Returns where a `$ref` or `$dynamicRef` leads from the object that has it; undefined for a value
 * that is no reference, and for a file that was not read. The schema compiler reports such a
 * reference as soon as a value needs it; a reader passes over it.
 */
export function followReference(document: Follower, reference: JsonValue | undefined, from: Place) {
  if (typeof reference !== 'string') return undefined;
  return ifReadable(() => document.pointerOf(reference, from));
}

/** More references on the way to a value lead in a circle. */
const MOST_STEPS = 16;

/** The keywords of which documents share the whole value, which JSON Schema does not provide for. */
const REFERABLE = ['properties', 'enum', 'required', 'allOf', 'anyOf', 'oneOf'];

export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const token of toPath(pointer)) value = value === undefined ? value : childOf(value, token);
  return value;
}

function childOf(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(token)];
  return isJsonObject(value) ? memberOf(value, token) : undefined;
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

/** Where a value is written: a pointer into a file. */
export class FilePlace {
  readonly file: SourceDocument;
  readonly pointer: string;

  constructor(file: SourceDocument, pointer = '') {
    this.file = file;
    this.pointer = pointer;
  }

  at(...path: Path): FilePlace {
    return new FilePlace(this.file, this.pointer + toPointer(path));
  }

  /** Returns an error with the line and column of the value. */
  fail(message: string, remedy?: string): DiagnosticError {
    return this.file.fail(this.pointer, message, remedy);
  }
}
