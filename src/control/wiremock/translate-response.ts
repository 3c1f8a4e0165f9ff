import { isUtf8 } from 'node:buffer';
import { parseJsonOrText } from '../../base/json/parse.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { flagOf, listOf, numberOf, objectOf, pick, textOf } from '../members.ts';
import { findUnknownMembers, omitNulls, unsupported } from './refuse.ts';

const KNOWN = [
  'status',
  'body',
  'jsonBody',
  'base64Body',
  'bodyFileName',
  'headers',
  'fault',
  'fixedDelayMilliseconds',
  'delayDistribution',
  'chunkedDribbleDelay',
  'transformers',
  // These have no effect that a client can observe.
  'statusMessage',
  'fromConfiguredStub',
  'removeProxyRequestHeaders',
];

const REASONS: JsonObject = {
  proxyBaseUrl: 'is not supported: Coldframe does not proxy',
  additionalProxyRequestHeaders: 'is not supported: Coldframe does not proxy',
  proxyUrlPrefixToRemove: 'is not supported: Coldframe does not proxy',
  transformerParameters: 'is not supported: Coldframe does not run custom code',
};

const TEMPLATES = 'response-template';

/** Translates a response definition of WireMock to the `answer` of a rule. */
export function translateResponse(sent: JsonObject, isOffContract: boolean): JsonObject {
  const response = omitNulls(sent);
  const reasons = [...findUnknownMembers(response, 'response.', KNOWN, REASONS)];
  const transformers = listOf(response, 'transformers') ?? [];
  for (const name of transformers) {
    if (name === TEMPLATES) continue;
    reasons.push(`response.transformers has ${String(name)}; only ${TEMPLATES} is supported`);
  }
  if (reasons.length > 0) throw unsupported(reasons);
  const fault = textOf(response, 'fault');
  const delay = pick(response, ['fixedDelayMilliseconds', 'delayDistribution']);
  // In WireMock a fault replaces the whole response.
  if (fault !== undefined) return { fault, ...delay };
  const hasTemplates = transformers.includes(TEMPLATES);
  if (hasTemplates) refuseHandlebars(response);
  const body = bodyOf(response);
  const bodyFile = textOf(response, 'bodyFileName');
  return {
    status: numberOf(response, 'status') ?? 200,
    ...(bodyFile === undefined ? body !== undefined && { body } : { bodyFile }),
    ...translateHeaders(response, body ?? bodyFile, isOffContract),
    ...(hasTemplates && { template: true }),
    ...delay,
    ...pick(response, ['chunkedDribbleDelay']),
    ...(isOffContract && { offContract: true }),
  };
}

/** Returns the body as a value: text that parses as JSON is JSON, unless its type is another. */
function bodyOf(response: JsonObject): JsonValue | undefined {
  const value = getMember(response, 'jsonBody');
  if (value !== undefined) return value;
  const text = textOf(response, 'body') ?? decode(textOf(response, 'base64Body'));
  if (text === undefined || text === '') return undefined;
  if (contentTypeOf(response) !== undefined && !isJson(contentTypeOf(response))) return text;
  return parseJsonOrText(text);
}

function decode(base64: string | undefined): string | undefined {
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw unsupported(['response.base64Body is binary; only UTF-8 text is supported']);
}

export function contentTypeOf(response: JsonObject): string | undefined {
  const headers = objectOf(response, 'headers') ?? {};
  const [, value] = Object.entries(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  return typeof value === 'string' ? value : undefined;
}

function isJson(contentType: string | undefined): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType ?? '');
}

/** Recorded mappings contain these; they describe how the recorded response was sent. */
const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/** Leaves out Content-Type where the contract determines it. */
function translateHeaders(
  response: JsonObject,
  body: JsonValue | undefined,
  isOffContract: boolean,
): JsonObject {
  const isOwnType = isOffContract && body !== undefined && !isJson(contentTypeOf(response));
  const entries = Object.entries(objectOf(response, 'headers') ?? {}).flatMap(([name, value]) => {
    if (/^content-type$/i.test(name) && !isOwnType) return [];
    if (FRAMING.test(name)) return [];
    const values = [value].flat().map((one) => (isJsonObject(one) ? '' : String(one)));
    return [[name, values.length === 1 ? (values[0] ?? '') : values]];
  });
  return entries.length === 0 ? {} : { headers: Object.fromEntries(entries) };
}

const EXPRESSION = /\{\{([\s\S]*?)\}\}/g;
/** The syntax that Handlebars and Liquid share: `request.path`, `request.headers.X-Trace`. */
const PLAIN_EXPRESSION = /^\{?\s*request(?:\.[A-Za-z_][\w-]*)+\s*$/;

/** Refuses Handlebars that is not also Liquid, the language of Coldframe's templates. */
function refuseHandlebars(response: JsonObject): void {
  const body = getMember(response, 'jsonBody') ?? getMember(response, 'body');
  for (const text of textsOf([body ?? null, objectOf(response, 'headers') ?? null])) {
    for (const [whole, expression = ''] of text.matchAll(EXPRESSION)) {
      if (PLAIN_EXPRESSION.test(expression)) continue;
      throw unsupported([
        `${whole.slice(0, 80)} is Handlebars, but Coldframe's templates are Liquid: ` +
          'only request.path, request.query.x, request.headers.x and the like work in both',
      ]);
    }
  }
}

function* textsOf(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item);
  else if (isJsonObject(value)) for (const item of Object.values(value)) yield* textsOf(item);
}

export function isOffContract(mapping: JsonObject): boolean {
  const own = objectOf(objectOf(mapping, 'metadata') ?? {}, 'coldframe') ?? {};
  return flagOf(own, 'offContract') === true;
}
