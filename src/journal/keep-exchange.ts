import type { Exchange, KeptExchange } from './exchange.ts';
import { flatten } from './flatten.ts';
import { keepBytes } from './keep-bytes.ts';
import { KeptProblem } from './kept-problem.ts';
import { KeptRequest } from './kept-request.ts';

/**
 * Makes an exchange fit to be kept: its request is packed, its bodies are cut to a length, and none
 * holds on to more memory than its own.
 *
 * @param maximumBodyLength bytes, or UTF-16 units of a text
 */
export function keepExchange(exchange: Exchange, maximumBodyLength: number): KeptExchange {
  const { request, responseBody, problem } = exchange;
  const { body } = request;
  const answerBody = keepBody(responseBody, maximumBodyLength);
  // Written out member by member: a spread costs ten times as much, for each request.
  return {
    number: exchange.number,
    session: exchange.session,
    at: exchange.at,
    request: body === 'too-large' ? request : new KeptRequest(request, body, maximumBodyLength),
    operationId: exchange.operationId,
    status: exchange.status,
    mediaType: exchange.mediaType,
    responseHeaders: exchange.responseHeaders,
    responseBody: answerBody,
    source: exchange.source,
    problem: problem && new KeptProblem(problem),
    rules: exchange.rules,
    fault: exchange.fault,
    delayMilliseconds: exchange.delayMilliseconds,
    milliseconds: exchange.milliseconds,
    replay: exchange.replay,
    requestBodyLength: body.length > maximumBodyLength ? body.length : undefined,
    responseBodyLength: isCut(responseBody, answerBody) ? responseBody?.length : undefined,
  };
}

type Body = string | Uint8Array | null;

function isCut(whole: Body, kept: Body): boolean {
  return (whole?.length ?? 0) > (kept?.length ?? 0);
}

function keepBody(body: Body, maximumLength: number): Body {
  if (body === null) return body;
  return typeof body === 'string' ? keepText(body, maximumLength) : keepBytes(body, maximumLength);
}

function keepText(text: string, maximumLength: number): string {
  if (text.length <= maximumLength) return flatten(text);
  // A part of a string holds on to the whole of it, a copy does not.
  return Buffer.from(text.slice(0, maximumLength), 'utf16le').toString('utf16le');
}
