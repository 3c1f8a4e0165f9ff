import { toPointer } from '../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { collectFaults, type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Entry, OpenAPIDocument } from '../document/document.ts';
import { fieldsOf, METHODS, nameOperation, type OperationName } from '../document/listed-paths.ts';
import type { Place } from '../document/place.ts';
import { SchemaCompiler } from '../schema/schema-compiler.ts';
import type { ContractSource } from './contract-source.ts';
import { DeclaredOperation, type Operation, type OperationPlace } from './operation.ts';
import { splitPath } from './path-template.ts';
import { type PathMatch, Routes } from './routes.ts';
import { findSecurityFaults } from './security.ts';

export { errorResponses, type Operation, type RequestBody } from './operation.ts';

/** The paths below a base path. */
interface Mount {
  /** Of the OpenAPI Object. */
  readonly root: Place;
  /** Without its last slash. */
  readonly basePath: string;
  readonly routes: Routes<Operation>;
}

/** One of the documents, with its operations and where they are served. */
interface Group {
  readonly entry: Entry;
  readonly operations: readonly Operation[];
  readonly routes: Routes<Operation>;
  readonly basePaths: ReadonlySet<string>;
}

/** An operation of a document, with the paths of its servers and those of its path item. */
interface FoundOperation {
  readonly place: OperationPlace;
  readonly name: OperationName;
  readonly bases: readonly string[];
}

const NO_PATHS: readonly string[] = [];

/**
 * The compiled document. An operation is read, and its schemas are compiled, when a request first
 * needs it; nothing ever changes.
 */
export class Contract implements ContractSource {
  readonly document: OpenAPIDocument;
  readonly schemas: SchemaCompiler;
  readonly findValues: ContractSource['findValues'];
  readonly title: string;
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Faults of paths that cannot be found; an operation has its fault itself. */
  readonly faults: Diagnostic[] = [];
  /** Operations that have the method and path of another one, which is served. */
  readonly duplicates: Diagnostic[] = [];
  /** Operations of templates that differ only in the names of their parameters. */
  readonly twins: Diagnostic[] = [];
  /** The operations of one method and path, by the first of them, where there are several. */
  readonly variants = new Map<Operation, Operation[]>();
  readonly #byId: ReadonlyMap<string, Operation>;
  readonly #mounts: readonly Mount[];

