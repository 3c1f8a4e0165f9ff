import type { JsonValue } from '../base/json/value.ts';
import { Problem, ReturnedRefusal } from '../base/problem.ts';
import { createRandom } from '../base/random.ts';
import { remember } from '../base/remember.ts';
import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Parameter } from '../contract/parameters.ts';
import type { SecurityScheme } from '../contract/security.ts';
import { isDocumentFault } from '../document/diagnostic.ts';
import { createContractGenerators, type Generator } from '../generate/generator.ts';
import { Fields } from '../http/message.ts';
import { encodePercent } from '../http/query.ts';
import {
  joinPairs,
  type Serialization,
  type Style,
  type WrittenPair,
  writePairs,
  writeSimple,
} from '../media/style.ts';
import { authenticate } from './authenticate.ts';
import { type BodyLimits, decode } from './decode.ts';
import { route } from './route.ts';
import { validate } from './validate.ts';

/** A request that the contract accepts, to try an operation with. */
export interface ReadyRequest {
  readonly operation: Operation;
  readonly target: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Empty for none. */
  readonly body: string;
}

/** The time in generated values: the same request on every day. */
const MOMENT = Date.UTC(2026, 0, 1);

/** A longer body is nothing to paste. */
const LIMITS: BodyLimits = { maximumBodyBytes: 16 * 1024, brotli: false };

/** How many operations to look at: a document of thousands is not read for one request. */
const MOST_TRIED = 60;

/** Makes requests of what the document gives as examples, and generates the rest. */
export class ReadyRequests {
  readonly #contract: Contract;
  readonly #tokens: ReadonlySet<string>;
  readonly #generator: Generator;
  readonly #known = new Map<Operation, ReadyRequest | undefined>();

  /**
   * @param tokens the accepted bearer tokens and API keys; none accepts all
   * @param generator of requests; one that responses use, too, has read most schemas already
   */
  constructor(
    contract: Contract,
    tokens: Iterable<string>,
    generator: Generator = createContractGenerators(contract).request,
  ) {
    this.#contract = contract;
    this.#tokens = new Set(tokens);
    this.#generator = generator;
  }

  /** Returns the request to try first: a read, if possible one that needs no values. */
  first(): ReadyRequest | undefined {
    const costOf = ({ method, path }: Operation): number =>
      (method === 'GET' ? 0 : 2) + (path.includes('{') ? 1 : 0);
    const operations = [...this.#contract.operations].sort((a, b) => costOf(a) - costOf(b));
    let found: ReadyRequest | undefined;
    for (const operation of operations.slice(0, MOST_TRIED)) {
      if (found !== undefined && operation.method !== 'GET') break;
      const ready = this.of(operation);
      if (ready === undefined || (operation.responses.success?.status ?? 200) >= 300) continue;
      if (!operation.parameters.some(({ required }) => required)) return ready;
      found ??= ready;
    }
    return found;
  }

  /** Returns a request to an operation; undefined where none is found that is accepted. */
  of(operation: Operation): ReadyRequest | undefined {
    return remember(this.#known, operation, () => {
      try {
        const ready = operation.fault === undefined ? this.#compose(operation) : undefined;
        return ready !== undefined && this.accepts(ready) ? ready : undefined;
      } catch (error) {
        if (error instanceof Problem || isDocumentFault(error)) return undefined;
        throw error;
      }
    });
  }

