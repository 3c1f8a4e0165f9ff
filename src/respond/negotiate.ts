import { getMember, isJsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import type { Content } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import { coverage, rankMediaTypes, readMediaType } from '../http/media-type.ts';
import { allowsContent, splitOutsideQuotes } from '../http/message.ts';
import { type Preference, readPrefer, readPreferQuery } from '../http/prefer.ts';
import { readQuery } from '../http/query.ts';
import type { RoutedRequest, ValidRequest } from '../request/request.ts';

/**
 * Returns the declared content that the request's Accept admits; else the one that is related to a
 * media type of it, else the first, as a server may disregard the field (RFC 9110 §12.5.1). Returns
 * undefined if the response declares no content, or its status allows none.
 */
export function negotiate(request: ValidRequest, declared: Declared): Content | undefined {
  const { status, response } = declared;
  if (!allowsContent(status)) return undefined;
  const { contents, streams } = response;
  if (streams.length === 0) return choose(request, contents);
  const whole = contents.filter(({ isStream }) => !isStream);
  const isStreamed = findStream(request, declared) !== undefined;
  // A stream carries the body that the same request gets without one.
  if (isStreamed) return whole.find(({ isJson }) => isJson) ?? choose(request, streams);
  return choose(request, whole.length > 0 ? whole : streams);
}

/** Returns the media type of a stream: by the boolean `stream` of the request, else by Accept. */
export function findStream(request: ValidRequest, { response }: Declared): Content | undefined {
  const { contents, streams } = response;
  if (streams.length === 0) return undefined;
  const isWanted = wantsStream(request);
  if (isWanted === undefined) {
    const content = choose(request, contents);
    return content?.isStream ? content : undefined;
  }
  return isWanted || streams.length === contents.length ? choose(request, streams) : undefined;
}

/** Returns what the request says in its `stream`; undefined if the operation declares none. */
function wantsStream({ operation, parameters, body }: ValidRequest): boolean | undefined {
  const { streamSwitch } = operation;
  if (typeof streamSwitch !== 'string') return streamSwitch;
  const inBody = isJsonObject(body?.value) ? getMember(body.value, streamSwitch) : undefined;
  const inQuery = parameters.find((one) => one.in === 'query' && one.name === streamSwitch);
  return (inQuery?.value ?? inBody) === true;
}

function choose({ fields }: RoutedRequest, contents: readonly Content[]): Content | undefined {
  const [first] = contents;
  const accept = fields.get('accept');
  if (first === undefined || accept === undefined || accept === '*/*') return first;
  if (accept === first.mediaType) return first;
  return findAdmitted(accept, contents) ?? findRelated(accept, contents) ?? first;
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
  const declared = contents.map(({ mediaType }) => mediaType).join(', ');
  throw new Problem(
    'NOT_ACCEPTABLE',
    `Accept admits none of the declared media types, which are ${declared}`,
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

/** Returns a media type that the client names inside a declared range, if it can be written. */
function findInRanges(accept: string, contents: readonly Content[]): Content | undefined {
  const ranges = contents.filter(({ mediaType }) => mediaType.includes('*'));
  if (ranges.length === 0) return undefined;
  for (const type of rankMediaTypes(accept, namedTypes(accept))) {
    const range = ranges.find(({ mediaType }) => coverage(mediaType, type) > 0);
    if (range?.codecFor({ type }).isValidated) return range.as(type);
  }
  return undefined;
}

function namedTypes(accept: string): readonly string[] {
  return splitOutsideQuotes(accept, ',').flatMap((element) => {
    const type = readMediaType(element);
    return type === undefined || type.includes('*') ? [] : [type];
  });
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
