import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { toPointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { type Content, readContents } from './content.ts';
import { type Parameter, readParameters } from './parameters.ts';
import { type DeclaredResponse, type Responses, readResponses } from './responses.ts';
import { type PathMatch, Routes } from './routes.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import { readSecurity, type SecurityRequirement } from './security.ts';
import { createSkeletons } from './skeleton.ts';

/** A Request Body Object (OAS 3.1 §4.8.13). */
export interface RequestBody {
  readonly required: boolean;
  readonly contents: readonly Content[];
}

/** An Operation Object (OAS 3.1 §4.8.10), all that a request to it needs worked out. */
export interface Operation {
  /** Its operationId, else its method and path. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** The path template. */
  readonly path: string;
  readonly pointer: string;
  readonly summary: string | undefined;
  readonly security: readonly SecurityRequirement[];
  readonly parameters: readonly Parameter[];
  readonly body: RequestBody | undefined;
  readonly responses: Responses;
}

/** What the document promises, compiled once and never changed. */
export interface Contract {
  readonly document: OpenAPIDocument;
  readonly title: string;
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly schemas: SchemaCompiler;
  /**
   * @param path as it was sent, percent-encoded
   * @param method as it was sent: methods are case-sensitive (RFC 9110 §9.1)
   */
  route(path: string, method: string): PathMatch<Operation> | undefined;
  /** @returns true for a target that is, to the letter, a path of the document */
  isPlainPath(target: string): boolean;
  /** @param id an operationId, or method and path */
  operation(id: string): Operation | undefined;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Compiles a document to a Contract. Schemas are compiled when a request first needs them.
 *
 * @throws {DiagnosticError} with every fault found
 */
export function compileContract(document: OpenAPIDocument): Contract {
  const schemas = new SchemaCompiler(document);
  const routes = new Routes<Operation>();
  const diagnostics: Diagnostic[] = [];
  const operations: Operation[] = [];
  for (const { method, path, pathItem, pointer } of findOperations(document)) {
    const operation = collectFaults(diagnostics, () =>
      readOperation(document, schemas, method, path, pathItem, pointer),
    );
    if (operation === undefined) continue;
    const existing = routes.add(path, operation.method, operation);
    if (existing === undefined) operations.push(operation);
    else diagnostics.push(twice(document, pointer, operation, existing));
  }
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  return createContract(document, schemas, routes, operations);
}

function createContract(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  routes: Routes<Operation>,
  operations: readonly Operation[],
): Contract {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const basePaths = readBasePaths(document);
  const info = document.at('/info');
  return Object.freeze({
    document,
    title: isJsonObject(info) ? String(info['title'] ?? '') : '',
    version: isJsonObject(info) ? String(info['version'] ?? '') : '',
    operations: Object.freeze([...operations]),
    schemas,
    route: (path: string, method: string) => {
      const match = routes.find(path, method);
      if (match?.methods.has(method)) return match;
      // A client may have been given the server's base path as well, or may not.
      for (const basePath of basePaths) {
        if (!path.startsWith(`${basePath}/`)) continue;
        const behind = routes.find(path.slice(basePath.length), method);
        if (behind !== undefined) return behind;
      }
      return match;
    },
    isPlainPath: (target: string) => routes.isPlain(target),
    operation: (id: string) => byId.get(id),
  });
}

function readOperation(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  method: string,
  path: string,
  pathItem: string,
  pointer: string,
): Operation {
  const id = document.at(`${pointer}/operationId`);
  const summary = document.at(`${pointer}/summary`);
  return Object.freeze({
    id: typeof id === 'string' && id !== '' ? id : `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    pointer,
    summary: typeof summary === 'string' ? summary : undefined,
    security: readSecurity(document, pointer),
    parameters: readParameters(document, schemas, pathItem, pointer),
    body: readRequestBody(document, schemas, pointer),
    responses: readResponses(document, schemas, createSkeletons(document), pointer),
  });
}

function readRequestBody(
  document: OpenAPIDocument,
  schemas: SchemaCompiler,
  operation: string,
): RequestBody | undefined {
  const located = document.resolveObject(`${operation}/requestBody`);
  if (located === undefined) return undefined;
  return Object.freeze({
    required: located.value['required'] === true,
    contents: readContents(document, schemas, located.pointer),
  });
}

function* findOperations(document: OpenAPIDocument) {
  for (const [path, place] of document.members('/paths')) {
    if (!path.startsWith('/')) continue;
    const pathItem = document.resolveObject(place)?.pointer ?? place;
    for (const [method, pointer] of document.members(pathItem)) {
      if (METHODS.includes(method)) yield { method, path, pathItem, pointer };
    }
  }
}

function twice(
  document: OpenAPIDocument,
  pointer: string,
  operation: Operation,
  existing: Operation,
): Diagnostic {
  return document.diagnose(
    'error',
    pointer,
    `${operation.method} ${operation.path} and ${existing.method} ${existing.path} are one path`,
    'Paths that differ only in the names of their parameters are identical (OAS 3.1 §4.8.8).',
  );
}

/** The paths of the `servers` (OAS 3.1 §4.8.5), without their last slash. */
function readBasePaths(document: OpenAPIDocument): readonly string[] {
  const servers = document.at('/servers');
  if (!Array.isArray(servers)) return [];
  return servers.flatMap((_, index) => {
    const url = document.at(`/servers${toPointer([index, 'url'])}`);
    if (typeof url !== 'string') return [];
    const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/$/, '');
    return path.startsWith('/') && !path.includes('{') ? [path] : [];
  });
}

function collectFaults<Value>(diagnostics: Diagnostic[], read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    diagnostics.push(...error.diagnostics);
    return undefined;
  }
}

/** The responses under which an error of the client or the server may be declared. */
export function errorResponses(operation: Operation): readonly DeclaredResponse[] {
  return operation.responses.all.filter(({ key }) => /^(?:[45]|default)/.test(key));
}
