import { type Content, readContents } from './content.ts';
import type { ContractSource } from './contract-source.ts';
import { HeaderFields } from './header-fields.ts';

/** A Response Object (OAS 3.1 §4.8.17) under its key: `200`, `4XX` or `default`. */
export interface DeclaredResponse {
  readonly key: string;
  readonly pointer: string;
  readonly contents: readonly Content[];
  /** Those of the contents whose items are sent one by one. */
  readonly streams: readonly Content[];
  readonly headers: HeaderFields;
}

/** The status of a response, and the declared response that allows it. */
export interface Declared {
  readonly status: number;
  readonly response: DeclaredResponse;
}

/** The Responses Object (OAS 3.1 §4.8.16) of one operation. */
export class Responses {
  readonly #byKey: ReadonlyMap<string, DeclaredResponse>;
  readonly all: readonly DeclaredResponse[];
  /** The response to a request without preferences; undefined if none is declared. */
  readonly success: Declared | undefined;

  /** @param isRead true for GET and HEAD */
  constructor(responses: readonly DeclaredResponse[], isRead: boolean) {
    this.all = Object.freeze([...responses]);
    this.#byKey = new Map(responses.map((response) => [response.key, response]));
    this.success = this.#findSuccess(isRead);
    Object.freeze(this);
  }

  /** Returns those of a final status (RFC 9110 §15), of a range the first; without `default`. */
  get finals(): readonly Declared[] {
    return this.all
      .map((response) => ({ status: Number(response.key.replace('XX', '00')), response }))
      .filter(({ status }) => status >= 200);
  }

  /** Returns the response for a status: its own, its range, or `default` (OAS 3.1 §4.8.16). */
  find(status: number): DeclaredResponse | undefined {
    return this.findSpecific(status) ?? this.#byKey.get('default');
  }

  /** As {@link find}, without `default`. */
  findSpecific(status: number): DeclaredResponse | undefined {
    return this.#byKey.get(String(status)) ?? this.#byKey.get(`${String(status)[0]}XX`);
  }

  /**
   * Returns the lowest 2xx, its range, `default`, or else a redirection, or what says that there is
   * no such service. Other errors alone leave the success of a write undeclared: not all responses
   * are known in advance (OAS 3.1 §4.8.16). A read responds with the first of them.
   */
  #findSuccess(isRead: boolean): Declared | undefined {
    const explicit = [...this.#byKey.keys()].filter((key) => /^2\d\d$/.test(key)).sort();
    const key =
      explicit[0] ??
      ['2XX', 'default'].find((name) => this.#byKey.has(name)) ??
      this.all.find(({ key: other }) => LASTING.test(other))?.key ??
      (isRead ? this.all.find(({ key: other }) => !other.startsWith('1'))?.key : undefined);
    const response = key === undefined ? undefined : this.#byKey.get(key);
    return response === undefined ? undefined : { status: statusOf(response.key), response };
  }
}

/** Redirections, and errors that speak of the operation and not of a request. */
const LASTING = /^(?:3|410$|426$|501$)/;

export function readResponses(source: ContractSource, operation: string): Responses {
  return new Responses(
    source.document
      .members(`${operation}/responses`)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, place]) => readResponse(source, key, place)),
    /\/(?:get|head)$/.test(operation),
  );
}

function readResponse(source: ContractSource, key: string, place: string): DeclaredResponse {
  const { document } = source;
  if (!/^(?:[1-5](?:\d\d|XX|xx)|default)$/.test(key)) {
    throw document.fail(
      place,
      `${JSON.stringify(key)} is no key of a response`,
      'The key of a response is a status such as 200, a range such as 4XX, or default.',
    );
  }
  const pointer = document.resolveObject(place)?.pointer ?? place;
  const headers = new HeaderFields(source, pointer);
  const contents = readContents(source, pointer, 'response');
  return Object.freeze({
    key: key.toUpperCase().replace('DEFAULT', 'default'),
    pointer,
    contents,
    streams: contents.filter(({ isStream }) => isStream),
    headers,
  });
}

/** Returns the status of a key, of a range the first. */
function statusOf(key: string): number {
  if (key === 'default') return 200;
  return Number(key.replace('XX', '00'));
}
