import type { Content } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import { rankMediaTypes } from '../http/accept.ts';
import type { Fields } from '../http/message.ts';
import { allowsContent } from '../http/status.ts';
import { Problem } from '../problem.ts';

/**
 * Chooses among the declared media types by the request's Accept (RFC 9110 §12.5.1).
 *
 * @returns undefined when the response declares no content, or its status allows none
 * @throws {Problem} NOT_ACCEPTABLE when none is admitted
 */
export function negotiate(fields: Fields, { status, response }: Declared): Content | undefined {
  const [first] = response.contents;
  if (first === undefined || !allowsContent(status)) return undefined;
  const accept = fields.get('accept');
  if (accept === undefined || accept === '*/*' || accept === first.mediaType) return first;
  const declared = response.contents.map(({ mediaType }) => mediaType);
  const [best] = rankMediaTypes(accept, declared);
  const content = response.contents.find(({ mediaType }) => mediaType === best);
  if (content !== undefined) return content;
  throw new Problem(
    'NOT_ACCEPTABLE',
    `Accept admits none of the declared media types, which are ${declared.join(', ')}`,
  );
}

/** The media type to send for one that may be declared as a range. */
export function concreteMediaType(declared: string): string {
  if (!declared.includes('*')) return declared;
  return declared.startsWith('text/') ? 'text/plain' : 'application/json';
}
