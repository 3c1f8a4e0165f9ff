import type { JsonValue } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { Mismatch, RequestPattern } from '../../request/request-pattern.ts';
import type { RequestView } from '../../request/view.ts';
import { type Schema, SchemaCompiler } from '../../schema/schema-compiler.ts';
import { distanceOf } from '../text-distance.ts';
import type { Condition } from '../turn/condition.ts';
import { compileMatcher } from './compile-matcher.ts';
import type { MatchDefinition } from './match-form.ts';
import { equalTo, type MatcherDefinition, type ParameterExpectation } from './matcher-form.ts';
import { compileExpectation } from './parameter-matcher.ts';
import { containsPart, explainPart } from './partial-body.ts';
import {
  ABSENT,
  bodySubject,
  explainSubject,
  type Subject,
  textSubject,
  type ValueMatcher,
} from './value-matcher.ts';

/**
 * Holds a `match` against the contract.
 *
 * @param file that it stands in, for places
 * @throws {DiagnosticError} for operations and path parameters that the document has not, and for
 *   operands that mean nothing
 */
export function compileMatch(
  file: SourceDocument,
  definition: MatchDefinition,
  contract: Contract,
): RequestPattern {
  const operations = findOperations(file, definition, contract);
  const conditions = [
    ...operationCondition(operations),
    ...addressConditions(file, definition),
    ...parameterConditions(file, definition, operations),
    ...callerConditions(file, definition),
    ...bodyConditions(file, definition),
  ];
  const { body, hasBodySchema, bodyPatterns } = definition;
  const [only, ...others] = conditions;
  return Object.freeze({
    operation: operations?.length === 1 ? operations[0] : undefined,
    readsBody: body !== undefined || hasBodySchema || bodyPatterns.length > 0,
    matches:
      only !== undefined && others.length === 0
        ? (view: RequestView) => only.holds(view)
        : (view: RequestView) => conditions.every((condition) => condition.holds(view)),
    explain: (view: RequestView) =>
      conditions.flatMap((condition) => (condition.holds(view) ? [] : condition.explain(view))),
  });
}

/** @returns the operations that are named; undefined where none is, which means all */
function findOperations(
  file: SourceDocument,
  definition: MatchDefinition,
  contract: Contract,
): readonly Operation[] | undefined {
  const { pointer, operationIds, method, path } = definition;
  const named = operationIds.map((id, index) => {
    const operation = contract.operation(id);
    if (operation !== undefined) return operation;
    const place = `${pointer}/operationId`;
    throw file.fail(
      file.at(`${place}/${index}`) === undefined ? place : `${place}/${index}`,
      `the document has no operation ${JSON.stringify(id)}`,
      `It has ${contract.operations.map((one) => one.id).join(', ')}.`,
    );
  });
  if (path === undefined || method === undefined) return named.length > 0 ? named : undefined;
  const placed = contract.operations.filter(
    (one) => one.path === path && one.method === method.toUpperCase(),
  );
  if (placed.length === 0) {
    throw file.fail(
      `${pointer}/path`,
      `the document has no ${method} ${path}`,
      `It has ${contract.operations.map((one) => `${one.method} ${one.path}`).join(', ')}.`,
    );
  }
  if (named.length === 0) return placed;
  const both = placed.filter((one) => named.includes(one));
  if (both.length > 0) return both;
  throw file.fail(
    `${pointer}/path`,
    `${method} ${path} is not ${named.map(({ id }) => id).join(' or ')}`,
    'Say either the operationId or the path.',
  );
}

function operationCondition(operations: readonly Operation[] | undefined): readonly Condition[] {
  const [only, ...others] = operations ?? [];
  if (operations === undefined || only === undefined) return [];
  const all = new Set(operations);
  return [
    {
      holds:
        others.length === 0
          ? ({ operation }) => operation === only
          : ({ operation }) => operation !== undefined && all.has(operation),
      explain: (view) => [explainOperation(view, operations)],
    },
  ];
}

function explainOperation(view: RequestView, wanted: readonly Operation[]): Mismatch {
  const { request, path, operation } = view;
  const shown = path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
  const names = wanted.map(({ id }) => id).join(' or ');
  return {
    subject: 'operation',
    message: `${request.method} ${shown} was ${operation?.id ?? 'no operation'}, not ${names}`,
    distance: Math.min(...wanted.map((one) => distanceToOperation(view, one))),
  };
}

const LONGEST_PATH = 80;