  /** @throws {DiagnosticError} if two documents have the same path */
  constructor(document: OpenAPIDocument, findValues: ContractSource['findValues'] = () => []) {
    this.document = document;
    this.schemas = new SchemaCompiler(document);
    this.findValues = findValues;
    const infos = document.entries
      .map(({ place }) => document.at(`${place}/info`))
      .filter(isJsonObject);
    this.title = infos.map(({ title }) => String(title ?? '')).join(', ');
    this.version = infos.map(({ version }) => String(version ?? '')).join(', ');
    const groups = document.entries.map((entry) => this.#readEntry(entry));
    this.operations = groups.flatMap(({ operations }) => operations);
    this.#byId = new Map(this.operations.map((operation) => [operation.id, operation]));
    this.#mounts = arrangeMounts(groups);
    if (groups.length > 1) refuseConflicts(document, this.#mounts);
  }

  /**
   * Returns the most concrete match of an encoded path that has the method, below a base path rather
   * than without it; else the first match. Methods are case-sensitive (RFC 9110 §9.1).
   */
  route(path: string, method: string): PathMatch<Operation> | undefined {
    let first: PathMatch<Operation> | undefined;
    let best: PathMatch<Operation> | undefined;
    for (const { basePath, routes } of this.#mounts) {
      const rest = pathBelow(basePath, path);
      const match = rest === undefined ? undefined : routes.find(rest, method);
      first ??= match;
      if (!match?.methods.has(method)) continue;
      if (match.parameters.size === 0) return match;
      if (best === undefined || match.parameters.size <= best.parameters.size) best = match;
    }
    return best ?? first;
  }

  isPlainPath(target: string): boolean {
    return this.#mounts.some(({ basePath, routes }) => basePath === '' && routes.isPlain(target));
  }

  /** Returns a path below which an operation is served; empty where it needs none. */
  basePathOf({ root }: Pick<Operation, 'root'>): string {
    return this.#mounts.find((mount) => mount.root === root)?.basePath ?? '';
  }

  /** @param id an operationId, or method and path */
  operation(id: string): Operation | undefined {
    return this.#byId.get(id);
  }

  #readEntry(entry: Entry): Group {
    const routes = new Routes<Operation>();
    const twins = new Map<string, Operation>();
    const operations: Operation[] = [];
    const basePaths = new Set(readBasePaths(this.document, entry.place));
    for (const { place, name, bases } of this.#findOperations(entry.place)) {
      const operation = new DeclaredOperation(this, place, name);
      const { path } = splitPath(place.path);
      const first = routes.add(path, operation.method, operation);
      // With an encoded `#`, a request has the key of the document as it is.
      if (place.path[path.length] === '#') routes.add(place.path, operation.method, operation);
      if (first === undefined || this.#addVariant(operation, first, twins))
        operations.push(operation);
      for (const base of bases) basePaths.add(base);
    }
    return { entry, operations, routes, basePaths };
  }

  *#findOperations(root: Place): Generator<FoundOperation> {
    const { pointer: paths, listed } = this.document.pathsAt(root);
    for (const [path, operations] of listed) {
      const pathItem = paths + toPointer([path]);
      const { selectors } = splitPath(path);
      if (operations === null) {
        yield* this.#followPathItem({ root, path, selectors, pathItem });
        continue;
      }
      for (const [field, ...name] of operations) {
        const pointer = `${pathItem}/${field}`;
        const method = field.toUpperCase();
        const place = { root, method, path, selectors, pathItem, pointer };
        yield { place, name, bases: NO_PATHS };
      }
    }
  }

  /** Finds the operations of a path item also behind references, with the paths of their servers. */
  *#followPathItem(
    at: Pick<OperationPlace, 'root' | 'path' | 'selectors' | 'pathItem'>,
  ): Generator<FoundOperation> {
    const { document } = this;
    // A reference to nothing is a fault.
    const attempt = (find: () => Place | undefined) => collectFaults(this.faults, find);
    const pathItem = attempt(() => document.resolveObject(at.pathItem)?.pointer);
    if (pathItem === undefined) return;
    const members = [
      ...methodsOf(document, at.pathItem),
      ...(pathItem === at.pathItem ? [] : methodsOf(document, pathItem)),
      ...document.members(`${pathItem}/additionalOperations`),
    ];
    for (const [field, written] of members) {
      const method = METHODS.includes(field) ? field.toUpperCase() : field;
      const pointer = attempt(() => document.resolve(written)?.pointer);
      if (pointer === undefined) continue;
      const bases = [pathItem, pointer].flatMap((owner) => readBasePaths(document, owner));
      const name = nameOperation(document.at(pointer));
      yield { place: { ...at, method, pathItem, pointer }, name, bases };
    }
  }

  /**
   * Returns false for an operation that no request can mean.
   *
   * @param twins the first operation with each method, path and selectors
   */
  #addVariant(operation: Operation, first: Operation, twins: Map<string, Operation>): boolean {
    const { method, path, pointer } = operation;
    const keyOf = ({ selectors }: Operation) => JSON.stringify([method, first.path, selectors]);
    remember(twins, keyOf(first), () => first);
    const twin = twins.get(keyOf(operation));
    const isMeant = twin?.path !== path;
    if (isMeant) remember(this.variants, first, () => [first]).push(operation);
    if (twin === undefined) {
      twins.set(keyOf(operation), operation);
      return true;
    }
    const diagnostic = this.document.diagnose(
      isMeant ? 'warning' : 'error',
      pointer,
      `${method} ${path} and ${twin.method} ${twin.path} are one path`,
      'Paths that differ only in the names of their parameters are identical (OAS 3.1 §4.8.8): ' +
        'the first whose parameters accept the values is served.',
    );
    (isMeant ? this.twins : this.duplicates).push(diagnostic);
    return isMeant;
  }
}

/**
 * Returns where the documents are served. A single document is served with and without the base paths
 * of its servers; each of several is served below its base paths, if it has any.
 */