  accepts({ operation, target, fields, body }: ReadyRequest): boolean {
    const { method } = operation;
    const request = { method, target, fields: new Fields(fields), rawBody: Buffer.from(body) };
    const routed = route(this.#contract, request);
    if (routed.operation !== operation) return false;
    const decoded = decode(
      authenticate(routed, { tokens: this.#tokens, strictCredentials: true }),
      LIMITS,
    );
    return !(validate(decoded) instanceof ReturnedRefusal);
  }

  #compose(operation: Operation): ReadyRequest | undefined {
    const { method, security, parameters, body: declared } = operation;
    const required = parameters.filter((one) => one.required);
    const values = required.flatMap((parameter) => {
      const value = this.#valueOf(parameter);
      return value === undefined ? [] : [[parameter, value] as const];
    });
    if (values.length < required.length) return undefined;
    const [token = 'token'] = this.#tokens;
    const isPublic = security.some((schemes) => schemes.length === 0);
    const [schemes = []] = isPublic ? [] : security;
    const parts = { schemes, token, parameters: values };
    const [content] = declared?.contents ?? [];
    // A request that reads or deletes says all in its target (RFC 9110 §9.3).
    const isBare = declared?.required !== true && /^(?:GET|HEAD|DELETE)$/.test(method);
    if (content === undefined || isBare) return composeRequest(this.#contract, operation, parts);
    const example = content.examples.find(({ violations }) => violations.length === 0);
    const value = example?.value ?? this.#generate(content.schema?.pointer) ?? '';
    const body = { content, written: example?.text ?? content.encode(value) };
    return composeRequest(this.#contract, operation, { ...parts, body });
  }

  /** Returns the first example of the document that is valid, else a generated value. */
  #valueOf({ pointer, schema }: Parameter): JsonValue | undefined {
    const { document } = this.#contract;
    const named = document
      .members(`${pointer}/examples`)
      .map(([, place]) => `${document.resolve(place)?.pointer ?? place}/value`);
    const examples = [`${pointer}/example`, ...named].flatMap((place) => document.at(place) ?? []);
    const isValid = (value: JsonValue): boolean => schema?.accepts(value) === true;
    return examples.find(isValid) ?? (schema ? this.#generate(schema.pointer) : 'example');
  }

  #generate(pointer: string | undefined): JsonValue | undefined {
    if (pointer === undefined) return undefined;
    const chance = { random: createRandom('try it'), now: MOMENT };
    return this.#generator.generate(pointer, chance, 'given');
  }
}

/** The values of a request. */
export interface RequestParts {
  readonly schemes: readonly SecurityScheme[];
  /** The credential of every scheme. */
  readonly token: string;
  readonly parameters: readonly (readonly [Parameter, JsonValue])[];
  /** Left out for none. */
  readonly body?: { readonly content: Content; readonly written: string | Uint8Array };
}

export function composeRequest(
  contract: Contract,
  operation: Operation,
  { schemes, token, parameters, body }: RequestParts,
): ReadyRequest {
  const path = contract.basePathOf(operation) + operation.path;
  const draft: Draft = { path, query: [], cookies: [], fields: {} };
  for (const scheme of schemes) addCredential(draft, scheme, token);
  for (const [parameter, value] of parameters) addParameter(draft, parameter, value);
  if (body === undefined) return finish(operation, draft, '');
  draft.fields['content-type'] = body.content.sentAs;
  return finish(operation, draft, Buffer.from(body.written).toString());
}

/** A request that is being made. */
interface Draft {
  path: string;
  readonly query: WrittenPair[];
  readonly cookies: WrittenPair[];
  readonly fields: Record<string, string>;
}

function finish(operation: Operation, draft: Draft, body: string): ReadyRequest {
  const { path, query, cookies, fields } = draft;
  // A name in the path that is no parameter takes any text.
  const named = path.replaceAll(/\{[^{}]*\}/g, 'example');
  const filled = named.replaceAll(/[^!-~]+/g, encodePercent);
  const target = query.length === 0 ? filled : `${filled}?${joinPairs(query)}`;
  const cookie = cookies.map(([name, text]) => `${name}=${encodePercent(text)}`).join('; ');
  return { operation, target, fields: cookie === '' ? fields : { ...fields, cookie }, body };
}

function addCredential({ fields, query, cookies }: Draft, scheme: SecurityScheme, token: string) {
  switch (scheme.kind) {
    case 'bearer':
      fields['authorization'] = `Bearer ${token}`;
      break;
    case 'basic':
      fields['authorization'] = `Basic ${Buffer.from('user:password').toString('base64')}`;
      break;
    case 'http':
      fields['authorization'] = `${scheme.scheme} ${token}`;
      break;
    case 'apiKey':
      if (scheme.in === 'header') fields[scheme.parameter.toLowerCase()] = token;
      else (scheme.in === 'query' ? query : cookies).push([scheme.parameter, token]);
      break;
    case 'mutualTLS':
      break;
  }
}

function addParameter(draft: Draft, parameter: Parameter, value: JsonValue): void {
  const { name, in: location, content, serialization } = parameter;
  const text = content && Buffer.from(content.encode(value)).toString();
  if (location === 'path') {
    const segment = writeSegment(serialization, value, text);
    draft.path = draft.path.replaceAll(`{${name}}`, () => segment);
  } else if (location === 'header') {
    draft.fields[name.toLowerCase()] = text ?? writeSimple(value, serialization.explode);
  } else if (location === 'querystring') {
    draft.query.push(...new URLSearchParams(text));
  } else {
    const pairs = location === 'query' ? draft.query : draft.cookies;
    if (text === undefined) pairs.push(...writePairs(value, serialization));
    else pairs.push([name, text]);
  }
}

function writeSegment({ name, style, explode }: Serialization, value: JsonValue, text?: string) {
  const prefixes: Partial<Record<Style, string>> = { label: '.', matrix: `;${name}=` };
  const written = encodePercent(text ?? writeSimple(value, explode));
  // The delimiters of a list or an object are no data.
  const isWhole = text !== undefined || typeof value !== 'object';
  const plain = isWhole ? written : written.replaceAll('%2C', ',').replaceAll('%3D', '=');
  return `${prefixes[style] ?? ''}${plain}`;
}

/** Returns a command that sends the request, to paste into a POSIX shell. */
export function writeCurl({ operation, target, fields, body }: ReadyRequest, url: string): string {
  const { method } = operation;
  const asked = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method];
  const headers = Object.entries(fields).flatMap(([name, value]) => [
    '-H',
    quote(`${name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())}: ${value}`),
  ]);
  const data = body === '' ? [] : ['--data-raw', quote(body)];
  return ['curl -i', ...asked, quote(url + target), ...headers, ...data].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
