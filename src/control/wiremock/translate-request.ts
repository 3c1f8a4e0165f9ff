import { stringifyJson } from '../../base/json/stringify.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
} from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { parameterNames } from '../../contract/path-template.ts';
import { Fields, NO_BODY } from '../../http/message.ts';
import { LazyRequestView } from '../../request/create-view.ts';
import type { RequestPattern } from '../../request/view.ts';
import { compileMatches, refuseDiagnostics } from '../body-rules.ts';
import type { ControlCall } from '../call.ts';
import { listOf, objectOf, textOf } from '../members.ts';
import { findUnknownMembers, omitNulls, unsupported } from './refuse.ts';

/** The members for the URL; a request has one of them at most. */
export const URLS = ['url', 'urlPattern', 'urlPath', 'urlPathPattern', 'urlPathTemplate'];

const KNOWN = [
  'method',
  ...URLS,
  'pathParameters',
  'queryParameters',
  'headers',
  'cookies',
  'bodyPatterns',
  'basicAuthCredentials',
];

const REASONS: JsonObject = {
  formParameters:
    'is not supported: use bodyPatterns with matchesJsonPath, which sees a form as an object',
  multipartPatterns: 'is not supported: use bodyPatterns with matchesJsonPath',
  customMatcher: 'is not supported: Coldframe does not run custom code',
  host: 'is not supported: the mock has one host',
  port: 'is not supported: the mock has one port',
  scheme: 'is not supported: the mock has one scheme',
  clientIp: 'is not supported: use sessions to tell clients apart',
};

/** Translates a request pattern of WireMock to the `match` of a rule; empty for an empty one. */
export function translateRequest(request: JsonObject, contract: Contract): JsonObject {
  const reasons = [...findUnknownMembers(request, 'request.', KNOWN, REASONS)];
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

export function methodOf(request: JsonObject): string | undefined {
  const method = textOf(request, 'method')?.toUpperCase();
  return method === 'ANY' ? undefined : method;
}

function translateUrl(request: JsonObject, contract: Contract): JsonObject {
  const method = methodOf(request);
  const [name, matcher] = urlMatcherOf(request, contract);
  if (method === undefined) return matcher === undefined ? {} : { [name]: matcher };
  // In a rule, `method` needs a path beside it.
  return matcher === undefined
    ? { method, urlPath: { matches: '.*' } }
    : { method, [name]: matcher };
}

const URL_MATCHERS = [
  ['url', 'url', 'equalTo'],
  ['urlPattern', 'url', 'matches'],
  ['urlPath', 'urlPath', 'equalTo'],
  ['urlPathPattern', 'urlPath', 'matches'],
] as const;

function urlMatcherOf(
  request: JsonObject,
  contract: Contract,
): readonly [name: string, matcher: JsonObject | undefined] {
  for (const [member, name, matcher] of URL_MATCHERS) {
    const operand = textOf(request, member);
    if (operand !== undefined) return [name, { [matcher]: operand }];
  }
  const template = textOf(request, 'urlPathTemplate');
  if (template === undefined || findByTemplate(template, contract).length > 0) {
    return ['urlPath', template === undefined ? undefined : { matches: toPattern(template) }];
  }
  throw unsupported([`request.urlPathTemplate ${template} is not a path of the document`]);
}

/** Returns the operations whose path is this template, ignoring the names of parameters. */
export function findByTemplate(template: string, { operations }: Contract): readonly Operation[] {
  const shape = shapeOf(template);
  return operations.filter(({ path }) => shapeOf(path) === shape);
}

function shapeOf(template: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** Returns a regular expression that matches the paths of a template. */
export function toPattern(template: string): string {
  return template
    .split(/\{[^{}]*\}/)
    .map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('[^/]+');
}

/** Maps the mapping's names of path parameters to the document's, by position. */
function renamePathParameters(
  expected: JsonObject,
  request: JsonObject,
  contract: Contract,
): JsonObject {
  const template = textOf(request, 'urlPathTemplate');
  const [operation] = template === undefined ? [] : findByTemplate(template, contract);
  if (template === undefined || operation === undefined) {
    throw unsupported(['request.pathParameters needs a urlPathTemplate of the document']);
  }
  const names = parameterNames(template);
  const declared = parameterNames(operation.path);
  return Object.fromEntries(
    Object.entries(expected).map(([name, pattern]) => {
      const own = declared[names.indexOf(name)];
      if (own === undefined)
        throw unsupported([`request.pathParameters.${name} is not in the urlPathTemplate`]);
      return [own, translatePattern(pattern)];
    }),
  );
}

function translateParameters(request: JsonObject, from: string, to: string): JsonObject {
  const expected = objectOf(request, from);
  if (expected === undefined || Object.keys(expected).length === 0) return {};
  return { [to]: mapMembers(expected, translatePattern) };
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

/** WireMock's clients send numbers and booleans for strings, and null for unset members. */
function translatePattern(pattern: JsonValue): JsonValue {
  if (!isJsonObject(pattern)) return pattern;
  return mapMembers(omitNulls(pattern), (value, name) => {
    if (TEXT_MATCHERS.includes(name) && typeof value !== 'object') return String(value);
    const isList = ['and', 'or', 'hasExactly', 'includes'].includes(name);
    if (isList && Array.isArray(value)) return value.map(translatePattern);
    return name === 'not' || name === 'matchesJsonPath' ? translatePattern(value) : value;
  });
}

/** Compiles a request pattern of WireMock. It may name paths that the document does not have. */
export function compilePattern(call: ControlCall, request = call.members): RequestPattern {
  const { contract } = call.pipeline;
  const body = { request: translateRequest(request, contract) };
  const [pattern] = refuseDiagnostics(
    () => compileMatches(body, ['/request'], contract),
    ({ diagnostics }) =>
      unsupported(diagnostics.map(({ pointer, message }) => `${pointer}: ${message}`)),
  );
  if (pattern !== undefined) return pattern;
  throw unsupported(['the pattern cannot be read']);
}

/** Compiles the value matcher in a request body, for the metadata of stub mappings. */
export function matchesMetadata(call: ControlCall) {
  const compiled = compilePattern(call, { bodyPatterns: [call.members] });
  const fields = new Fields({ 'content-type': 'application/json' });
  return (metadata: JsonObject | undefined): boolean => {
    const rawBody = metadata === undefined ? NO_BODY : Buffer.from(stringifyJson(metadata));
    const request = { method: 'POST', target: '/', fields, rawBody };
    return compiled.matches(new LazyRequestView(request, call.session, call.settings.limits));
  };
}
