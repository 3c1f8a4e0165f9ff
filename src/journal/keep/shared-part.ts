import { remember } from '../../base/remember.ts';
import { Fields, type ResponseFields } from '../../http/message.ts';
import type { Exchange } from '../exchange.ts';

/** The members of an exchange that others of its operation mostly have as well, stored once. */
export type SharedPart = ReturnType<typeof createPart>;

/** A part, and in place of its fields those that differ; packed. */
export interface FoundPart {
  readonly part: SharedPart;
  readonly fields: string | undefined;
  readonly responseFields: string | undefined;
}

/** The field that names the session, which has another value in each one. */
const SESSION_FIELD = 'mock-session';

/** Of one operation: to look through more parts takes longer than to make one. */
const MOST_PARTS = 16;

/** Of all operations: what is above is forgotten, as a client can make parts of any size. */
const MOST_OF_ALL = 4096;

/** Finds what exchanges share, whatever their session. */
export class SharedParts {
  readonly #byOperation = new Map<string | undefined, SharedPart[]>();
  /** How many parts were made since all were forgotten. */
  #made = 0;

  find(exchange: Exchange): FoundPart {
    const known = remember(this.#byOperation, exchange.operationId, () => []);
    for (const part of known) {
      if (!isPartOf(part, exchange)) continue;
      return {
        part,
        fields: packUnlessShared(part.fields, exchange),
        responseFields: packUnlessSame(exchange.responseFields, part.responseFields),
      };
    }
    const part = createPart(exchange);
    this.#remember(known, part);
    return { part, fields: undefined, responseFields: undefined };
  }

  #remember(known: SharedPart[], part: SharedPart): void {
    // No other exchange has the same, and they may be large.
    if (part.stream !== undefined || part.callback !== undefined) return;
    if (this.#made++ === MOST_OF_ALL) {
      this.#byOperation.clear();
      this.#made = 0;
    }
    known.unshift(part);
    if (known.length > MOST_PARTS) known.pop();
  }
}

/** Fields of requests that may differ in the session that they name. */
interface SharedFields {
  readonly fields: Fields;
  readonly namesSession: boolean;
  readonly size: number;
}

/** Returns the fields of a request of a session. */
export function fieldsOf({ fields, namesSession }: SharedFields, session: string): Fields {
  return namesSession ? fields.with(SESSION_FIELD, session) : fields;
}

function createPart(exchange: Exchange) {
  return {
    method: exchange.request.method,
    fields: shareFields(exchange),
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

function shareFields(exchange: Exchange): SharedFields {
  const { fields } = exchange.request;
  return { fields, namesSession: namesSession(exchange), size: fields.size };
}

function namesSession({ request, session }: Exchange): boolean {
  return request.fields.get(SESSION_FIELD) === session;
}

function isPartOf(part: SharedPart, exchange: Exchange): boolean {
  return (
    part.source === exchange.source &&
    part.method === exchange.request.method &&
    part.problem === exchange.problem?.problem &&
    part.mediaType === exchange.mediaType &&
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

function packUnlessShared(shared: SharedFields, exchange: Exchange): string | undefined {
  const { fields } = exchange.request;
  const differing = shared.namesSession ? SESSION_FIELD : undefined;
  const isSame =
    shared.namesSession === namesSession(exchange) && fields.equals(shared.fields, differing);
  return isSame ? undefined : fields.pack();
}

function packUnlessSame(fields: ResponseFields, known: ResponseFields): string | undefined {
  if (fields === known) return undefined;
  const own = new Fields(fields);
  return own.equals(new Fields(known)) ? undefined : own.pack();
}
