import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import type { Description, PropertyEncoding } from './codec.ts';
import { concreteMediaType } from './content-type.ts';
import type { Shape } from './shape.ts';
import { toText } from './text-codec.ts';

/**
 * Writes an object as `multipart/form-data`, and a list as parts without names.
 *
 * @throws {Problem} NOT_CONFORMING if a part contains the boundary
 */
export function writeMultipart(
  value: JsonValue,
  description: Description,
  boundary: string,
): string {
  const { shape, encodings } = description;
  const parts = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        writeMember(name, member, shape.member(name), encodings.get(name)),
      )
    : [value]
        .flat()
        .map((item, index) =>
          writePart(undefined, item, shape.item(index), encodingAt(description, index)),
        );
  if (parts.some((part) => part.includes(boundary))) {
    throw new Problem(
      'NOT_CONFORMING',
      'a part of the response contains the boundary of the parts',
    );
  }
  return `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
}

/** Returns the encoding of a part without a name, by its index (OAS 3.2 §4.14.5). */
export function encodingAt(
  { encodings, itemEncoding }: Description,
  index: number,
): PropertyEncoding | undefined {
  return encodings.get(String(index)) ?? itemEncoding;
}

function writeMember(
  name: string,
  value: JsonValue,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
): readonly string[] {
  if (!Array.isArray(value)) return [writePart(name, value, shape, encoding)];
  return value.map((item, index) => writePart(name, item, shape.item(index), encoding));
}

function writePart(
  name: string | undefined,
  value: JsonValue,
  shape: Shape,
  encoding: PropertyEncoding | undefined,
): string {
  const declared = encoding?.contentType?.split(',')[0]?.trim();
  const usual = shape.isBinary
    ? 'application/octet-stream'
    : typeof value === 'object' && value !== null
      ? 'application/json'
      : undefined;
  const mediaType = declared === undefined ? usual : concreteMediaType(declared);
  const filename = shape.isBinary ? `; filename="${quoteName(name ?? 'file')}"` : '';
  const lines = [
    ...(name === undefined
      ? []
      : [`Content-Disposition: form-data; name="${quoteName(name)}"${filename}`]),
    ...(mediaType === undefined ? [] : [`Content-Type: ${mediaType}`]),
  ];
  return `${lines.map((line) => `${line}\r\n`).join('')}\r\n${toText(value)}`;
}

/** Escapes a name as browsers do (WHATWG HTML §4.10.21.8). */
function quoteName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
