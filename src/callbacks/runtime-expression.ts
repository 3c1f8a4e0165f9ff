import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { valueAt } from '../document/source-document.ts';

/** The parts of a message that a runtime expression can read. */
export interface ExpressionMessage {
  readonly header: (name: string) => string | undefined;
  /** A response has neither query nor path. */
  readonly query?: (name: string) => string | undefined;
  readonly path?: (name: string) => string | undefined;
  readonly body: JsonValue | undefined;
}

export interface ExpressionExchange {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly request: ExpressionMessage;
  readonly response: ExpressionMessage;
}

/**
 * Fills a text with what its runtime expressions give (OAS 3.1 §4.8.20.4):
 * `{$request.body#/callbackUrl}?id={$response.body#/id}`, or one expression without braces.
 * Values after a `?` are percent-encoded, so that each stays one value.
 *
 * @throws {Error} for an expression that is none, and for one that finds nothing
 */
export function fillExpressions(text: string, exchange: ExpressionExchange): string {
  if (text.startsWith('$')) return evaluate(text, exchange);
  let filled = '';
  let end = 0;
  for (const match of text.matchAll(/\{(\$[^{}]*)\}/g)) {
    filled = append(filled, text.slice(end, match.index));
    const value = evaluate(match[1] ?? '', exchange);
    filled += filled.includes('?') ? encodeURIComponent(value) : value;
    end = match.index + match[0].length;
  }
  return append(filled, text.slice(end));
}

/** A URL has one query: what comes after a second `?` continues the first (RFC 3986 §3.4). */
function append(filled: string, text: string): string {
  return filled + (filled.includes('?') ? text.replace('?', '&') : text);
}

function evaluate(expression: string, exchange: ExpressionExchange): string {
  const value = find(expression, exchange);
  if (value === undefined) throw new Error(`${expression} finds nothing`);
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && (value === null || Array.isArray(value))) {
    throw new Error(`${expression} finds ${stringifyJson(value)}, which is no text`);
  }
  return stringifyJson(value);
}

const FIELD_EXPRESSION = /^\$(request|response)\.(header|query|path)\.(.+)$/;
const BODY_EXPRESSION = /^\$(request|response)\.body(?:#(\/.*)?)?$/;

function find(expression: string, exchange: ExpressionExchange): JsonValue | undefined {
  switch (expression) {
    case '$url':
      return exchange.url;
    case '$method':
      return exchange.method;
    case '$statusCode':
      return exchange.status;
  }
  const [, side, source, name = ''] = FIELD_EXPRESSION.exec(expression) ?? [];
  if (side === 'request' || side === 'response') {
    const message = exchange[side];
    if (source === 'header') return message.header(name.toLowerCase());
    return source === 'query' ? message.query?.(name) : message.path?.(name);
  }
  const [, sideOfBody, pointer = ''] = BODY_EXPRESSION.exec(expression) ?? [];
  if (sideOfBody !== 'request' && sideOfBody !== 'response') {
    throw new Error(`${expression} is no runtime expression (OAS 3.1 §4.8.20.4)`);
  }
  const { body } = exchange[sideOfBody];
  return body === undefined ? undefined : valueAt(body, pointer);
}
