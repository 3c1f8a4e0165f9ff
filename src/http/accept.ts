import Negotiator from 'negotiator';
import { readMediaType } from './media-type.ts';

/**
 * The declared media types that an Accept field admits, best first (RFC 9110 §12.5.1).
 *
 * @param accept the field; absent, empty or unreadable admits all
 * @param declared media types as the document declares them, in its order
 */
export function rankMediaTypes(
  accept: string | undefined,
  declared: readonly string[],
): readonly string[] {
  if (accept === undefined || !/[^\s/;,]+\/[^\s/;,]+/.test(accept)) return declared;
  const types = declared.map((type) => readMediaType(type) ?? type);
  const admitted = new Negotiator({ headers: { accept } }).mediaTypes(types);
  return admitted.flatMap((type) => declared[types.indexOf(type)] ?? []);
}
