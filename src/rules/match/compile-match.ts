import { toCanonicalText } from '../../base/json/equal.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { distanceOf, listMeant } from '../../base/nearest-name.ts';
import { shorten } from '../../base/words.ts';
import { listOutgoing } from '../../contract/callbacks.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { FilePlace } from '../../document/source-document.ts';
import type { Mismatch, RequestPattern, RequestView, RequiredText } from '../../request/view.ts';
import { containsPart, explainPart } from './compare-json.ts';
import { compileSchema } from './json-matchers.ts';
import { compileMatcher } from './matchers.ts';
import { compileExpectation, PARAMETER_MEMBERS, requirePathParameter } from './parameters.ts';
import {
  ABSENT,
  bodySubject,
  explainDifference,
  explainSubject,
  type RequestCondition,
  type Subject,
  textSubject,
  type ValueMatcher,
} from './value-matcher.ts';

export interface MatchJson {
  readonly callback?: string;
  readonly operationId?: string | readonly string[];
  readonly method?: string;
  readonly path?: string;
  readonly urlPath?: TextExpectation;
  /** On path and query of the request. */
  readonly url?: TextExpectation;
  readonly pathParameters?: JsonObject;
  readonly query?: JsonObject;
  readonly headers?: JsonObject;
  readonly cookies?: JsonObject;
  readonly credential?: TextExpectation;
  readonly session?: TextExpectation;
  readonly body?: JsonValue;
  readonly bodySchema?: JsonObject | boolean;
  readonly bodyPatterns?: readonly JsonObject[];
}

/** The exact text, or a value matcher. */
type TextExpectation = string | JsonObject;

/** A pattern with the operations that it names; none for all operations. */
export interface CompiledMatch extends RequestPattern {
  readonly operations: readonly Operation[];
}

export function compileMatch(
  place: FilePlace,
  match: MatchJson,
  contract: Contract,
): CompiledMatch {
  requireCallback(place, match, contract);
  const operations = findOperations(place, match, contract);
  for (const name of Object.keys(match.pathParameters ?? {})) {
    requirePathParameter(place.at('pathParameters', name), name, operations);
  }
  const conditions = [
    ...operationCondition(operations, match.callback),
    ...textConditions(place, match),
    ...parameterConditions(place, match),
    ...bodyConditions(place, match),
  ];
  const { body, bodySchema, bodyPatterns = [] } = match;
  const [only, ...others] = conditions;
  return Object.freeze({
    operations,
    operation: operations.length === 1 ? operations[0] : undefined,
    callback: match.callback,
    requires: conditions.find(({ requires }) => requires !== undefined)?.requires,
    readsBody: body !== undefined || bodySchema !== undefined || bodyPatterns.length > 0,
    matches:
      only !== undefined && others.length === 0
        ? (view: RequestView) => only.holds(view)
        : (view: RequestView) => conditions.every((condition) => condition.holds(view)),
    explain: (view: RequestView) =>
      conditions.flatMap((condition) => (condition.holds(view) ? [] : condition.explain(view))),
  });
}

/** Returns the operations that a match names; none for all. */
function findOperations(
  place: FilePlace,
  { operationId = [], method, path }: MatchJson,
  contract: Contract,
): readonly Operation[] {
  const ids = () => contract.operations.map((one) => one.id);
  const named = [operationId].flat().map((id, index) => {
    const operation = contract.operation(id);
    if (operation !== undefined) return operation;
    const at = place.at('operationId');
    const message = `the document has no operation ${JSON.stringify(id)}`;
    throw (typeof operationId === 'string' ? at : at.at(index)).fail(message, listMeant(id, ids()));
  });
  if (path === undefined || method === undefined) return named;
  const placed = contract.operations.filter(
    (one) => one.path === path && one.method === method.toUpperCase(),
  );
  if (placed.length === 0) {
    const nameOf = (one: Operation): string => `${one.method} ${one.path}`;
    // A path as requests have it means its template.
    const routed = contract.route(path, method)?.methods.get(method.toUpperCase());
    const wanted = routed === undefined ? `${method} ${path}` : nameOf(routed);
    const remedy = listMeant(wanted, contract.operations.map(nameOf));
    throw place.at('path').fail(`the document has no ${method} ${path}`, remedy);
  }
  if (named.length === 0) return placed;
  const both = placed.filter((one) => named.includes(one));
  if (both.length > 0) return both;
  throw place
    .at('path')
    .fail(
      `${method} ${path} is not ${named.map(({ id }) => id).join(' or ')}`,
      'Give either the operationId or the path.',
    );
}

function requireCallback(place: FilePlace, { callback }: MatchJson, contract: Contract): void {
  if (callback === undefined) return;
  const names = [...new Set(listOutgoing(contract).map(({ outgoing }) => outgoing.name))];
  if (names.includes(callback)) return;
  const message = `the document has no callback or webhook ${JSON.stringify(callback)}`;
  throw place.at('callback').fail(message, listMeant(callback, names));
}

