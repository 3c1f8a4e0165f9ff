import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject } from '../base/json/value.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Entry, OpenAPIDocument } from '../document/document.ts';
import { SchemaCompiler } from '../schema/schema-compiler.ts';
import type { ContractSource } from './contract-source.ts';
import { createOperation, type Operation, type OperationPlace } from './operation.ts';
import { type PathMatch, Routes } from './routes.ts';
import { readBasePaths } from './servers.ts';

export { errorResponses, type Operation, type RequestBody } from './operation.ts';

/** The compiled document. Its parts are read when they are first used, and never change. */
export interface Contract extends ContractSource {
  readonly title: string;
  readonly version: string;
  readonly operations: readonly Operation[];
  /** Faults of paths that cannot be found; an operation has its fault itself. */
  readonly faults: readonly Diagnostic[];
  /** Operations that have the method and path of another one, which is served. */
  readonly duplicates: readonly Diagnostic[];
  /**
   * @param path as it was sent, percent-encoded
   * @param method as it was sent: methods are case-sensitive (RFC 9110 §9.1)
   */
  route(path: string, method: string): PathMatch<Operation> | undefined;
  /** @returns true for a target that is exactly a path of the document */
  isPlainPath(target: string): boolean;
  /** @param id an operationId, or method and path */
  operation(id: string): Operation | undefined;
}

/** The paths below a base path. */
interface Mount {
  /** Without its last slash. */
  readonly basePath: string;
  readonly routes: Routes<Operation>;
}

/**
 * Compiles documents to a contract. An operation is read, and its schemas are compiled, when a request
 * first needs it.
 *
 * @param findValues generates values of required header fields
 * @throws {DiagnosticError} if two documents have the same path
 */
export function compileContract(
  document: OpenAPIDocument,
  findValues: ContractSource['findValues'] = () => [],
): Contract {
  const source = { document, schemas: new SchemaCompiler(document), findValues };
  const found: PathFaults = { faults: [], duplicates: [] };
  const groups = document.entries.map((entry) => readEntry(source, entry, found));
  const mounts = arrangeMounts(groups);
  if (groups.length > 1) refuseConflicts(document, mounts);
  return createContract(source, mounts, groups, found);
}

/** The faults of paths that are found while the document is compiled. */
interface PathFaults {
  readonly faults: Diagnostic[];
  readonly duplicates: Diagnostic[];
}

/** One of the documents, with its operations and where they are served. */
interface Group {
  readonly entry: Entry;
  readonly operations: readonly Operation[];
  readonly routes: Routes<Operation>;
  /** The base paths of its servers. */
  readonly basePaths: readonly string[];
}

function readEntry(
  source: ContractSource,
  entry: Entry,
  { faults, duplicates }: PathFaults,
): Group {
  const { document } = source;
  const routes = new Routes<Operation>();
  const operations: Operation[] = [];
  const basePaths = new Set(readBasePaths(document, entry.place));
  for (const place of findOperations(document, entry, faults)) {
    const operation = createOperation(source, place);
    const existing = routes.add(place.path, operation.method, operation);
    if (existing === undefined) operations.push(operation);
    else duplicates.push(describeDuplicate(document, operation, existing));
    for (const owner of [place.pathItem, place.pointer]) {
      for (const path of readBasePaths(document, owner)) basePaths.add(path);
    }
  }
  return { entry, operations, routes, basePaths: [...basePaths] };
}

/**
 * Returns where the documents are served. A single document is served with and without the base paths
 * of its servers; each of several is served below its base paths, if it has any.
 */
function arrangeMounts(groups: readonly Group[]): readonly Mount[] {
  const isAlone = groups.length === 1;
  return groups.flatMap(({ entry, routes, basePaths }) => {
    if (entry.basePath !== undefined) return [{ basePath: entry.basePath, routes }];
    const below = basePaths.map((basePath) => ({ basePath, routes }));
    return isAlone || below.length === 0 ? [{ basePath: '', routes }, ...below] : below;
  });
}

function createContract(
  source: ContractSource,
  mounts: readonly Mount[],
  groups: readonly Group[],
  { faults, duplicates }: PathFaults,
): Contract {
  const { document } = source;
  const operations = groups.flatMap((group) => group.operations);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const infos = groups.map(({ entry }) => document.at(`${entry.place}/info`)).filter(isJsonObject);
  const bare = mounts.filter(({ basePath }) => basePath === '');
  return Object.freeze({
    ...source,
    title: infos.map(({ title }) => String(title ?? '')).join(', '),
    version: infos.map(({ version }) => String(version ?? '')).join(', '),
    operations: Object.freeze(operations),
    faults: Object.freeze(faults),
    duplicates: Object.freeze(duplicates),
    route: (path: string, method: string) => findRoute(mounts, path, method),
    isPlainPath: (target: string) => bare.some(({ routes }) => routes.isPlain(target)),
    operation: (id: string) => byId.get(id),
  });
}

/** @returns the first match that has the method, else the first match */
function findRoute(
  mounts: readonly Mount[],
  path: string,
  method: string,
): PathMatch<Operation> | undefined {
  let first: PathMatch<Operation> | undefined;
  for (const { basePath, routes } of mounts) {
    if (basePath !== '' && !path.startsWith(basePath)) continue;
    const rest = path.slice(basePath.length);
    if (!rest.startsWith('/') && rest !== '') continue;
    const match = routes.find(rest === '' ? '/' : rest, method);
    if (match?.methods.has(method)) return match;
    first ??= match;
  }
  return first;
}

/** OAS 3.2 §4.8 adds `query` and other methods. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

function* findOperations(
  document: OpenAPIDocument,
  { place: root }: Entry,
  faults: Diagnostic[],
): Generator<OperationPlace> {
  for (const [path, place] of document.members(`${root}/paths`)) {
    if (!path.startsWith('/')) continue;
    const pathItem = resolvePathItem(document, place, faults);
    if (pathItem === undefined) continue;
    for (const [name, pointer] of [
      ...methodsOf(document, place),
      ...(pathItem === place ? [] : methodsOf(document, pathItem)),
      ...document.members(`${pathItem}/additionalOperations`),
    ]) {
      const isStandard = METHODS.includes(name);
      const method = isStandard ? name.toUpperCase() : name;
      yield { root, method, path, pathItem, pointer };
    }
  }
}

function methodsOf(document: OpenAPIDocument, pathItem: string) {
  const item = document.at(pathItem);
  return (isJsonObject(item) ? Object.keys(item) : [])
    .filter((name) => METHODS.includes(name))
    .map((name) => [name, pathItem + toPointer([name])] as const);
}

/** Returns the pointer of a Path Item Object; a reference to nothing is a fault. */
function resolvePathItem(
  document: OpenAPIDocument,
  place: string,
  faults: Diagnostic[],
): string | undefined {
  try {
    return document.resolveObject(place)?.pointer;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    faults.push(...error.diagnostics);
    return undefined;
  }
}

function describeDuplicate(
  document: OpenAPIDocument,
  operation: Operation,
  existing: Operation,
): Diagnostic {
  return document.diagnose(
    'error',
    operation.pointer,
    `${operation.method} ${operation.path} and ${existing.method} ${existing.path} are one path`,
    'Paths that differ only in the names of their parameters are identical (OAS 3.1 §4.8.8).',
  );
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
export function* findErrors({ faults, duplicates, operations }: Contract): Generator<Diagnostic> {
  yield* faults;
  yield* duplicates;
  for (const { fault } of operations) yield* fault?.diagnostics ?? [];
}
