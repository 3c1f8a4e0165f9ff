import { systemClock } from '../../src/base/clock.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { getMember, isJsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { Problem, type Refusal, ReturnedRefusal } from '../../src/base/problem.ts';
import { Contract } from '../../src/contract/contract.ts';
import { Fields, type WireRequest } from '../../src/http/message.ts';
import type { Exchange } from '../../src/journal/exchange.ts';
import { ExchangeLog } from '../../src/journal/keep/exchange-log.ts';
import { JournalBudget } from '../../src/journal/keep/journal-budget.ts';
import { type JournalSettings, SessionJournal } from '../../src/journal/keep/session-journal.ts';
import { redactProblem } from '../../src/journal/redact/redact-problem.ts';
import { Redaction } from '../../src/journal/redact/redaction.ts';
import { authenticate } from '../../src/request/authenticate.ts';
import { LazyRequestView } from '../../src/request/create-view.ts';
import { decode } from '../../src/request/decode.ts';
import { route } from '../../src/request/route.ts';
import { validate } from '../../src/request/validate.ts';
import type { Mismatch, RequestPattern, RequestView } from '../../src/request/view.ts';
import { parseDocument } from './documents.ts';

/** Every place in which a secret may be declared, or be meant by its name. */
const vault = new Contract(
  parseDocument(
    'vault.yaml',
    `openapi: 3.1.0
info: { title: Vault, version: '1' }
security: [{ key: [] }, { badge: [] }, {}]
paths:
  /entries:
    post:
      operationId: createEntry
      parameters:
        - { name: limit, in: query, schema: { type: integer, maximum: 5 } }
        - { name: hint, in: query, schema: { type: string, format: password, maxLength: 3 } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
        - { name: X-Trace, in: header, schema: { type: string } }
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/Entry' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Entry' } }
          text/plain: { schema: { type: string } }
      responses:
        '200':
          description: Made
          content: { application/json: { schema: { $ref: '#/components/schemas/Entry' } } }
  /resets/{token}/{step}:
    get:
      operationId: readReset
      parameters:
        - { name: token, in: path, required: true, schema: { type: string } }
        - { name: step, in: path, required: true, schema: { type: string } }
      responses: { '204': { description: There } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: Garden-Gate }
    badge: { type: apiKey, in: query, name: gate }
  schemas:
    Entry:
      type: object
      properties:
        id: { type: integer, format: int64 }
        tag: { type: string }
        password: { type: string, maxLength: 3 }
        pin: { type: [string, integer], format: password, maxLength: 3 }
        once: { type: string, writeOnly: true, maxLength: 3 }
        owner: { $ref: '#/components/schemas/Entry' }
        others: { type: array, items: { $ref: '#/components/schemas/Entry' } }
`,
  ),
);

const limits = { maximumBodyBytes: 1_000_000, brotli: true };

/** @returns a request as patterns see it, by the operation of the vault that it is for */
export function viewOf({ request, session }: Pick<Exchange, 'request' | 'session'>): RequestView {
  const named = { id: session, clock: systemClock };
  try {
    return new LazyRequestView(route(vault, request), named, limits);
  } catch (error) {
    if (error instanceof Problem) return new LazyRequestView(request, named, limits);
    throw error;
  }
}

export interface RequestParts {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue | Uint8Array;
}

/** @returns a request; one whose body is a value has it as JSON */
function requestOf({
  method = 'POST',
  target = '/entries',
  headers = {},
  body = Buffer.alloc(0),
}: RequestParts): WireRequest {
  const isBytes = body instanceof Uint8Array;
  const bytes = isBytes ? body : Buffer.from(stringifyJson(body));
  const type = isBytes ? {} : { 'content-type': 'application/json' };
  return { method, target, fields: new Fields({ ...type, ...headers }), rawBody: bytes };
}

export const redaction = new Redaction(vault);
export const showSecrets = new Redaction(vault, true);

/**
 * @returns an exchange that was answered with what is given, refused where the vault refuses it
 * @param shown decides what the refusal quotes
 */
export function exchangeOf(
  number: number,
  parts: RequestParts,
  more: Partial<Exchange> = {},
  shown: Redaction = redaction,
) {
  const request = requestOf(parts);
  const problem = refuse(request, shown);
  const exchange: Exchange = {
    number,
    session: 'default',
    at: 1_700_000_000_123,
    readyAt: 1_700_000_000_143,
    request,
    operationId: viewOf({ request, session: 'default' }).operation?.id,
    status: problem?.status ?? 200,
    mediaType: 'application/json',
    responseFields: {},
    responseBody: '{"id":1}',
    source: 'state',
    problem,
    deviations: [],
    rules: [],
    fault: undefined,
    delayMilliseconds: 0,
    milliseconds: 0.25,
    replay: undefined,
  };
  return { ...exchange, ...more };
}

/** The first half of the way of a request. */
function refuse(request: WireRequest, shown: Redaction): Refusal | undefined {
  const problem = findProblem(request);
  return problem && redactProblem(problem, viewOf({ request, session: 'default' }), shown);
}

function findProblem(request: WireRequest): Refusal | undefined {
  try {
    const decoded = decode(
      authenticate(route(vault, request), { tokens: new Set(), strictCredentials: true }),
      limits,
    );
    const valid = validate(decoded);
    return valid instanceof ReturnedRefusal ? valid : undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** @returns an empty journal with room for everything, but for what the settings say */
export function journalOf(
  settings: Partial<JournalSettings> = {},
  session = 'default',
): SessionJournal {
  return new SessionJournal(session, {
    maximumExchanges: 1000,
    maximumBytes: 10_000_000,
    maximumBodyLength: 65_536,
    budget: new JournalBudget(100_000_000),
    log: new ExchangeLog(),
    createView: viewOf,
    redaction: () => redaction,
    refuseAgain: ({ request }) => refuse(request, redaction),
    ...settings,
  });
}

/** @returns a pattern for creates of entries with these members */
export function entryWith(members: Readonly<Record<string, JsonValue>>): RequestPattern {
  const explain = (view: RequestView): readonly Mismatch[] => {
    const wrong: Mismatch[] = [];
    if (view.operation?.id !== 'createEntry') {
      const was = view.operation?.id ?? 'none of the document';
      wrong.push({ subject: 'operation', message: `the operation was ${was}`, distance: 1 });
    }
    for (const [name, value] of Object.entries(members)) {
      const came = isJsonObject(view.body) ? getMember(view.body, name) : undefined;
      if (came === value) continue;
      const message = `body.${name} was ${came === undefined ? 'missing' : stringifyJson(came)}`;
      wrong.push({ subject: `body.${name}`, message, distance: 0.5 });
    }
    return wrong;
  };
  return {
    operation: vault.operation('createEntry'),
    callback: undefined,
    readsBody: true,
    matches: (view) => explain(view).length === 0,
    explain,
  };
}
