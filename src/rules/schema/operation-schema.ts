import { type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { Operation } from '../../contract/contract.ts';
import { chooseFailure } from '../../contract/error-response.ts';
import type { DeclaredResponse } from '../../contract/responses.ts';
import { parameterNames } from '../../contract/template-segment.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import { PARAMETER_MEMBERS } from '../match/parameters.ts';
import type { ValueHints } from '../match/value-hints.ts';

/** The parts that the schemas of operations share. */
export interface SharedSchemas {
  readonly document: SourceDocument;
  readonly hints: ValueHints;
  readonly definitions: JsonObject;
  /** Names of the definitions of responses, by pointer. */
  readonly responses: Map<string, string>;
}

/** Returns what a rule of an operation must satisfy, besides the schema of every rule. */
export function describeRuleOf(operation: Operation, shared: SharedSchemas): JsonObject {
  // An operation that cannot be served declares nothing to compare a rule with.
  if (operation.fault !== undefined) return {};
  return {
    properties: {
      match: { properties: describeMatch(operation, shared) },
      per: describeScope(operation),
      answer: describeAnswer(operation, shared),
    },
  };
}

function describeMatch(operation: Operation, { document, hints }: SharedSchemas): JsonObject {
  const match: JsonObject = {};
  for (const [member, location] of PARAMETER_MEMBERS) {
    const parameters = operation.parameters.filter((one) => one.in === location);
    if (parameters.length === 0) continue;
    const named: JsonObject = {};
    for (const { name, schema } of parameters) {
      const pointer = schema?.pointer;
      // A parameter may be compared with a value or by a matcher: only its description is known.
      const { description } = pointer === undefined ? {} : remarksAt(document, pointer);
      setMember(named, name, description === undefined ? {} : { description });
    }
    match[member] = { properties: named };
  }
  const bodies = operation.body?.contents.flatMap(({ schema }) => schema?.pointer ?? []) ?? [];
  if (bodies.length > 0) match['body'] = hints.of(bodies);
  return match;
}

function remarksAt(document: SourceDocument, pointer: string): JsonObject {
  const schema = document.schemaAt(pointer);
  return typeof schema === 'object' ? schema : {};
}

/** Counting by resource needs path parameters. */
function describeScope({ path }: Operation): JsonObject {
  const names = parameterNames(path);
  return {
    ...(names.length === 0 && { not: { const: 'resource' } }),
    properties: { path: oneOf(names) },
  };
}

const STATUSES = { from: 200, to: 599 };
const FAILURES = { from: 400, to: 599 };

/** Returns the schema of `answer`, which allows everything off the contract. */
function describeAnswer(operation: Operation, shared: SharedSchemas): JsonObject {
  const { responses } = operation;
  const statuses = groupStatuses(STATUSES, (status) => responses.find(status));
  const failures = groupStatuses(FAILURES, (status) => chooseFailure(status, operation)?.response);
  const byStatus = [
    ...statuses.map((group) => whereStatus('status', group, shared)),
    ...failures.map((group) => whereStatus('fail', group, shared)),
  ];
  return {
    if: { required: ['offContract'], properties: { offContract: { const: true } } },
    else: {
      properties: {
        status: anyOf(statuses.flatMap((group) => describeStatuses(group, shared.document))),
        fail: anyOf(failures.flatMap(describeRanges)),
      },
      ...(byStatus.length > 0 && { allOf: byStatus }),
    },
  };
}

/** The statuses of one response. */
interface StatusGroup {
  readonly response: DeclaredResponse;
  readonly ranges: readonly StatusRange[];
}

interface StatusRange {
  readonly from: number;
  to: number;
}

function groupStatuses(
  { from, to }: StatusRange,
  find: (status: number) => DeclaredResponse | undefined,
): readonly StatusGroup[] {
  const groups = new Map<DeclaredResponse, StatusRange[]>();
  for (let status = from; status <= to; status++) {
    const response = find(status);
    if (response === undefined) continue;
    const ranges = groups.get(response) ?? [];
    groups.set(response, ranges);
    const last = ranges.at(-1);
    if (last?.to === status - 1) last.to = status;
    else ranges.push({ from: status, to: status });
  }
  return [...groups].map(([response, ranges]) => ({ response, ranges }));
}

function describeRanges({ ranges }: StatusGroup): readonly JsonObject[] {
  return ranges.map(({ from, to }) =>
    from === to ? { const: from } : { minimum: from, maximum: to },
  );
}

function describeStatuses(group: StatusGroup, document: SourceDocument): readonly JsonObject[] {
  const description = document.at(`${group.response.pointer}/description`);
  if (typeof description !== 'string') return describeRanges(group);
  return describeRanges(group).map((range) => ({ ...range, description }));
}

function whereStatus(
  member: 'status' | 'fail',
  group: StatusGroup,
  shared: SharedSchemas,
): JsonObject {
  return {
    if: { required: [member], properties: { [member]: anyOf(describeRanges(group)) } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
    then: { $ref: `#/$defs/${nameResponse(group.response, shared)}` },
  };
}

function nameResponse(response: DeclaredResponse, shared: SharedSchemas): string {
  const { pointer } = response;
  const known = shared.responses.get(pointer);
  if (known !== undefined) return known;
  const name = `response-${shared.responses.size + 1}`;
  shared.responses.set(pointer, name);
  setMember(shared.definitions, name, describeResponse(response, shared));
  return name;
}

function describeResponse(
  { contents, headers }: DeclaredResponse,
  { hints }: SharedSchemas,
): JsonObject {
  const names = contents.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
  const bodies = contents.flatMap(({ schema }) => schema?.pointer ?? []);
  const fields: JsonObject = {};
  for (const name of headers.schemas.keys()) setMember(fields, name, {});
  return {
    properties: {
      example: oneOf(names),
      ...(bodies.length > 0 && { body: hints.of(bodies) }),
      ...(headers.schemas.size > 0 && { headers: { properties: fields } }),
    },
  };
}

/** Returns a schema that accepts these texts only. */
function oneOf(texts: readonly string[]): JsonValue {
  return texts.length === 0 ? false : { enum: [...new Set(texts)] };
}

function anyOf(schemas: readonly JsonObject[]): JsonValue {
  return schemas.length === 0 ? false : { anyOf: [...schemas] };
}
