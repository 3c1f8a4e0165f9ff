import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { type Content, readContents } from '../contract/content.ts';
import type { Contract } from '../contract/contract.ts';
import { type Parameter, readParameters } from '../contract/parameters.ts';
import { findExample } from '../respond/example.ts';
import type { Described, DrawValue } from '../respond/generated.ts';

/** A request that the document has the service send: of a callback or of a webhook. */
interface OutgoingOperation {
  /** The name of the callback or webhook. */
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  /** Of the Operation Object. */
  readonly pointer: string;
  /** The media types that its body may have; none for a request without one. */
  readonly contents: readonly Content[];
  readonly parameters: readonly Parameter[];
}

/** A callback (OAS 3.1 §4.8.18); a runtime expression gives its URL. */
export interface Callback extends OutgoingOperation {
  readonly expression: string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/**
 * The callbacks of an operation.
 *
 * @param operation pointer of the Operation Object
 */
export function readCallbacks(contract: Contract, operation: string): readonly Callback[] {
  const { document } = contract;
  return document.members(`${operation}/callbacks`).flatMap(([name, callback]) =>
    document
      .members(callback)
      .filter(([expression]) => !expression.startsWith('x-'))
      .flatMap(([expression, pathItem]) =>
        readPathItem(contract, name, pathItem).map((outgoing) => ({ ...outgoing, expression })),
      ),
  );
}

/** The webhooks of a document (OAS 3.1 §4.8.1), also those under the name that 3.0 has for them. */
export function readWebhooks(contract: Contract): readonly OutgoingOperation[] {
  const { document } = contract;
  return document.entries
    .flatMap(({ place }) => [`${place}/webhooks`, `${place}/x-webhooks`])
    .flatMap((place) => document.members(place))
    .flatMap(([name, pathItem]) => readPathItem(contract, name, pathItem));
}

function readPathItem(
  contract: Contract,
  name: string,
  place: string,
): readonly OutgoingOperation[] {
  const { document } = contract;
  const pathItem = document.resolveObject(place)?.pointer ?? place;
  return document
    .members(pathItem)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, pointer]) => {
      const body = document.resolveObject(`${pointer}/requestBody`)?.pointer;
      return Object.freeze({
        name,
        method: method.toUpperCase(),
        pointer,
        contents: body === undefined ? [] : readContents(contract, body),
        parameters: readParameters(contract, pathItem, pointer),
      });
    });
}

/** A request that the mock sends. */
export interface OutgoingRequest {
  /** Of the callback or webhook. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for no body at all. */
  readonly body: string | Uint8Array | null;
}

/** Generates a value of a request. */
type DrawPart = (described: Described) => ReturnType<DrawValue>;

/**
 * Makes the request of a callback or webhook: its body is the first valid example of the document,
 * else a generated value; so are the query and header parameters that it requires.
 *
 * @param url where it goes, without the parameters of the document
 * @throws {Error} when nothing that the document allows can be found
 */
export async function composeRequest(
  { name, method, pointer, contents, parameters }: OutgoingOperation,
  url: string,
  draw: DrawPart,
): Promise<OutgoingRequest> {
  const target = new URL(url);
  const headers: Record<string, string> = {};
  for (const { name: field, in: location, required, schema } of parameters) {
    if (!required) continue;
    const value = await draw({ schema, isJson: true, project: (drawn) => drawn });
    if (value === undefined) {
      throw new Error(`no value could be found for the parameter ${field} of ${pointer}`);
    }
    if (location === 'query') target.searchParams.append(field, toText(value));
    if (location === 'header') headers[field.toLowerCase()] = toText(value);
  }
  // A GET says all in its target (RFC 9110 §9.3.1).
  const [content] = method === 'GET' || method === 'HEAD' ? [] : contents;
  if (content === undefined) return { name, method, url: target.href, headers, body: null };
  headers['content-type'] = content.sentAs;
  const example = findExample(content);
  const value = example === undefined ? await draw(content) : example.value;
  if (value === undefined) throw new Error(`no body could be found for ${pointer}`);
  const body = example?.text ?? content.encode(value);
  return { name, method, url: target.href, headers, body };
}

function toText(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'string' ? value : stringifyJson(value);
}
