import type { Match, ParameterValue } from '../contract/operation-request.ts';
import type { Parameter } from '../contract/parameters.ts';
import { readCookies } from '../http/cookies.ts';
import { readQuery } from '../http/query.ts';
import { readExactNumber } from '../json/number.ts';
import type { JsonValue } from '../json/value.ts';

const NONE: readonly ParameterValue[] = [];

/** @returns the value of each declared parameter, undefined for one that did not come */
export function decodeParameters(match: Match): readonly ParameterValue[] {
  const { parameters } = match.operation;
  if (parameters.length === 0) return NONE;
  const find = textFinder(match);
  return parameters.map((parameter) => {
    const texts = find(parameter);
    const value = texts === undefined ? undefined : readValue(parameter, texts);
    return { name: parameter.name, in: parameter.in, value };
  });
}

/** Finds the texts that came for a parameter; query and cookies are read once, if at all. */
function textFinder(match: Match): (parameter: Parameter) => readonly string[] | undefined {
  const { request, pathParameters } = match;
  let query: ReturnType<typeof readQuery> | undefined;
  let cookies: ReturnType<typeof readCookies> | undefined;
  return ({ in: location, name }) => {
    switch (location) {
      case 'path':
        return asList(pathParameters.get(name));
      case 'header':
        return asList(request.fields.get(name.toLowerCase()));
      case 'cookie':
        cookies ??= readCookies(request.fields.get('cookie'));
        return asList(cookies.get(name));
      case 'query': {
        query ??= readQuery(match.query);
        const texts = query.filter(([key]) => key === name).map(([, text]) => text);
        return texts.length === 0 ? undefined : texts;
      }
    }
  };
}

function asList(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}

/** The default styles (OAS 3.1 §4.8.12.2): `form` in query and cookie, `simple` elsewhere. */
function readValue(parameter: Parameter, texts: readonly string[]): JsonValue {
  const [first = ''] = texts;
  if (!parameter.types.has('array')) return readScalar(first, parameter.types);
  const isExploded = parameter.explode && parameter.in === 'query';
  const items = isExploded ? texts : first.split(',');
  return items.map((item) => readScalar(item.trim(), parameter.itemTypes));
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DECIMAL_INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** A text as the types of its schema have it; one that is of none of them stays a text. */
function readScalar(text: string, types: ReadonlySet<string>): JsonValue {
  const isNumber = types.has('number') && JSON_NUMBER.test(text);
  const isInteger = types.has('integer') && DECIMAL_INTEGER.test(text);
  if (isNumber || isInteger) return readExactNumber(text) ?? text;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('null') && text === '') return null;
  return text;
}
