import { readText, writeText } from './charset.ts';
import type { Codec, Description } from './codec.ts';
import { readContentType } from './content-type.ts';
import { refuseCrowded } from './crowding.ts';
import { readXml } from './xml-reading.ts';
import { writeXml } from './xml-writing.ts';

/** `application/xml`, `text/xml` and every `+xml`, with XML Objects (OAS 3.1 §4.8.26). */
export function createXmlCodec(mediaType: string, { shape, rootName }: Description): Codec {
  const declared = readContentType(mediaType);
  return {
    isValidated: true,
    decode: (bytes, contentType) => {
      refuseCrowded(bytes, 'xml');
      return readXml(readText(bytes, withXmlCharset(bytes, contentType)), shape);
    },
    encode: (value) => {
      // An example in a document may be markup already.
      if (typeof value === 'string' && value.trimStart().startsWith('<')) return value;
      return writeText(writeXml(value, shape, rootName), declared);
    },
  };
}

/** Adds the charset of the XML declaration if Content-Type has none (RFC 7303 §3). */
function withXmlCharset(
  bytes: Uint8Array,
  contentType: Parameters<Codec['decode']>[1],
): Parameters<Codec['decode']>[1] {
  if (contentType.parameters.has('charset')) return contentType;
  if (bytes[0] === 0xfe || bytes[0] === 0xff) {
    return { ...contentType, parameters: new Map([['charset', 'utf-16']]) };
  }
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, charset] = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(start) ?? [];
  return charset === undefined
    ? contentType
    : { ...contentType, parameters: new Map([['charset', charset]]) };
}
