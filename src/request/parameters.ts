import { JsonError } from '../base/json/parse.ts';
import { toPointer } from '../base/json/pointer.ts';
import { Problem } from '../base/problem.ts';
import { type Parameter, violationLocation } from '../contract/parameters.ts';
import { type Pair, splitCookies, splitPairs } from '../http/query.ts';
import { readContentType } from '../media/content-type.ts';
import { readFromPairs, readInAnyStyle } from '../media/query-reading.ts';
import { quote, type Reading, readText, StyleFault } from '../media/style.ts';
import type { ParameterValue, RoutedRequest } from './request.ts';

const NONE: readonly ParameterValue[] = [];

/**
 * Returns each declared parameter with its value, or with the violation of its style.
 *
 * @param deviations gets a sentence for each parameter that came in another style than its own
 */
export function decodeParameters(
  request: RoutedRequest,
  deviations?: string[],
): readonly ParameterValue[] {
  const { parameters } = request.operation;
  if (parameters.length === 0) return NONE;
  const texts: ParameterTexts = { request };
  return parameters.map((parameter) => {
    const reading = read(parameter, texts, deviations);
    const { name, in: location } = parameter;
    if (!(reading instanceof StyleFault)) return { name, in: location, value: reading };
    const keyword = parameter.content === undefined ? 'style' : 'content';
    const fault = reading.at(violationLocation(location), toPointer([name]), keyword);
    return { name, in: location, value: undefined, fault };
  });
}

/** The undecoded texts of parameters; query and cookies are split once, if at all. */
interface ParameterTexts {
  readonly request: RoutedRequest;
  query?: readonly Pair[];
  cookies?: readonly Pair[];
}

/** Returns undefined for a parameter that is not in the request. */
function read(
  parameter: Parameter,
  texts: ParameterTexts,
  deviations: string[] | undefined,
): Reading | undefined {
  const { in: location, name, content, serialization, claimed } = parameter;
  switch (location) {
    case 'path':
    case 'header': {
      const { rawPathParameters, fields } = texts.request;
      const isPath = location === 'path';
      const text = isPath ? rawPathParameters.get(name) : fields.get(name.toLowerCase());
      return text === undefined ? undefined : readContent(text, parameter);
    }
    case 'querystring': {
      const { query } = texts.request;
      return query === '' ? undefined : readContent(query, parameter);
    }
    case 'query':
      texts.query ??= splitPairs(texts.request.query);
      if (content !== undefined) return readContentPair(texts.query, parameter);
      if (parameter.allowEmptyValue && isEmpty(texts.query, name)) return '';
      return readInAnyStyle(texts.query, serialization, claimed, (came) =>
        deviations?.push(describeStyle(parameter, came)),
      );
    case 'cookie':
      texts.cookies ??= splitCookies(texts.request.fields.get('cookie'));
      if (content !== undefined) return readContentPair(texts.cookies, parameter);
      return readFromPairs(texts.cookies, serialization, claimed);
  }
}

function describeStyle({ name, serialization }: Parameter, came: string): string {
  const { style, explode } = serialization;
  const declared = `${style}${explode ? ', exploded' : ''}`;
  return `query${toPointer([name])} came as ${quote(came)}, and its style is ${declared}`;
}

function isEmpty(pairs: readonly Pair[], name: string): boolean {
  const own = pairs.filter((pair) => pair.name === name);
  return own.length > 0 && own.every(({ value }) => value === '');
}

function readContentPair(pairs: readonly Pair[], parameter: Parameter): Reading | undefined {
  const texts = pairs.filter(({ name }) => name === parameter.name);
  const [text] = texts;
  if (text === undefined) return undefined;
  if (texts.length > 1) return new StyleFault('come once', `${texts.length} values`);
  return readContent(text.value, parameter);
}

/** A value in a media type: JSON in a query parameter, a form as the whole query. */
function readContent(text: string, { content, serialization }: Parameter): Reading {
  if (content === undefined) return readText(text, serialization);
  const contentType = readContentType(content.sentAs);
  const isForm = contentType.type === 'application/x-www-form-urlencoded';
  const decoded = isForm ? text : serialization.decode(text);
  if (decoded === undefined) return new StyleFault('be percent-encoded UTF-8', quote(text));
  try {
    return content.codecFor(contentType).decode(Buffer.from(decoded), contentType);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = error.cause instanceof JsonError ? error.cause.message : error.message;
    return new StyleFault(`be ${contentType.type} (${reason})`, quote(decoded));
  }
}
