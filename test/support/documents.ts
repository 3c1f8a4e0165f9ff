import {
  assembleDocument,
  type OpenAPIDocument,
  requireVersion,
} from '../../src/document/document.ts';
import { parseSource } from '../../src/document/source.ts';

/** Reads a document that consists of one file. */
export function parseDocument(file: string, text: string): OpenAPIDocument {
  const source = parseSource(file, text);
  return assembleDocument({
    files: [
      { source, uri: `file:///${encodeURIComponent(file)}`, version: requireVersion(source) },
    ],
    roots: [{ index: 0, basePath: undefined }],
    unread: new Map(),
    texts: new Map(),
  });
}
