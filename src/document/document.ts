import { getMember, isJsonObject } from '../json/value.ts';
import { parseSource, type Source } from './source.ts';
import { SourceDocument } from './source-document.ts';

/** One OpenAPI document, read but not yet understood. */
export class OpenAPIDocument extends SourceDocument {
  /** @throws {DiagnosticError} when the source is no OpenAPI document of a version that is read */
  constructor(source: Source) {
    super(source);
    this.#checkVersion();
  }

  #checkVersion(): void {
    const root = isJsonObject(this.root) ? this.root : {};
    const member = Object.hasOwn(root, 'swagger') ? 'swagger' : 'openapi';
    const version = getMember(root, member);
    if (version === undefined) {
      throw this.fail(
        '',
        'this is not an OpenAPI document',
        'An OpenAPI document is an object with the member "openapi", such as `openapi: 3.1.0`.',
      );
    }
    if (member === 'swagger' || !/^3\.1(?:\.\d+)?(?:-.*)?$/.test(String(version))) {
      throw this.fail(
        `/${member}`,
        `this is OpenAPI ${String(version)}, and only 3.1 is read`,
        'Convert the document to OpenAPI 3.1.',
      );
    }
  }
}

/** @throws {DiagnosticError} with file, line, column and remedy */
export function parseDocument(file: string, text: string): OpenAPIDocument {
  return new OpenAPIDocument(parseSource(file, text));
}
