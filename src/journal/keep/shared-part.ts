import { Fields, type ResponseFields } from '../../http/message.ts';
import type { Exchange } from '../exchange.ts';
import { flatten } from './flatten.ts';

/** The members of an exchange that others of its operation mostly have as well, stored once. */
export type SharedPart = ReturnType<typeof createPart>;

/** A part, and in place of its fields those that differ; packed. */
export interface FoundPart {
  readonly part: SharedPart;
  readonly fields: string | undefined;
  readonly responseFields: string | undefined;
}

/** To look through more parts takes longer than to make one. */
const MOST_PARTS = 16;

/** Finds what the exchanges of one journal share. */
export class SharedParts {
  #parts: SharedPart[] = [];
  /** The index of the part that is replaced next. */
  #next = 0;
  #lastFields: Fields | undefined;
  #lastText = '';

  find(exchange: Exchange): FoundPart {
    const { request, responseFields } = exchange;
    const fields = this.#pack(request.fields);
    for (const part of this.#parts) {
      if (!isPartOf(part, exchange)) continue;
      return {
        part,
        fields: part.fields === fields ? undefined : fields,
        responseFields: packUnlessSame(responseFields, part.responseFields),
      };
    }
    const part = createPart(exchange, fields);
    this.#remember(part);
    return { part, fields: undefined, responseFields: undefined };
  }

  forget(): void {
    this.#parts = [];
    this.#next = 0;
    this.#lastFields = undefined;
    this.#lastText = '';
  }

  #remember(part: SharedPart): void {
    // No other exchange has the same, and they may be large.
    if (part.stream !== undefined || part.callback !== undefined) return;
    this.#parts[this.#next] = part;
    this.#next = (this.#next + 1) % MOST_PARTS;
  }

  /** A client mostly sends the same fields, which then are not written again. */
  #pack(fields: Fields): string {
    if (this.#lastFields !== undefined && fields.equals(this.#lastFields)) return this.#lastText;
    this.#lastFields = fields;
    this.#lastText = flatten(fields.pack());
    return this.#lastText;
  }
}

function createPart(exchange: Exchange, fields: string) {
  return {
    session: exchange.session,
    method: exchange.request.method,
    fields,
    operationId: exchange.operationId,
    mediaType: exchange.mediaType,
    responseFields: exchange.responseFields,
    stream: exchange.stream,
    source: exchange.source,
    problem: exchange.problem?.problem,
    deviations: exchange.deviations,
    rules: exchange.rules,
    fault: exchange.fault,
    replay: exchange.replay,
    callback: exchange.callback,
  };
}

function isPartOf(part: SharedPart, exchange: Exchange): boolean {
  return (
    part.operationId === exchange.operationId &&
    part.source === exchange.source &&
    part.method === exchange.request.method &&
    part.problem === exchange.problem?.problem &&
    part.mediaType === exchange.mediaType &&
    part.session === exchange.session &&
    areSame(part.deviations, exchange.deviations) &&
    areSame(part.rules, exchange.rules) &&
    part.fault === exchange.fault &&
    part.replay === exchange.replay &&
    exchange.stream === undefined &&
    exchange.callback === undefined
  );
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === 0 && right.length === 0);
}

function packUnlessSame(fields: ResponseFields, known: ResponseFields): string | undefined {
  if (fields === known) return undefined;
  const own = new Fields(fields);
  return own.equals(new Fields(known)) ? undefined : own.pack();
}
