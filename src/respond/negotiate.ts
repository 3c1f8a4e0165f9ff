import { Problem } from '../base/problem.ts';
import type { Content } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import { coverage, rankMediaTypes, readMediaType } from '../http/media-type.ts';
import { allowsContent, type Fields } from '../http/message.ts';
import { type Preference, readPrefer, readPreferQuery } from '../http/prefer.ts';
import { readQuery } from '../http/query.ts';
import { splitOutsideQuotes } from '../http/split.ts';
import type { RoutedRequest } from '../request/request.ts';

/**
 * Chooses among the declared media types by the request's Accept (RFC 9110 §12.5.1).
 *
 * @returns undefined if the response declares no content, or its status allows none
 * @throws {Problem} NOT_ACCEPTABLE if Accept admits none
 */
export function negotiate(fields: Fields, declared: Declared): Content | undefined {
  const content = findAcceptable(fields, declared);
  if (content !== undefined) return content;
  const { status, response } = declared;
  if (response.contents.length === 0 || !allowsContent(status)) return undefined;
  throw new Problem(
    'NOT_ACCEPTABLE',
    `Accept admits none of the declared media types, which are ${listTypes(response.contents)}`,
  );
}

/** Like {@link negotiate}, but returns undefined if Accept admits none. */
export function findAcceptable(fields: Fields, declared: Declared): Content | undefined {
  const { status, response } = declared;
  const [first] = response.contents;
  if (first === undefined || !allowsContent(status)) return undefined;
  const accept = fields.get('accept');
  if (accept === undefined || accept === '*/*' || accept === first.mediaType) return first;
  const types = response.contents.map(({ sentAs }) => sentAs);
  const [best] = rankMediaTypes(accept, types);
  return best === undefined
    ? findInRanges(accept, response.contents)
    : response.contents.find(({ sentAs }) => sentAs === best);
}

/**
 * Returns a media type that the client names inside a declared range, if the schema's values can be
 * written in it.
 */
function findInRanges(accept: string, contents: readonly Content[]): Content | undefined {
  const ranges = contents.filter(({ mediaType }) => mediaType.includes('*'));
  if (ranges.length === 0) return undefined;
  for (const type of rankMediaTypes(accept, namedTypes(accept))) {
    const range = ranges.find(({ mediaType }) => coverage(mediaType, type) > 0);
    if (range?.codecFor({ type, parameters: NO_PARAMETERS }).isValidated) return range.as(type);
  }
  return undefined;
}

const NO_PARAMETERS: ReadonlyMap<string, string> = new Map();

function namedTypes(accept: string): readonly string[] {
  return splitOutsideQuotes(accept, ',').flatMap((element) => {
    const type = readMediaType(element);
    return type === undefined || type.includes('*') ? [] : [type];
  });
}

function listTypes(contents: readonly Content[]): string {
  return contents.map(({ mediaType }) => mediaType).join(', ');
}

const NO_PREFERENCE: Preference = {};

/** Reads what the client prefers. The Prefer field comes before the query. */
export function readPreference(request: RoutedRequest): Preference {
  const field = request.fields.get('prefer');
  const hasQuery = request.query.includes('__');
  if (field === undefined && !hasQuery) return NO_PREFERENCE;
  return {
    ...(hasQuery && readPreferQuery(readQuery(request.query))),
    ...(field !== undefined && readPrefer(field)),
  };
}
