import { toPointer } from '../../base/json/pointer.ts';
import { remember } from '../../base/remember.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { SecurityScheme } from '../../contract/security.ts';
import type { Fault } from '../../delivery/transmission.ts';
import { readCookies, readQuery } from '../../http/query.ts';
import type { ValidRequest } from '../../request/request.ts';
import type { MockResponse } from '../../respond/response.ts';
import type { UsedMarks } from '../../session/used-items.ts';
import { CoveragePart, type Use } from './item.ts';

/** The kinds of failure that a client can meet, whatever the document declares. */
const failureKinds = {
  status: { kind: 'fail', status: 500 },
  'rate limit': { kind: 'fail', status: 429 },
  outage: { kind: 'fail', status: 503 },
  delay: { kind: 'delay' },
  reset: { kind: 'break', fault: 'CONNECTION_RESET_BY_PEER' },
  'truncated body': { kind: 'break', fault: 'TRUNCATED_BODY' },
} as const satisfies Readonly<Record<string, Use>>;

type FailureKind = keyof typeof failureKinds;

/** Each fault as the client sees it; the others leave a response that it can read. */
const FAULT_KINDS: { readonly [Name in Fault]?: FailureKind } = {
  CONNECTION_RESET_BY_PEER: 'reset',
  EMPTY_RESPONSE: 'reset',
  RANDOM_DATA_THEN_CLOSE: 'reset',
  CLOSE_MID_BODY: 'truncated body',
  INVALID_JSON: 'truncated body',
  MALFORMED_RESPONSE_CHUNK: 'truncated body',
  TRUNCATED_BODY: 'truncated body',
  WRONG_CONTENT_LENGTH: 'truncated body',
};

type Indexed = readonly [SecurityScheme, number];

/** The items that belong to no operation: security schemes and kinds of failure. */
export class DocumentPlan extends CoveragePart {
  readonly name = '';
  readonly operation = undefined;
  /** By the place of the OpenAPI Object and the name of the scheme. */
  readonly #schemes = new Map<string, number>();
  readonly #required = new Map<Operation, readonly Indexed[]>();
  readonly #failures = new Map<FailureKind, number>();

  constructor({ document }: Contract) {
    super();
    for (const { place: root } of document.entries) {
      const at = `${root}/components/securitySchemes`;
      for (const name of Object.keys(Object(document.at(at)))) {
        const place = at + toPointer([name]);
        const use = { kind: 'credential', scheme: name } as const;
        const index = this.add({ group: 'security', name, place, use });
        this.#schemes.set(`${root} ${name}`, index);
      }
    }
    const [first] = document.entries;
    const place = `${first?.place ?? ''}/paths`;
    for (const [name, use] of Object.entries(failureKinds)) {
      this.#failures.set(name as FailureKind, this.add({ group: 'failures', name, place, use }));
    }
  }

  /**
   * @param request undefined for one whose credential was not accepted
   * @param acted true if a rule acted on the request
   */
  mark(
    request: ValidRequest | undefined,
    response: MockResponse,
    acted: boolean,
    marks: UsedMarks,
  ): void {
    if (acted) this.#markFailure(response, marks);
    if (request === undefined) return;
    for (const [scheme, index] of this.#schemesOf(request.operation)) {
      if (!marks.has(index) && isShown(scheme, request)) marks.add(index);
    }
  }

  #schemesOf(operation: Operation): readonly Indexed[] {
    return remember(this.#required, operation, () =>
      operation.security
        .flat()
        .map((scheme) => [scheme, this.#schemes.get(`${operation.root} ${scheme.name}`) ?? -1]),
    );
  }

  #markFailure(response: MockResponse, marks: UsedMarks): void {
    for (const kind of kindsOf(response)) marks.add(this.#failures.get(kind) ?? -1);
  }
}

function* kindsOf(response: MockResponse): Generator<FailureKind> {
  const { status, fault, delayMilliseconds, pace } = response;
  if (delayMilliseconds > 0 || pace !== undefined) yield 'delay';
  const kind = fault && FAULT_KINDS[fault];
  if (kind !== undefined) yield kind;
  if (kind === 'reset' || fault === 'HANG' || status < 400) return;
  if (status === 429) yield 'rate limit';
  else if (status >= 502 && status <= 504) yield 'outage';
  else yield 'status';
}

/** Returns whether a request that was accepted shows a credential of the scheme. */
function isShown(scheme: SecurityScheme, { fields, query }: ValidRequest): boolean {
  switch (scheme.kind) {
    case 'bearer':
    case 'basic':
    case 'http': {
      const name = scheme.kind === 'http' ? scheme.scheme : scheme.kind;
      return fields.get('authorization')?.toLowerCase().startsWith(`${name} `) === true;
    }
    case 'apiKey':
      if (scheme.in === 'header') return fields.get(scheme.parameter.toLowerCase()) !== undefined;
      if (scheme.in === 'cookie') return readCookies(fields.get('cookie')).has(scheme.parameter);
      return readQuery(query).some(([name]) => name === scheme.parameter);
    case 'mutualTLS':
      // Part of the connection: an accepted request has it.
      return true;
  }
}
