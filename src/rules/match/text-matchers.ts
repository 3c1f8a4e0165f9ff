import type { SourceDocument } from '../../document/source-document.ts';
import { compileTextPattern, PatternError } from '../../schema/pattern/linear.ts';
import { distanceOf } from '../text-distance.ts';
import { readInstant } from '../turn/instant.ts';
import type { DefinitionOf } from './matcher-form.ts';
import { quoteValue, type ValueMatcher } from './value-matcher.ts';

export function matchText({ text, isCaseInsensitive }: DefinitionOf<'equalTo'>): ValueMatcher {
  const fold = (some: string): string => (isCaseInsensitive ? some.toLowerCase() : some);
  const wanted = fold(text);
  return {
    complain: () => `not ${quoteValue(text)}`,
    matches: (subject) => subject.text !== undefined && fold(subject.text) === wanted,
    distance: (subject) => distanceOf(fold(subject.text ?? ''), wanted),
  };
}

export function matchContained(part: string): ValueMatcher {
  return {
    complain: () => `which does not contain ${quoteValue(part)}`,
    matches: ({ text }) => text?.includes(part) === true,
    distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, part)),
  };
}

export function matchPattern(
  file: SourceDocument,
  { pointer, text: source }: { readonly pointer: string; readonly text: string },
): ValueMatcher {
  try {
    const pattern = compileTextPattern(source);
    return {
      complain: () => `which does not match ${quoteValue(source)}`,
      matches: ({ text }) => text !== undefined && pattern.matchesWhole(text),
      distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, source)),
    };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw file.fail(pointer, error.message, error.remedy);
  }
}

export function matchInstant(
  file: SourceDocument,
  { kind, pointer, text: written }: DefinitionOf<'before' | 'after' | 'equalToDateTime'>,
): ValueMatcher {
  const wanted = readInstant(written);
  if (wanted === undefined) {
    throw file.fail(
      pointer,
      `${quoteValue(written)} is no date or date-time`,
      'Write it as ISO 8601 has it, such as 2027-01-31T12:00:00Z; "now" is not taken.',
    );
  }
  const words = { before: 'before', after: 'after', equalToDateTime: 'at' };
  return {
    complain: () => `not ${words[kind]} ${written}`,
    matches({ text }) {
      const instant = text === undefined ? undefined : readInstant(text);
      if (instant === undefined) return false;
      if (kind === 'equalToDateTime') return instant === wanted;
      return kind === 'before' ? instant < wanted : instant > wanted;
    },
    distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, written) || 1),
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function matchBytes(
  file: SourceDocument,
  { pointer, text }: DefinitionOf<'binaryEqualTo'>,
): ValueMatcher {
  if (!BASE64.test(text)) {
    throw file.fail(pointer, 'this is not base64', 'Write the bytes in base64 (RFC 4648 §4).');
  }
  const wanted = Buffer.from(text, 'base64');
  return {
    complain: () => `not the ${wanted.length} bytes that are wanted`,
    matches: ({ bytes }) => bytes !== undefined && wanted.equals(bytes),
    distance: () => 1,
  };
}