/** Method and path count alike, and another operation is never very near. */
function distanceToOperation({ request, path }: RequestView, wanted: Operation): number {
  const byMethod = request.method === wanted.method ? 0 : 1;
  const byPath = distanceOf(path, wanted.path);
  return Math.max((byMethod + byPath) / 2, 0.1);
}

function addressConditions(
  file: SourceDocument,
  { method, path, urlPath, url }: MatchDefinition,
): readonly Condition[] {
  const conditions: Condition[] = [];
  if (method !== undefined && path === undefined) {
    const wanted = equalTo(method.toUpperCase());
    conditions.push(
      condition('method', compileMatcher(file, wanted), ({ request }) => request.method),
    );
  }
  if (urlPath !== undefined) {
    conditions.push(condition('urlPath', compileMatcher(file, urlPath), (view) => view.path));
  }
  if (url !== undefined) conditions.push(condition('url', compileMatcher(file, url), writeUrl));
  return conditions;
}

function writeUrl({ path, query }: RequestView): string {
  return query === '' ? path : `${path}?${query}`;
}

function callerConditions(
  file: SourceDocument,
  { credential, session }: MatchDefinition,
): readonly Condition[] {
  const conditions: Condition[] = [];
  if (credential !== undefined) {
    const matcher = compileMatcher(file, credential);
    conditions.push(condition('credential', matcher, (view) => view.credential));
  }
  if (session !== undefined) {
    conditions.push(condition('session', compileMatcher(file, session), (view) => view.session));
  }
  return conditions;
}

/** @param read the text that the matcher is for; undefined when it did not come */
function condition(
  subject: string,
  matcher: ValueMatcher,
  read: (view: RequestView) => string | undefined,
): Condition {
  return conditionOn(subject, matcher, (view) => {
    const text = read(view);
    return text === undefined ? ABSENT : textSubject(text);
  });
}

function conditionOn(
  subject: string,
  matcher: ValueMatcher,
  read: (view: RequestView) => Subject,
): Condition {
  return {
    holds: (view) => matcher.matches(read(view)),
    explain: (view) => [explainSubject(subject, read(view), matcher)],
  };
}

/** What a match says of parameters, by where they stand. */
const PARAMETERS = [
  ['pathParameters', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
] as const satisfies readonly (readonly [keyof MatchDefinition, ParameterLocation])[];

function parameterConditions(
  file: SourceDocument,
  definition: MatchDefinition,
  operations: readonly Operation[] | undefined,
): readonly Condition[] {
  refuseUnknownPathParameters(file, definition.pathParameters, operations);
  return PARAMETERS.flatMap(([member, location]) =>
    definition[member].map((expectation) =>
      compileExpectation(file, expectation, member, location),
    ),
  );
}

function refuseUnknownPathParameters(
  file: SourceDocument,
  expectations: readonly ParameterExpectation[],
  operations: readonly Operation[] | undefined,
): void {
  for (const { name, pointer } of expectations) {
    for (const { id, path } of operations ?? []) {
      if (path.includes(`{${name}}`)) continue;
      const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, known = '']) => known);
      throw file.fail(
        pointer,
        `${id} has no path parameter ${JSON.stringify(name)}`,
        `It has ${names.join(', ') || 'none'}.`,
      );
    }
  }
}

function bodyConditions(
  file: SourceDocument,
  { pointer, body, hasBodySchema, bodyPatterns }: MatchDefinition,
): readonly Condition[] {
  const conditions: Condition[] = [];
  if (body !== undefined) conditions.push(partialBody(body));
  if (hasBodySchema) {
    const schema = new SchemaCompiler(file).schemaAt(`${pointer}/bodySchema`);
    // Compiled now, so that a schema that cannot be compiled is told at load.
    schema.check(null, 'body');
    conditions.push(bodySchema(schema));
  }
  for (const pattern of bodyPatterns) conditions.push(bodyPattern(file, pattern));
  return conditions;
}

function partialBody(expected: JsonValue): Condition {
  return {
    holds: (view) => containsPart(view.body, expected),
    explain: (view) => explainPart(view.body, expected, 'body'),
  };
}

function bodySchema(schema: Schema): Condition {
  return {
    holds: ({ body }) => body !== undefined && schema.check(body, 'body').length === 0,
    explain({ body }) {
      if (body === undefined) {
        return [{ subject: 'body', message: 'body was absent', distance: 1 }];
      }
      return schema.check(body, 'body').map(({ pointer, message }) => ({
        subject: `body${pointer}`,
        message,
        distance: 0.5,
      }));
    },
  };
}

function bodyPattern(file: SourceDocument, definition: MatcherDefinition): Condition {
  return conditionOn('body', compileMatcher(file, definition), bodySubject);
}
