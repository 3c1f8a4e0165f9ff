import { Problem, type Violation } from '../base/problem.ts';
import { readContentType } from '../media/content-type.ts';
import type { Content } from './content.ts';

/**
 * Judges a body that is written already, as whoever receives it reads it.
 *
 * @returns what of it the contract does not allow; nothing where no schema can judge such a body
 */
export function judgeWritten(content: Content, written: string | Uint8Array): readonly Violation[] {
  const { schema, isJudged, sentAs } = content;
  if (schema === undefined || !isJudged) return [];
  const type = readContentType(sentAs);
  try {
    return schema.check(content.codecFor(type).decode(Buffer.from(written), type), 'body');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `the body is not ${sentAs}: ${error.message}`;
    return [{ in: 'body', pointer: '', keyword: 'type', expected: sentAs, got: '', message }];
  }
}
