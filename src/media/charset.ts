import { isAscii, isUtf8 } from 'node:buffer';
import { Problem } from '../base/problem.ts';
import type { ContentType } from './codec.ts';

/**
 * Decodes bytes by the `charset` of their media type, by default UTF-8. A byte order mark is removed
 * (RFC 8259 §8.1).
 *
 * @throws {Problem} INVALID_UTF8, BODY_NOT_DECODABLE, or UNSUPPORTED_CHARSET
 */
export function readText(bytes: Uint8Array, { parameters }: ContentType): string {
  const charset = (parameters.get('charset') ?? 'utf-8').toLowerCase();
  switch (charset) {
    case 'utf-8':
    case 'utf8':
      return readUtf8(bytes);
    case 'us-ascii':
    case 'ascii':
      if (!isAscii(bytes)) throw notDecodable(charset);
      return toBuffer(bytes).toString('latin1');
    case 'iso-8859-1':
    case 'latin1':
      return toBuffer(bytes).toString('latin1');
    default:
      return readCharset(bytes, charset);
  }
}

/**
 * Decodes UTF-8.
 *
 * @throws {Problem} INVALID_UTF8
 */
export function readUtf8(bytes: Uint8Array): string {
  const text = toBuffer(bytes).toString('utf8');
  // Invalid bytes become U+FFFD, which may also be in the text itself.
  if (text.includes('\uFFFD') && !isUtf8(bytes)) {
    throw new Problem('INVALID_UTF8', 'body must be UTF-8, and it is not');
  }
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Encodes a text in the declared charset, or returns it to be encoded as UTF-8. */
export function writeText(text: string, { parameters }: ContentType): string | Uint8Array {
  switch (parameters.get('charset')?.toLowerCase()) {
    case 'iso-8859-1':
    case 'latin1':
    case 'us-ascii':
    case 'ascii':
      return Buffer.from(text, 'latin1');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    default:
      return text;
  }
}

/** Returns the same bytes without copying them. */
export function toBuffer(bytes: Uint8Array): Buffer {
  if (bytes instanceof Buffer) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readCharset(bytes: Uint8Array, charset: string): string {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(withByteOrder(bytes, charset), { fatal: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Problem(
      'UNSUPPORTED_CHARSET',
      `the charset ${JSON.stringify(charset.slice(0, 80))} is not known, send UTF-8`,
    );
  }
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw notDecodable(charset);
  }
}

/** Returns the byte order of UTF-16: that of its mark, otherwise big-endian (RFC 2781 §4.3). */
function withByteOrder(bytes: Uint8Array, charset: string): string {
  if (charset !== 'utf-16') return charset;
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
}

function notDecodable(charset: string): Problem {
  return new Problem('BODY_NOT_DECODABLE', `body must be ${charset}, and it is not`);
}
