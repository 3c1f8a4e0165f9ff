import type { Located, Place } from './description.ts';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** One parameter, in the words of OAS 3 whatever the document's version. */
export interface Parameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly style: string;
  readonly explode: boolean;
  readonly schema: Place | undefined;
  /** Media type of its `content`, where it has that in place of a style. */
  readonly mediaType: string | undefined;
  /** Where its examples stand. */
  readonly owner: Located;
}

/** One entry of `content`. */
export interface Content {
  readonly mediaType: string;
  readonly schema: Place | undefined;
  readonly itemSchema: Place | undefined;
  readonly owner: Located;
}

export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Place | undefined;
  readonly mediaType: string | undefined;
}

export interface Response {
  /** A status, a range as `4XX`, or `default`. */
  readonly key: string;
  readonly contents: readonly Content[];
  readonly headers: readonly Header[];
}

/** The requirement of one scheme. */
export interface Credential {
  readonly in: 'header' | 'query' | 'cookie' | 'none';
  readonly name: string;
  readonly value: string;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Of the first server, without its last slash; empty where there is none. */
  readonly basePath: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly contents: readonly Content[] } | undefined;
  readonly responses: readonly Response[];
  /** Alternatives; each a list of what must be sent together. Undefined where no scheme is known. */
  readonly security: readonly (readonly Credential[] | undefined)[];
}

/** @returns the response that a status is declared by (OAS 3.1 §4.8.16) */
export function findResponse(operation: Operation, status: number): Response | undefined {
  const keys = [String(status), `${String(status)[0]}XX`, 'default'];
  return keys
    .map((key) =>
      operation.responses.find((response) => response.key.toUpperCase() === key.toUpperCase()),
    )
    .find((response) => response !== undefined);
}
