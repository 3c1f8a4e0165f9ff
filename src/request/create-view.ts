import type { JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import type { Operation } from '../contract/contract.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { isJsonMediaType } from '../http/media-type.ts';
import type { WireRequest } from '../http/message.ts';
import { decodePercent, type QueryPairs, readQuery, splitCookies } from '../http/query.ts';
import { readTarget } from '../http/target.ts';
import { readText } from '../media/charset.ts';
import { readContentType } from '../media/content-type.ts';
import { tryReadJson } from '../media/json-codec.ts';
import { type BodyLimits, decodeBody, undoCodings } from './decode.ts';
import { decodeParameters } from './parameters.ts';
import type { DecodedRequest, RoutedRequest } from './request.ts';
import type { RequestView } from './view.ts';

/** The values that decoding adds to a request. */
type Decoded = Pick<DecodedRequest, 'parameters' | 'body'>;

interface ViewSession {
  readonly id: string;
  readonly clock: { now(): number };
}

/** Computes each value once, when it is read. Never throws: an unreadable value is undefined. */
export class LazyRequestView implements RequestView {
  readonly request: WireRequest;
  readonly session: string;
  readonly caller: Operation | undefined;
  readonly #routed: RoutedRequest | undefined;
  readonly #limits: BodyLimits;
  readonly #clock: ViewSession['clock'];
  #target: { readonly path: string; readonly query: string } | undefined;
  #pairs: QueryPairs | undefined;
  #parameters: DecodedRequest['parameters'] | undefined;
  #body: { readonly value: JsonValue | undefined } | undefined;
  #bodyText: string | undefined;

  /**
   * @param request one that no operation matches, or what routing has found
   * @param caller of a callback: the operation that declares it
   */
  constructor(
    request: WireRequest | RoutedRequest,
    { id, clock }: ViewSession,
    limits: BodyLimits,
    caller?: Operation,
  ) {
    this.request = request;
    this.#routed = 'operation' in request ? request : undefined;
    this.session = id;
    this.#clock = clock;
    this.#limits = limits;
    this.caller = caller;
  }

  get now(): number {
    return this.#clock.now();
  }

  get operation(): RequestView['operation'] {
    return this.#routed?.operation;
  }

  get path(): string {
    return this.#whole.path;
  }

  get query(): string {
    return this.#routed?.query ?? this.#whole.query;
  }

  get credential(): string | undefined {
    return ifSound(() => readCredential(this));
  }

  get body(): JsonValue | undefined {
    this.#body ??= { value: ifSound(() => this.#decodeBody()) };
    return this.#body.value;
  }

  get bodyText(): string {
    this.#bodyText ??= ifSound(() => this.#decodeText()) ?? '';
    return this.#bodyText;
  }

  /** Takes over what decoding has worked out, so that it is not worked out again. */
  addValues({ parameters, body }: Decoded): this {
    this.#parameters = parameters;
    // Where the operation declares no body, the content is still the body of the view.
    if (body !== undefined) this.#body = { value: body.value };
    return this;
  }

  texts(location: ParameterLocation, name: string): readonly string[] {
    switch (location) {
      case 'path':
        return toList(this.#routed?.pathParameters.get(name));
      case 'header':
        return toList(this.request.fields.get(name.toLowerCase()));
      case 'query':
        this.#pairs ??= readQuery(this.query);
        return this.#pairs.filter(([key]) => key === name).map(([, value]) => value);
      case 'cookie':
        return splitCookies(this.request.fields.get('cookie')).flatMap((pair) =>
          pair.name === name ? [decodePercent(pair.value) ?? pair.value] : [],
        );
      case 'querystring':
        return this.query === '' ? [] : [this.query];
    }
  }

  value(location: ParameterLocation, name: string): JsonValue | undefined {
    const declared = this.#decoded.find(
      (parameter) => parameter.in === location && isNamed(parameter.name, name, location),
    );
    return declared?.value === undefined ? this.texts(location, name)[0] : declared.value;
  }

  get #whole(): { readonly path: string; readonly query: string } {
    this.#target ??= readTarget(this.request.target) ?? splitTarget(this.request.target);
    return this.#target;
  }

  get #decoded(): DecodedRequest['parameters'] {
    const routed = this.#routed;
    this.#parameters ??=
      routed === undefined ? [] : (ifSound(() => decodeParameters(routed)) ?? []);
    return this.#parameters;
  }

  #decodeBody(): JsonValue | undefined {
    const routed = this.#routed;
    if (routed?.operation.body !== undefined) return decodeBody(routed, this.#limits)?.value;
    const field = this.request.fields.get('content-type');
    if (this.bodyText === '') return undefined;
    // Nothing says how to read it but its own type.
    if (field === undefined || isJsonMediaType(field)) return tryReadJson(this.bodyText);
    return readContentType(field).type.startsWith('text/') ? this.bodyText : undefined;
  }

  #decodeText(): string {
    const { rawBody, fields } = this.request;
    if (rawBody === 'too-large') return '';
    const codings = fields.get('content-encoding');
    const bytes = codings === undefined ? rawBody : undoCodings(rawBody, codings, this.#limits);
    const contentType = readContentType(fields.get('content-type') ?? '');
    return ifSound(() => readText(bytes, contentType)) ?? Buffer.from(bytes).toString('utf8');
  }
}

function toList(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}

/** Names of header fields have no case (RFC 9110 §5.1). */
function isNamed(declared: string, name: string, location: ParameterLocation): boolean {
  if (declared === name) return true;
  return location === 'header' && declared.toLowerCase() === name.toLowerCase();
}

/** Splits a target as well as possible, even if it is not a URI. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const end = target.indexOf('?');
  return end < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, end), query: target.slice(end + 1) };
}

/** Returns undefined for what is malformed in the request or in the document. */
export function ifSound<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem || error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

type CredentialView = Pick<RequestView, 'operation' | 'request' | 'texts'>;

/**
 * Reads the credential of a request, whether or not the operation accepts it.
 *
 * @returns the API key that the operation asks for, else what Authorization holds: the token, or
 *   `user:password` of Basic (RFC 7617 §2); undefined when neither came
 * @throws {DiagnosticError} for an operation whose security cannot be read
 */
function readCredential(view: CredentialView): string | undefined {
  for (const scheme of view.operation?.security.flat() ?? []) {
    const texts = scheme.kind === 'apiKey' ? view.texts(scheme.in, scheme.parameter) : [];
    if (texts[0] !== undefined && texts[0] !== '') return texts[0];
  }
  const field = view.request.fields.get('authorization')?.trim();
  if (field === undefined || field === '') return undefined;
  const [, scheme = '', rest = ''] = /^(\S+) +(.*)$/s.exec(field) ?? [];
  if (rest === '') return field;
  return scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString('utf8') : rest;
}