function operationCondition(
  operations: readonly Operation[],
  callback: string | undefined,
): readonly RequestCondition[] {
  if (operations.length === 0) return [];
  const all = new Set<Operation | undefined>(operations);
  return [
    {
      // The operations of a rule for a callback are those that declare it.
      holds: (view) => all.has(callback === undefined ? view.operation : view.caller),
      explain: (view) => [explainOperation(view, operations)],
    },
  ];
}

function explainOperation(view: RequestView, wanted: readonly Operation[]): Mismatch {
  const { request, path, operation } = view;
  const names = wanted.map(({ id }) => id).join(' or ');
  return {
    subject: 'operation',
    message: `${request.method} ${shorten(path)} was ${operation?.id ?? 'no operation'}, not ${names}`,
    distance: Math.min(...wanted.map((one) => distanceToOperation(view, one))),
  };
}

/** Method and path count the same, and another operation is never very near. */
function distanceToOperation({ request, path }: RequestView, wanted: Operation): number {
  const byMethod = request.method === wanted.method ? 0 : 1;
  const byPath = distanceOf(path, wanted.path);
  return Math.max((byMethod + byPath) / 2, 0.1);
}

/** Returns the conditions on single texts: each is a member of `match` by its name. */
function textConditions(place: FilePlace, match: MatchJson): readonly RequestCondition[] {
  const { method, path, urlPath, url, credential, session } = match;
  const methodAlone = path === undefined ? method?.toUpperCase() : undefined;
  const on = (
    name: string,
    expected: TextExpectation | undefined,
    read: (view: RequestView) => string | undefined,
  ): readonly RequestCondition[] => {
    if (expected === undefined) return [];
    const options = typeof expected === 'string' ? { equalTo: expected } : expected;
    const matcher = compileMatcher(place.at(name), options);
    const subjectOf = (view: RequestView): Subject => {
      const text = read(view);
      return text === undefined ? ABSENT : textSubject(text, view);
    };
    return [conditionOn(name, matcher, subjectOf)];
  };
  return [
    ...on('method', methodAlone, ({ request }) => request.method),
    ...on('urlPath', urlPath, (view) => view.path),
    ...on('url', url, (view) => (view.query === '' ? view.path : `${view.path}?${view.query}`)),
    ...on('credential', credential, (view) => view.credential),
    ...on('session', session, (view) => view.session),
  ];
}

function conditionOn(
  subject: string,
  matcher: ValueMatcher,
  read: (view: RequestView) => Subject,
): RequestCondition {
  const { text } = matcher;
  const textsIn = (view: RequestView) => [read(view).text ?? []].flat();
  return {
    requires: text === undefined ? undefined : { subject, text, textsIn },
    holds: (view) => matcher.matches(read(view)),
    explain: (view) => [explainSubject(subject, read(view), matcher)],
  };
}

function parameterConditions(place: FilePlace, match: MatchJson): readonly RequestCondition[] {
  return PARAMETER_MEMBERS.flatMap((member) =>
    Object.entries(match[member[0]] ?? {}).map(([name, expected]) =>
      compileExpectation(place, member, name, expected),
    ),
  );
}

function bodyConditions(
  place: FilePlace,
  { body, bodySchema, bodyPatterns = [] }: MatchJson,
): readonly RequestCondition[] {
  const patterns = bodyPatterns.map((pattern, index) =>
    compileMatcher(place.at('bodyPatterns', index), pattern),
  );
  return [
    ...(body === undefined ? [] : [partialBody(body)]),
    ...(bodySchema === undefined ? [] : [conformingBody(place.at('bodySchema'))]),
    ...patterns.map((matcher) => conditionOn('body', matcher, bodySubject)),
  ];
}

function partialBody(expected: JsonValue): RequestCondition {
  return {
    requires: requireMember(expected),
    holds: (view) => containsPart(view.body, expected),
    explain: (view) => explainPart(view.body, expected, 'body'),
  };
}

/** Returns the first member of an object that is neither an object nor a list, as a text. */
function requireMember(expected: JsonValue): RequiredText | undefined {
  if (!isJsonObject(expected)) return undefined;
  for (const [name, value] of Object.entries(expected)) {
    const [text] = toScalarText(value);
    if (text === undefined) continue;
    const textsIn = ({ body }: RequestView) =>
      isJsonObject(body) ? toScalarText(getMember(body, name)) : [];
    return { subject: `body.${name}`, text, textsIn };
  }
  return undefined;
}

function toScalarText(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || Array.isArray(value) || isJsonObject(value)) return [];
  return [toCanonicalText(value)];
}

function conformingBody(place: FilePlace): RequestCondition {
  const schema = compileSchema(place);
  return {
    holds: ({ body }) => body !== undefined && schema.accepts(body),
    explain({ body }) {
      if (body === undefined) return [explainDifference('body', undefined, null)];
      return schema.check(body, 'body').map((violation) => {
        return { subject: `body${violation.pointer}`, message: violation.message, distance: 0.5 };
      });
    },
  };
}
