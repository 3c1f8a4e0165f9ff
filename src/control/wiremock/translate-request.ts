import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { listOf, objectOf, textOf } from '../members.ts';
import { findStrangers, unsupported } from './unsupported.ts';

const KNOWN = [
  'method',
  'url',
  'urlPattern',
  'urlPath',
  'urlPathPattern',
  'urlPathTemplate',
  'pathParameters',
  'queryParameters',
  'headers',
  'cookies',
  'bodyPatterns',
  'basicAuthCredentials',
];

const REASONS: ReadonlyMap<string, string> = new Map([
  ['formParameters', 'is not taken: say bodyPatterns with matchesJsonPath, a form is a value here'],
  ['multipartPatterns', 'is not taken: say bodyPatterns with matchesJsonPath'],
  ['customMatcher', 'is not taken: there is no code of yours here'],
  ['host', 'is not taken: there is one host'],
  ['port', 'is not taken: there is one port'],
  ['scheme', 'is not taken: there is one scheme'],
  ['clientIp', 'is not taken: sessions tell clients apart'],
]);

const URLS = ['url', 'urlPattern', 'urlPath', 'urlPathPattern', 'urlPathTemplate'];

/**
 * Says a request pattern of WireMock as the `match` of a rule.
 *
 * @returns the match; empty for a pattern that says nothing
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING with everything that has no equal here
 */
export function translateRequest(request: JsonObject, contract: Contract): JsonObject {
  const reasons = [...findStrangers(request, 'request.', KNOWN, REASONS)];
  const urls = URLS.filter((name) => textOf(request, name) !== undefined);
  if (urls.length > 1) reasons.push(`request has ${urls.join(' and ')}, which exclude each other`);
  if (reasons.length > 0) throw unsupported(reasons);
  const pathParameters = objectOf(request, 'pathParameters');
  return {
    ...translateUrl(request, contract),
    ...(pathParameters !== undefined && {
      pathParameters: renamePathParameters(pathParameters, request, contract),
    }),
    ...translateParameters(request, 'queryParameters', 'query'),
    ...translateParameters(request, 'headers', 'headers'),
    ...translateParameters(request, 'cookies', 'cookies'),
    ...translateBody(request),
    ...translateCredential(request),
  };
}

/** ANY, and none, are all methods. */
export function methodOf(request: JsonObject): string | undefined {
  const method = textOf(request, 'method')?.toUpperCase();
  return method === 'ANY' ? undefined : method;
}

function translateUrl(request: JsonObject, contract: Contract): JsonObject {
  const method = methodOf(request);
  const beginning: JsonObject = method === undefined ? {} : { method };
  const [name, matcher] = urlMatcherOf(request, contract);
  if (matcher !== undefined) return { ...beginning, [name]: matcher };
  // A method alone needs a path beside it.
  return method === undefined ? {} : { ...beginning, urlPath: { matches: '.*' } };
}

function urlMatcherOf(
  request: JsonObject,
  contract: Contract,
): readonly [name: string, matcher: JsonObject | undefined] {
  const url = textOf(request, 'url');
  if (url !== undefined) return ['url', { equalTo: url }];
  const urlPattern = textOf(request, 'urlPattern');
  if (urlPattern !== undefined) return ['url', { matches: urlPattern }];
  const urlPath = textOf(request, 'urlPath');
  if (urlPath !== undefined) return ['urlPath', { equalTo: urlPath }];
  const pattern = textOf(request, 'urlPathPattern');
  if (pattern !== undefined) return ['urlPath', { matches: pattern }];
  const template = textOf(request, 'urlPathTemplate');
  if (template === undefined || findByTemplate(template, contract).length > 0) {
    return ['urlPath', template === undefined ? undefined : { matches: toPattern(template) }];
  }
  throw unsupported([`request.urlPathTemplate ${template} is no path of the document`]);
}

/** @returns the operations whose path is this template, whatever its parameters are called */
export function findByTemplate(template: string, { operations }: Contract): readonly Operation[] {
  const shape = shapeOf(template);
  return operations.filter(({ path }) => shapeOf(path) === shape);
}

function shapeOf(template: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** @returns a regular expression for the paths that a template stands for */
export function toPattern(template: string): string {
  return template
    .split(/\{[^{}]*\}/)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('[^/]+');
}

/** The document may call the parameters of a path by other names than the mapping does. */
function renamePathParameters(
  expected: JsonObject,
  request: JsonObject,
  contract: Contract,
): JsonObject {
  const template = textOf(request, 'urlPathTemplate');
  const [operation] = template === undefined ? [] : findByTemplate(template, contract);
  if (template === undefined || operation === undefined) {
    throw unsupported(['request.pathParameters needs a urlPathTemplate that the document has']);
  }
  const names = namesOf(template);
  const declared = namesOf(operation.path);
  return Object.fromEntries(
    Object.entries(expected).map(([name, pattern]) => {
      const own = declared[names.indexOf(name)];
      if (own === undefined)
        throw unsupported([`request.pathParameters has no ${name} in its path`]);
      return [own, translatePattern(pattern)];
    }),
  );
}

function namesOf(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function translateParameters(request: JsonObject, from: string, to: string): JsonObject {
  const expected = objectOf(request, from);
  if (expected === undefined || Object.keys(expected).length === 0) return {};
  const entries = Object.entries(expected).map(
    ([name, pattern]) => [name, translatePattern(pattern)] as const,
  );
  return { [to]: Object.fromEntries(entries) };
}

function translateBody(request: JsonObject): JsonObject {
  const patterns = listOf(request, 'bodyPatterns');
  if (patterns === undefined || patterns.length === 0) return {};
  return { bodyPatterns: patterns.map(translatePattern) };
}

function translateCredential(request: JsonObject): JsonObject {
  const credentials = objectOf(request, 'basicAuthCredentials');
  if (credentials === undefined) return {};
  const username = textOf(credentials, 'username') ?? '';
  return { credential: `${username}:${textOf(credentials, 'password') ?? ''}` };
}

const TEXT_MATCHERS = ['equalTo', 'contains', 'doesNotContain', 'matches', 'doesNotMatch'];

/**
 * The value matchers have WireMock's names already. Its clients write numbers and booleans where
 * WireMock reads texts, and leave members open by null.
 */
function translatePattern(pattern: JsonValue): JsonValue {
  if (!isJsonObject(pattern)) return pattern;
  const entries = Object.entries(pattern).flatMap(([name, value]) => {
    if (value === null) return [];
    if (TEXT_MATCHERS.includes(name) && typeof value !== 'object') return [[name, String(value)]];
    return [[name, translateNested(name, value)]];
  });
  return Object.fromEntries(entries);
}

function translateNested(name: string, value: JsonValue): JsonValue {
  const isList = ['and', 'or', 'hasExactly', 'includes'].includes(name);
  if (isList && Array.isArray(value)) return value.map(translatePattern);
  if (name === 'not' || name === 'matchesJsonPath') return translatePattern(value);
  return value;
}
