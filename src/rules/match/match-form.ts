import type { JsonValue } from '../../base/json/value.ts';
import type { FormReader } from '../form-reader.ts';
import {
  type MatcherDefinition,
  type ParameterExpectation,
  readExpectations,
  readMatchers,
  readTextOrMatcher,
} from './matcher-form.ts';

/** Which requests, as a file has it, of the right form, not yet held against the contract. */
export interface MatchDefinition {
  /** Where it stands in its file. */
  readonly pointer: string;
  /** Any of them; none says nothing. */
  readonly operationIds: readonly string[];
  readonly method: string | undefined;
  /** A path as the document writes it. */
  readonly path: string | undefined;
  /** On the path as it was sent. */
  readonly urlPath: MatcherDefinition | undefined;
  /** On path and query as they were sent. */
  readonly url: MatcherDefinition | undefined;
  readonly pathParameters: readonly ParameterExpectation[];
  readonly query: readonly ParameterExpectation[];
  readonly headers: readonly ParameterExpectation[];
  readonly cookies: readonly ParameterExpectation[];
  readonly credential: MatcherDefinition | undefined;
  readonly session: MatcherDefinition | undefined;
  readonly body: JsonValue | undefined;
  readonly hasBodySchema: boolean;
  readonly bodyPatterns: readonly MatcherDefinition[];
}

/** Reads a `match`; faults of form are noted by the reader. Nothing said is every request. */
export function readMatch(match: FormReader): MatchDefinition {
  const definition = {
    pointer: match.pointer,
    operationIds: readOperationIds(match),
    method: match.text('method'),
    path: match.text('path', /^\//),
    urlPath: readTextOrMatcher(match, 'urlPath'),
    url: readTextOrMatcher(match, 'url'),
    pathParameters: readExpectations(match.object('pathParameters')),
    query: readExpectations(match.object('query')),
    headers: readExpectations(match.object('headers')),
    cookies: readExpectations(match.object('cookies')),
    credential: readTextOrMatcher(match, 'credential'),
    session: readTextOrMatcher(match, 'session'),
    body: match.any('body'),
    hasBodySchema: match.schema('bodySchema') !== undefined,
    bodyPatterns: readMatchers(match, 'bodyPatterns'),
  };
  match.refuseOthers();
  refuseHalves(match);
  return definition;
}

function readOperationIds(match: FormReader): readonly string[] {
  const value = match.any('operationId');
  if (!Array.isArray(value)) {
    const id = match.text('operationId');
    return id === undefined ? [] : [id];
  }
  const ids = value.filter((id) => typeof id === 'string');
  if (ids.length < value.length || ids.length === 0) {
    match.note('operationId', 'must be a string, or a list of one or more strings');
  }
  return ids;
}

/** A method says little without a path, and a path of the document is none without a method. */
function refuseHalves(match: FormReader): void {
  const isMethodPlaced = ['path', 'urlPath', 'url'].some((name) => match.has(name));
  const isPathWhole = !match.has('path') || match.has('method');
  if (isPathWhole && (isMethodPlaced || !match.has('method'))) return;
  match.note(
    undefined,
    'must have method and path together',
    'Or name an operationId, or say urlPath or url beside the method.',
  );
}
