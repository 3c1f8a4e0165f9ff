import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../../document/diagnostic.ts';
import { type Place, toPlace } from '../../document/place.ts';
import { EXTENSION, type Source } from '../../document/source.ts';
import { SourceDocument } from '../../document/source-document.ts';
import type { ServerSetRole } from '../resource.ts';
import { pathItemOf } from '../shape/parameter-shape.ts';
import { FormReader } from './form-reader.ts';
import {
  NO_OVERRIDES,
  type OverrideSource,
  type Overrides,
  type ParameterOverride,
  type ResourceOverride,
  readOperationOverride,
  readParameterOverride,
  readPropertyOverride,
  readResourceOverride,
  type Sourced,
  type SourcedOperation,
} from './overrides.ts';

/**
 * Reads the overrides of a document in `x-coldframe`, and those of a file.
 *
 * @param file the setting `resources`; it takes precedence over the document
 * @param faults receives the mistakes, also later during inference
 * @returns {@link NO_OVERRIDES} if there are none
 * @throws {DiagnosticError} with all mistakes in their form
 */
export function readOverrides(
  contract: Contract,
  file: Source | undefined,
  faults: Diagnostic[],
): Overrides {
  const places = [...findExtensions(contract)];
  if (file === undefined && places.length === 0) return NO_OVERRIDES;
  const reading = new Reading(contract, faults);
  if (file !== undefined) reading.readFile(new SourceDocument(file));
  for (const pointer of places) reading.readExtension(pointer);
  if (faults.length > 0) throw new DiagnosticError(faults);
  return reading;
}

/** Returns the pointers of all `x-coldframe` members in all files of the document. */
function* findExtensions({ document }: Contract): Generator<Place> {
  // A converted file repeats the overrides of the original.
  const converted = document.entries.filter(({ place, written }) => place !== written);
  const originals = new Set(converted.map(({ written }) => written));
  for (let index = 0; ; index++) {
    const pointer = toPlace(index, '');
    const root = document.at(pointer);
    if (root === undefined) return;
    const isRead = !originals.has(pointer) && document.hasExtensionsAt(pointer);
    if (isRead && isJsonObject(root) && mentions(root)) yield* findBelow(root, pointer, '');
  }
}

/** Returns true if the member occurs anywhere: most documents have none, and need no pointers. */
function mentions(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(mentions);
  if (!isJsonObject(value)) return false;
  if (Object.hasOwn(value, EXTENSION)) return true;
  for (const name in value) {
    const member = value[name];
    if (typeof member === 'object' && mentions(member)) return true;
  }
  return false;
}

/** Members whose values are data, not parts of the document. */
const EXAMPLES = new Set(['example', 'examples', 'default', 'enum', 'const']);

function* findBelow(
  value: JsonValue[] | JsonObject,
  pointer: Place,
  parent: string,
): Generator<Place> {
  const isNamed = parent === 'properties';
  for (const [name, member] of Object.entries<JsonValue>(value)) {
    if (!isJsonObject(member) && !Array.isArray(member)) continue;
    if (isNamed) yield* findBelow(member, pointer + toPointer([name]), '');
    else if (name === EXTENSION) yield `${pointer}/${EXTENSION}`;
    else if (!EXAMPLES.has(name)) yield* findBelow(member, pointer + toPointer([name]), name);
  }
}

class Reading implements Overrides {
  readonly resources = new Map<string, Sourced<ResourceOverride>[]>();
  readonly parameters = new Map<Place, ParameterOverride>();
  readonly properties = new Map<Place, ServerSetRole | 'nothing'>();
  readonly #contract: Contract;
  readonly #faults: Diagnostic[];
  readonly #operations = new Map<Operation, SourcedOperation[]>();

  constructor(contract: Contract, faults: Diagnostic[]) {
    this.#contract = contract;
    this.#faults = faults;
  }

  ofOperation(operation: Operation): SourcedOperation | undefined {
    const [first, ...others] = this.#operations.get(operation) ?? [];
    return first && others.reduce(merge, first);
  }

  readFile(file: SourceDocument): void {
    this.#readWhole(new FormReader(file, '', file.root, this.#faults), 'settings');
  }

  readExtension(pointer: Place): void {
    const { document, operations } = this.#contract;
    const owner = pointer.slice(0, -EXTENSION.length - 1);
    const form = new FormReader(document, pointer, document.at(pointer) ?? null, this.#faults);
    const object = document.at(owner);
    const members = isJsonObject(object) ? object : {};
    const meant = operations.filter((one) =>
      [one.pointer, pathItemOf(one.pointer)].includes(owner),
    );
    if (document.entries.some(({ place }) => place === owner)) {
      this.#readWhole(form, 'x-coldframe');
    } else if (meant.length > 0) {
      const sourced = sourcedFrom(form, readOperationOverride, 'x-coldframe');
      for (const operation of meant) this.#addOperation(operation, sourced, owner);
    } else if (typeof members['in'] === 'string' && typeof members['name'] === 'string') {
      this.parameters.set(owner, readParameterOverride(form));
    } else {
      const role = readPropertyOverride(form);
      if (role !== undefined) this.properties.set(owner, role);
    }
  }

  /** Adds an override. That of an operation takes precedence over that of its path. */
  #addOperation(operation: Operation, sourced: SourcedOperation, owner: Place | undefined): void {
    const known = this.#operations.get(operation) ?? [];
    const isOwn = operation.pointer === owner;
    const others = known.findIndex(({ source }) => source !== 'settings');
    const index = isOwn && others >= 0 ? others : known.length;
    this.#operations.set(operation, known.toSpliced(index, 0, sourced));
  }

  /** Reads `{resources: {…}, operations: {…}}`, the form of the file and of the document's root. */
  #readWhole(form: FormReader, source: OverrideSource): void {
    for (const { name, read } of form.object('resources').members()) {
      const sourced = sourcedFrom(read(), readResourceOverride, source);
      this.resources.set(name, [...(this.resources.get(name) ?? []), sourced]);
    }
    for (const { name, read } of form.object('operations').members()) {
      const sourced = sourcedFrom(read(), readOperationOverride, source);
      const operation = this.#find(name);
      if (operation !== undefined) this.#addOperation(operation, sourced, undefined);
      else {
        sourced.report(
          `the document has no operation ${JSON.stringify(name)}`,
          'An operation is named by its operationId, or by method and path: `GET /plants`.',
        );
      }
    }
    form.refuseOthers();
  }

  #find(name: string): Operation | undefined {
    const isMeant = ({ method, path }: Operation) => `${method} ${path}` === name;
    return this.#contract.operation(name) ?? this.#contract.operations.find(isMeant);
  }
}

function sourcedFrom<Value>(
  form: FormReader,
  read: (form: FormReader) => Value,
  source: OverrideSource,
): Sourced<Value> {
  return { value: read(form), source, report: form.report };
}

/** Returns the first override with what only the other one says. */
function merge(first: SourcedOperation, { value: rest }: SourcedOperation): SourcedOperation {
  const { value } = first;
  const given = Object.entries(value).filter(([, one]) => one !== undefined);
  const sets = new Map([...rest.sets, ...value.sets]);
  const parameters = new Map([...rest.parameters, ...value.parameters]);
  return { ...first, value: { ...rest, ...Object.fromEntries(given), sets, parameters } };
}
