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
 * Returns the declared content that the request's Accept admits; else the one that is related to a
 * media type of it, else the first, as a server may disregard the field (RFC 9110 §12.5.1). Returns
 * undefined if the response declares no content, or its status allows none.
 */
export function negotiate(fields: Fields, declared: Declared): Content | undefined {
  const { status, response } = declared;
  const [first] = response.contents;
  if (first === undefined || !allowsContent(status)) return undefined;
  const accept = fields.get('accept');
  if (accept === undefined || accept === '*/*' || accept === first.mediaType) return first;
  return findAdmitted(accept, response.contents) ?? findRelated(accept, response.contents) ?? first;
}

/**
 * A source that refuses requests whose Accept admits no media type of the success.
 *
 * @throws {Problem} NOT_ACCEPTABLE
 */
export function refuseUnacceptable({ operation, fields }: RoutedRequest): undefined {
  const { status, response } = operation.responses.success ?? { status: 204 };
  const accept = fields.get('accept');
  if (accept === undefined || response === undefined || !allowsContent(status)) return;
  const { contents } = response;
  if (contents.length === 0 || findAdmitted(accept, contents) !== undefined) return;
  throw new Problem(
    'NOT_ACCEPTABLE',
    `Accept admits none of the declared media types, which are ${listTypes(contents)}`,
  );
}

function findAdmitted(accept: string, contents: readonly Content[]): Content | undefined {
  const types = contents.map(({ sentAs }) => sentAs);
  const [best] = rankMediaTypes(accept, types);
  return best === undefined
    ? findInRanges(accept, contents)
    : contents.find(({ sentAs }) => sentAs === best);
}

function findRelated(accept: string, contents: readonly Content[]): Content | undefined {
  for (const type of rankMediaTypes(accept, namedTypes(accept))) {
    const related = contents.find((content) => content.isRelatedTo(type));
    if (related !== undefined) return related;
  }
  return undefined;
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
