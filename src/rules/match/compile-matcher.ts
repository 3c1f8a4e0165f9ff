import type { SourceDocument } from '../../document/source-document.ts';
import { matchJson, matchPath, matchSchema } from './json-matchers.ts';
import type { MatcherDefinition } from './matcher-form.ts';
import { matchNumber } from './number-matcher.ts';
import {
  matchBytes,
  matchContained,
  matchInstant,
  matchPattern,
  matchText,
} from './text-matchers.ts';
import { quoteValue, type Subject, type ValueMatcher } from './value-matcher.ts';

/**
 * @param file that the matcher stands in, for places
 * @throws {DiagnosticError} for operands that mean nothing: patterns, paths, schemas, dates
 */
export function compileMatcher(file: SourceDocument, definition: MatcherDefinition): ValueMatcher {
  switch (definition.kind) {
    case 'equalTo':
      return matchText(definition);
    case 'contains':
      return matchContained(definition.text);
    case 'matches':
      return matchPattern(file, definition);
    case 'doesNotContain':
      return invert(
        matchContained(definition.text),
        `which contains ${quoteValue(definition.text)}`,
      );
    case 'doesNotMatch':
      return invert(matchPattern(file, definition), `which matches ${quoteValue(definition.text)}`);
    case 'before':
    case 'after':
    case 'equalToDateTime':
      return matchInstant(file, definition);
    case 'binaryEqualTo':
      return matchBytes(file, definition);
    case 'absent':
      return {
        complain: () => 'not absent',
        matches: ({ text }) => text === undefined,
        distance: all,
      };
    case 'equalToJson':
      return matchJson(file, definition);
    case 'matchesJsonPath':
      return matchPath(
        file,
        definition,
        definition.found && compileMatcher(file, definition.found),
      );
    case 'matchesJsonSchema':
      return matchSchema(file, definition);
    case 'and':
      return matchAll(definition.matchers.map((matcher) => compileMatcher(file, matcher)));
    case 'or':
      return matchAny(definition.matchers.map((matcher) => compileMatcher(file, matcher)));
    case 'not':
      return invert(compileMatcher(file, definition.matcher), 'which is what it must not be');
    default:
      return matchNumber(definition.kind, definition.number);
  }
}

/** Where there is no half way. */
function all(): number {
  return 1;
}

function invert(matcher: ValueMatcher, complaint: string): ValueMatcher {
  return {
    complain: () => complaint,
    matches: (subject) => !matcher.matches(subject),
    distance: all,
  };
}

function matchAll(matchers: readonly ValueMatcher[]): ValueMatcher {
  const failed = (subject: Subject): readonly ValueMatcher[] =>
    matchers.filter((matcher) => !matcher.matches(subject));
  return {
    complain: (subject) => listComplaints(failed(subject), subject, ', and '),
    matches: (subject) => matchers.every((matcher) => matcher.matches(subject)),
    distance(subject) {
      const sum = failed(subject).reduce((total, one) => total + one.distance(subject), 0);
      return Math.max(sum / matchers.length, Number.EPSILON);
    },
  };
}

function matchAny(matchers: readonly ValueMatcher[]): ValueMatcher {
  return {
    complain: (subject) => listComplaints(matchers, subject, ', or '),
    matches: (subject) => matchers.some((matcher) => matcher.matches(subject)),
    distance: (subject) => Math.min(...matchers.map((matcher) => matcher.distance(subject))),
  };
}

function listComplaints(
  matchers: readonly ValueMatcher[],
  subject: Subject,
  separator: string,
): string {
  return matchers.map((matcher) => matcher.complain(subject)).join(separator);
}
