import { STATUS_CODES } from 'node:http';
import type { Problem } from '../base/problem.ts';

type Cause = Pick<Problem, 'status'> & { readonly problem: string };

/** A code of an enumeration, or a variant of an error body, with the names that it has. */
export interface Named {
  readonly names: readonly string[];
  /** The letters of the names. */
  readonly words: readonly string[];
}

/** Reads the names of an error once: it is compared with the cause of each refusal. */
export function readNames(names: readonly string[]): Named {
  return { names, words: names.map(toWord).filter((word) => word !== '') };
}

/** Returns the error whose names are nearest to a cause; undefined if none says the same. */
export function findNearest<Candidate extends Named>(
  candidates: readonly Candidate[],
  { problem, status }: Cause,
): Candidate | undefined {
  const causes = [problem, STATUS_CODES[status] ?? '', ...(SYNONYMS[status] ?? [])]
    .map(toWord)
    .filter((one) => one !== '');
  const find = (fits: (word: string, cause: string) => boolean): Candidate | undefined => {
    for (const cause of causes) {
      const found = candidates.find(({ words }) => words.some((word) => fits(word, cause)));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find((word, cause) => word.includes(cause)) ?? find((word, cause) => cause.includes(word));
}

/** Returns the general error for a cause's class of status codes; undefined for none. */
export function findGeneral<Candidate extends Named>(
  candidates: readonly Candidate[],
  { status }: Cause,
): Candidate | undefined {
  const find = (pattern: RegExp): Candidate | undefined =>
    candidates.find(({ names }) => names.some((name) => pattern.test(name)));
  const ofClass =
    status < 500
      ? find(/invalid|request|client|bad/i)
      : findNearest(candidates, { problem: '', status: 500 });
  return ofClass ?? find(/unknown|general|other|^(?:api)?[_.\- ]?error$/i);
}

const SYNONYMS: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid', 'bad'],
  401: ['unauthenticated', 'authentication', 'token'],
  402: ['payment', 'card', 'billing', 'quota', 'credit'],
  403: ['access denied', 'permission'],
  404: ['missing', 'no such'],
  408: ['timeout', 'timed out'],
  409: ['exists', 'duplicate'],
  413: ['too large'],
  415: ['media type'],
  422: ['validation', 'invalid', 'bad request'],
  429: ['rate limit', 'throttl'],
  500: ['internal', 'server error', 'api error'],
  503: ['unavailable', 'overload'],
  504: ['timeout', 'timed out'],
  529: ['overload'],
};

/** Returns the letters of a name, without the ending that says that it is an error. */
function toWord(text: string): string {
  const letters = text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return letters.replace(/(?:error|exception|problem|response|body|schema|model)+$/, '');
}
