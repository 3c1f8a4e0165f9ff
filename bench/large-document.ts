import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Document {
  readonly paths: Record<string, unknown>;
}

/** Operations in the large document, the plant store's own among them. */
export const largeDocumentOperations = 1_000;

/**
 * Writes the plant store once more, its one operation among a thousand: what the same request
 * costs more there is what the size of a document costs.
 *
 * @param file path of the plant store's document
 * @returns path of the large one, which is removed when this process ends
 */
export function writeLargeDocument(file: string): string {
  const document = parse(readFileSync(file, 'utf8')) as Document;
  const others = Array.from({ length: largeDocumentOperations - 1 }, (_, index) => [
    `/gardens/{gardenId}/beds${index % 50}/{bedId}/rows${index}`,
    { get: createOperation(index) },
  ]);
  const paths = { ...Object.fromEntries(others), ...document.paths };
  const folder = mkdtempSync(join(tmpdir(), 'coldframe-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'large.json');
  writeFileSync(path, JSON.stringify({ ...document, paths }));
  return path;
}

function createOperation(index: number) {
  const text = { type: 'string' };
  const parameter = (name: string) => ({ name, in: 'path', required: true, schema: text });
  const row = {
    type: 'object',
    required: ['name', 'length'],
    properties: { name: text, length: { type: 'integer' }, plants: { type: 'array', items: text } },
  };
  return {
    operationId: `readRow${index}`,
    parameters: [parameter('gardenId'), parameter('bedId')],
    responses: {
      200: { description: 'The row', content: { 'application/json': { schema: row } } },
    },
  };
}
