import { toPointer } from '../../base/json/pointer.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { FormReader } from '../form-reader.ts';

/** The resources of one place as a file has them, not yet held against the document. */
export interface SeedDefinition {
  readonly file: SourceDocument;
  /** Where they stand in their file. */
  readonly pointer: string;
  /** What the file calls the place. */
  readonly name: string;
  readonly value: JsonValue;
}

/** Reads the resources of a fixture file: every member is a place, with a list or the one. */
export function readSeedDefinitions(
  file: SourceDocument,
  root: FormReader,
): readonly SeedDefinition[] {
  if (!root.has('resources')) return [];
  const resources = root.object('resources');
  return resources
    .members()
    .map(({ name, value }) => ({ file, pointer: `/resources${toPointer([name])}`, name, value }));
}
