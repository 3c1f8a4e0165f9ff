import { deflateSync, gzipSync } from 'node:zlib';

/** A case file that does not say what is asked, or what is expected. */
export class CaseFileError extends Error {
  override readonly name = 'CaseFileError';

  /** @param line counted from 1 */
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`);
  }
}

/** A stretch of lines of a case file, and where it begins. */
export interface Block {
  /** The words after the opening marker, such as `gzip` of `>>> gzip`. */
  readonly label: string;
  readonly lines: readonly string[];
  /** The number of its marker's line. */
  readonly line: number;
}

/** Fields in the order and the spelling of the case file. */
export type FieldLines = readonly (readonly [name: string, value: string])[];

/** The input of a case: a request, or bytes that may not be one. */
export type CaseRequest =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly target: string;
      readonly fields: FieldLines;
      readonly body: Buffer;
    }
  | { readonly kind: 'raw'; readonly bytes: Buffer };

/** How the body is written in the file, by the word after `>>>`. */
const bodyForms: ReadonlyMap<string, (text: string) => Buffer> = new Map([
  ['', (text: string) => Buffer.from(text)],
  ['bytes', decodeEscapes],
  ['base64', (text: string) => Buffer.from(text, 'base64')],
  ['gzip', (text: string) => gzipSync(text)],
  ['deflate', (text: string) => deflateSync(text)],
]);

/** @throws {CaseFileError} for what is no request */
export function readCaseRequest(block: Block): CaseRequest {
  if (block.label.startsWith('raw')) return readRaw(block);
  const toBody = bodyForms.get(block.label);
  if (toBody === undefined) {
    throw new CaseFileError(`there is no form of body "${block.label}"`, block.line);
  }
  const { head, body } = splitAtBlankLine(block.lines);
  const [requestLine = '', ...fieldLines] = head;
  const [method, target, ...rest] = requestLine.split(' ');
  if (method === undefined || target === undefined || rest.length > 0) {
    throw new CaseFileError('a request begins with "METHOD target"', block.line + 1);
  }
  const fields = readFieldLines(fieldLines, block.line + 2);
  return { kind: 'request', method, target, fields, body: toBody(body ?? '') };
}

/** Lines as they go over the wire, CRLF after each; the head is closed unless `unfinished`. */
function readRaw({ label, lines, line }: Block): CaseRequest {
  if (label !== 'raw' && label !== 'raw unfinished') {
    throw new CaseFileError(`there is no "${label}"`, line);
  }
  const { head, body } = splitAtBlankLine(lines);
  const text = head.map((one) => `${one}\r\n`).join('');
  const rest = label === 'raw' ? `\r\n${body ?? ''}` : '';
  return { kind: 'raw', bytes: decodeEscapes(text + rest) };
}

/**
 * Splits a message at its first empty line; empty lines around the whole do not count.
 *
 * @returns the body as undefined where none is written
 */
export function splitAtBlankLine(lines: readonly string[]): { head: string[]; body?: string } {
  const text = lines.join('\n').replace(/^\n+/, '').trimEnd();
  const end = text.indexOf('\n\n');
  if (end < 0) return { head: text.split('\n') };
  return { head: text.slice(0, end).split('\n'), body: text.slice(end).replace(/^\n+/, '') };
}

/** @throws {CaseFileError} for a line that is no `Name: value` */
export function readFieldLines(lines: readonly string[], firstLine: number): FieldLines {
  return lines.map((text, index) => {
    const match = /^([^\s:]+):(?: (.*))?$/.exec(text);
    if (match === null) {
      throw new CaseFileError(`a field is "Name: value", got "${text}"`, firstLine + index);
    }
    return [match[1] ?? '', match[2] ?? ''] as const;
  });
}

/** `\xff` is the byte 255; all else is itself, in UTF-8. */
function decodeEscapes(text: string): Buffer {
  const parts = text.split(/(\\x[0-9a-f]{2})/);
  return Buffer.concat(
    parts.map((part) =>
      /^\\x[0-9a-f]{2}$/.test(part) ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part),
    ),
  );
}
