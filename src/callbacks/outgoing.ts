import { isEqual } from '../base/json/equal.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import type { OutgoingOperation } from '../contract/callbacks.ts';
import type { Content } from '../contract/content.ts';
import { CALLBACK_MARK } from '../http/message.ts';
import { findExample } from '../respond/example.ts';
import type { Described, DrawValue } from '../respond/generated.ts';
import type { Sending } from '../rules/rule.ts';
import { DEFAULT_SESSION } from '../session/session-id.ts';
import type { ShowInPayload } from './show-changed.ts';

export interface OutgoingRequest {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

/** The parts that a request of the mock is made of. */
interface Composition {
  readonly draw: (described: Described) => ReturnType<DrawValue>;
  readonly show?: ShowInPayload | undefined;
  /** In place of what the document says of the body. */
  readonly body?: GivenPayload | undefined;
}

export interface GivenPayload {
  readonly value: JsonValue;
  /** True sends it even if the document does not allow it. */
  readonly offContract?: boolean | undefined;
}

/**
 * Makes the request of a callback or webhook: its body is the first valid example of the document,
 * else a generated value; so are the query and header parameters that it requires.
 *
 * @param url where it goes, without the parameters of the document
 * @throws {Error} when nothing that the document allows can be found, or for another body
 */
export async function composeRequest(
  { name, method, pointer, contents, parameters }: OutgoingOperation,
  url: string,
  { draw, show, body: given }: Composition,
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
  const body = await composeBody();
  if (body !== null) headers['content-type'] ??= content?.sentAs ?? 'application/json';
  return { name, method, url: target.href, headers, body };

  async function composeBody(): Promise<OutgoingRequest['body']> {
    if (given !== undefined) return encodeGiven(given, content, name);
    if (content === undefined) return null;
    const example = findExample(content);
    const value = example === undefined ? await draw(content) : example.value;
    if (value === undefined) throw new Error(`no body could be found for ${pointer}`);
    const shown = show?.(content, value, example !== undefined) ?? value;
    return example !== undefined && isEqual(shown, value) ? example.text : content.encode(shown);
  }
}

/** @throws {Problem} INVALID_REQUEST for a body that the document does not allow */
function encodeGiven(
  { value, offContract }: GivenPayload,
  content: Content | undefined,
  name: string,
) {
  const violations = content === undefined ? [] : (content.schema?.check(value, 'body') ?? []);
  if (offContract !== true && (content === undefined || violations.length > 0)) {
    const reason = violations.map(({ message }) => message).join('; ') || 'it has no body';
    throw new Problem(
      'INVALID_REQUEST',
      `the document does not allow this body of ${name}: ${reason}. offContract: true allows it.`,
      { violations },
    );
  }
  if (content !== undefined && violations.length === 0) return content.encode(value);
  return stringifyJson(value);
}

/** Returns the request as a rule changes it. */
export function changeRequest(
  request: OutgoingRequest,
  { contents: [content] }: OutgoingOperation,
  sending: Sending | undefined,
): OutgoingRequest {
  if (sending === undefined) return request;
  const { body, fields } = sending;
  const headers = { ...request.headers, ...fields };
  if (body === undefined) return { ...request, headers };
  return { ...request, headers, body: encodeGiven(body, content, request.name) };
}

/** Returns the request with the fields that say who sends it, and in which session. */
export function addOwnFields(request: OutgoingRequest, session: string): OutgoingRequest {
  const { baggage } = request.headers;
  const member = `mock-session=${session}`;
  const ofSession =
    session === DEFAULT_SESSION
      ? {}
      : {
          'mock-session': session,
          baggage: baggage === undefined ? member : `${baggage}, ${member}`,
        };
  // The mark comes last, so that no parameter of the document replaces it.
  const headers = {
    'user-agent': 'coldframe',
    ...request.headers,
    ...ofSession,
    [CALLBACK_MARK]: 'true',
  };
  return { ...request, headers };
}

function toText(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'string' ? value : stringifyJson(value);
}