function arrangeMounts(groups: readonly Group[]): readonly Mount[] {
  const isAlone = groups.length === 1;
  return groups.flatMap(({ entry, routes, basePaths }) => {
    const root = entry.place;
    if (entry.basePath !== undefined) return [{ root, basePath: entry.basePath, routes }];
    const below = [...basePaths].map((basePath) => ({ root, basePath, routes }));
    return isAlone || below.length === 0 ? [{ root, basePath: '', routes }, ...below] : below;
  });
}

/** Returns the rest of a path below a base path; undefined for another path. */
function pathBelow(basePath: string, path: string): string | undefined {
  if (basePath === '') return path;
  if (path === basePath) return '/';
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined;
}

function methodsOf(document: OpenAPIDocument, pathItem: Place) {
  const item = document.at(pathItem);
  return (isJsonObject(item) ? fieldsOf(item) : []).map(
    (name) => [name, `${pathItem}/${name}`] as const,
  );
}

/**
 * Returns the paths of Server Objects (OAS 3.1 §4.8.5) without their last slash, one for each value
 * of a variable.
 */
function readBasePaths(document: OpenAPIDocument, owner: Place): readonly string[] {
  const object = document.at(owner);
  const servers = isJsonObject(object) ? object['servers'] : undefined;
  if (!Array.isArray(servers)) return [];
  const paths = servers.filter(isJsonObject).flatMap(pathsOf);
  return [...new Set(paths)].filter((path) => path !== '');
}

function pathsOf(server: JsonObject): readonly string[] {
  const { url, variables } = server;
  if (typeof url !== 'string') return [];
  return substitute(url, isJsonObject(variables) ? variables : {})
    .map((expanded) => expanded.replace(/^(?:[^/?#]*:)?\/\/[^/]*/, '').replace(/[?#].*$/, ''))
    .map((path) => path.replace(/\/+$/, ''))
    .filter((expanded) => expanded.startsWith('/') && !expanded.includes('{'));
}

/** More combinations of values are not served, only each value beside the defaults of the others. */
const MOST_COMBINATIONS = 50;

/** Returns a URL with the values of its variables, each substituted once: a value may have braces. */
function substitute(url: string, variables: JsonObject): readonly string[] {
  const parts = url
    .split(/\{([^{}]*)\}/)
    .map((part, index) => (index % 2 === 0 ? [part] : valuesOf(getMember(variables, part))));
  const count = parts.reduce((product, values) => product * values.length, 1);
  if (count <= MOST_COMBINATIONS) {
    const append = (urls: readonly string[], values: readonly string[]) =>
      urls.flatMap((begun) => values.map((value) => begun + value));
    return parts.reduce(append, ['']);
  }
  const usual = parts.map(([first = '']) => first);
  return parts.flatMap((values, index) => values.map((value) => usual.with(index, value).join('')));
}

/** Returns the values of a Server Variable Object, its default first. */
function valuesOf(variable: JsonValue | undefined): readonly string[] {
  const { default: usual = '', enum: list } = isJsonObject(variable) ? variable : {};
  const values = [usual, ...(Array.isArray(list) ? list : [])];
  return [...new Set(values.filter((one) => typeof one !== 'object').map(String))];
}

/** @throws {DiagnosticError} with both documents of each path that two of them have */
function refuseConflicts(document: OpenAPIDocument, mounts: readonly Mount[]): void {
  const all = new Routes<Operation>();
  const conflicts: Diagnostic[] = [];
  for (const { basePath, routes } of mounts) {
    for (const operation of routes.targets()) {
      const path = basePath + operation.path;
      const existing = all.add(path, operation.method, operation);
      if (existing === undefined || existing.root === operation.root) continue;
      const other = document.diagnose('error', existing.pointer, '');
      conflicts.push(
        document.diagnose(
          'error',
          operation.pointer,
          `${operation.method} ${path} is claimed by ${other.file} as well`,
          'Give each document its own path: coldframe /one=one.yaml /two=two.yaml',
        ),
      );
    }
  }
  if (conflicts.length > 0) throw new DiagnosticError(conflicts);
}

/** Finds the faults that keep paths and operations from being served. Compiles no schemas. */
export function* findErrors(contract: Contract): Generator<Diagnostic> {
  const { faults, duplicates, operations } = contract;
  yield* faults;
  yield* duplicates;
  yield* findSecurityFaults(contract);
  for (const { fault } of operations) yield* fault?.diagnostics ?? [];
}
