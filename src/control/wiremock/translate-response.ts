import { isUtf8 } from 'node:buffer';
import { JsonError, parseJson } from '../../base/json/parse.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { flagOf, listOf, numberOf, objectOf, textOf } from '../members.ts';
import { findStrangers, unsupported } from './unsupported.ts';

const KNOWN = [
  'status',
  'body',
  'jsonBody',
  'base64Body',
  'headers',
  'fault',
  'fixedDelayMilliseconds',
  'delayDistribution',
  'chunkedDribbleDelay',
  'transformers',
  // What no client can tell from its absence.
  'statusMessage',
  'fromConfiguredStub',
  'removeProxyRequestHeaders',
];

const REASONS: ReadonlyMap<string, string> = new Map([
  ['proxyBaseUrl', 'is not taken: nothing is proxied'],
  ['additionalProxyRequestHeaders', 'is not taken: nothing is proxied'],
  ['proxyUrlPrefixToRemove', 'is not taken: nothing is proxied'],
  ['bodyFileName', 'is not taken: no files are read for clients, give the body itself'],
  ['transformerParameters', 'is not taken: there is no code of yours here'],
]);

const TEMPLATES = 'response-template';

/**
 * Says a response definition of WireMock as the `answer` of a rule.
 *
 * @param isOffContract true for an answer that the document need not allow
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING with everything that has no equal here
 */
export function translateResponse(response: JsonObject, isOffContract: boolean): JsonObject {
  const reasons = [...findStrangers(response, 'response.', KNOWN, REASONS)];
  const transformers = listOf(response, 'transformers') ?? [];
  for (const name of transformers) {
    if (name === TEMPLATES) continue;
    reasons.push(`response.transformers has ${String(name)}, there is ${TEMPLATES} alone`);
  }
  if (reasons.length > 0) throw unsupported(reasons);
  const fault = textOf(response, 'fault');
  const happens = pick(response, ['fixedDelayMilliseconds', 'delayDistribution']);
  // In WireMock a fault comes in place of everything else.
  if (fault !== undefined) return { fault, ...happens };
  const hasTemplates = transformers.includes(TEMPLATES);
  if (hasTemplates) refuseHandlebars(response);
  const body = bodyOf(response);
  return {
    status: numberOf(response, 'status') ?? 200,
    ...(body !== undefined && { body }),
    ...translateHeaders(response, body, isOffContract),
    ...(hasTemplates && { template: true }),
    ...happens,
    ...pick(response, ['chunkedDribbleDelay']),
    ...(isOffContract && { offContract: true }),
  };
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = getMember(object, name);
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

/** A text that is JSON is the value that it says; where JSON is declared no other can be meant. */
function bodyOf(response: JsonObject): JsonValue | undefined {
  const value = getMember(response, 'jsonBody');
  if (value !== undefined && value !== null) return value;
  const text = textOf(response, 'body') ?? decode(textOf(response, 'base64Body'));
  if (text === undefined || text === '') return undefined;
  if (contentTypeOf(response) !== undefined && !isJson(contentTypeOf(response))) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return text;
    throw error;
  }
}

function decode(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw unsupported(['response.base64Body is no text, and only texts can be given here']);
}

function contentTypeOf(response: JsonObject): string | undefined {
  const headers = objectOf(response, 'headers') ?? {};
  const [, value] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return typeof value === 'string' ? value : undefined;
}

function isJson(contentType: string | undefined): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType ?? '');
}

/** What a recorded mapping has of them says how the recorded answer was sent. */
const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/** The media type is the contract's to say; off the contract it is that of the body. */
function translateHeaders(
  response: JsonObject,
  body: JsonValue | undefined,
  isOffContract: boolean,
): JsonObject {
  const isOwnType = isOffContract && body !== undefined && !isJson(contentTypeOf(response));
  const entries = Object.entries(objectOf(response, 'headers') ?? {}).flatMap(([name, value]) => {
    if (/^content-type$/i.test(name) && !isOwnType) return [];
    if (FRAMING.test(name)) return [];
    if (Array.isArray(value) && value.length > 1) {
      throw unsupported([`response.headers.${name} has several values, and may have one here`]);
    }
    const [one = ''] = Array.isArray(value) ? value : [value];
    return [[name, isJsonObject(one) ? '' : String(one)]];
  });
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;
/** What Handlebars and Liquid say alike: `request.path`, `request.headers.X-Trace`. */
const PLAIN_EXPRESSION = /^\{?\s*request(?:\.[A-Za-z_][\w-]*)+\s*$/;

/** Templates are Liquid here; what they and Handlebars read alike is taken. */
function refuseHandlebars(response: JsonObject): void {
  const body = getMember(response, 'jsonBody') ?? getMember(response, 'body');
  for (const text of textsOf([body ?? null, objectOf(response, 'headers') ?? null])) {
    for (const [whole, expression = ''] of text.matchAll(EXPRESSION)) {
      if (PLAIN_EXPRESSION.test(expression)) continue;
      throw unsupported([
        `${whole.slice(0, 80)} is Handlebars, and templates are Liquid here: ` +
          'request.path, request.query.x, request.headers.x and their like are the same in both',
      ]);
    }
  }
}

function* textsOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isJsonObject(value)) for (const item of Object.values(value)) yield* textsOf(item);
}

/** True where a mapping's metadata say that the document need not allow its answer. */
export function isOffContract(mapping: JsonObject): boolean {
  const own = objectOf(objectOf(mapping, 'metadata') ?? {}, 'coldframe') ?? {};
  return flagOf(own, 'offContract') === true;
}
