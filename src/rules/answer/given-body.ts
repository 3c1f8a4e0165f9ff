import { dirname, join } from 'node:path';
import type { JsonValue } from '../../base/json/value.ts';
import { parseSource } from '../../document/source.ts';
import { SourceDocument } from '../../document/source-document.ts';
import type { AnswerPlace } from './answer-place.ts';

/** A body that a rule gives, and where it stands. */
export interface GivenBody {
  readonly source: SourceDocument;
  readonly pointer: string;
  /** Bytes for a file that is sent as it is. */
  readonly value: JsonValue | Uint8Array;
}

/**
 * Reads the body that a rule gives, or the file that it names.
 *
 * @param isJson true for a file that holds JSON: it is a body as if it stood in the fixture
 * @throws {DiagnosticError} for a file that cannot be read, or is not JSON where it must be
 */
export function readGivenBody(place: AnswerPlace, isJson: boolean): GivenBody {
  const { file, answer } = place;
  if (answer.body !== undefined) {
    return { source: file, pointer: `${answer.pointer}/body`, value: answer.body };
  }
  const pointer = `${answer.pointer}/bodyFile`;
  const name = answer.bodyFile ?? '';
  const bytes = place.material.readBodyFile(file.file, name);
  if (bytes === undefined) {
    throw file.fail(
      pointer,
      `the file ${JSON.stringify(name)} cannot be read`,
      'It is looked for beside the fixture file, in its folder or below it, and may have 16 MiB.',
    );
  }
  if (!isJson && !answer.isTemplate) return { source: file, pointer, value: bytes };
  const text = readUtf8(bytes);
  if (text === undefined) throw file.fail(pointer, `the file ${JSON.stringify(name)} is not UTF-8`);
  if (!isJson) return { source: file, pointer, value: text };
  const source = new SourceDocument(parseSource(join(dirname(file.file), name), text, true));
  return { source, pointer: '', value: source.root };
}

function readUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
