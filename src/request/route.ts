import { findNearestName } from '../base/nearest-name.ts';
import { Problem } from '../base/problem.ts';
import { shorten } from '../base/words.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Selector, splitPath } from '../contract/path-template.ts';
import { readMediaType } from '../http/media-type.ts';
import type { WireRequest } from '../http/message.ts';
import { type QueryPairs, readQuery } from '../http/query.ts';
import { readTarget } from '../http/target.ts';
import { decodeParameters } from './parameters.ts';
import type { RoutedRequest } from './request.ts';

/**
 * Finds the operation of a request.
 *
 * @throws {Problem} MALFORMED_TARGET, PATH_NOT_FOUND or METHOD_NOT_ALLOWED, the last with Allow
 */
export function route(contract: Contract, request: WireRequest): RoutedRequest {
  const routed = findRoute(contract, request);
  if (routed === undefined) throw explainRoute(contract, request);
  return routed;
}

/** Finds the operation of a request; undefined without one, at a fraction of what a refusal takes. */
export function findRoute(contract: Contract, request: WireRequest): RoutedRequest | undefined {
  const target = readTargetOf(contract, request);
  if (target === undefined) return undefined;
  const found = contract.route(target.path, request.method);
  if (found === undefined) return undefined;
  const { methods } = found;
  // Where there is GET there is HEAD (RFC 9110 §9.3.2): the server drops the body.
  const first =
    methods.get(request.method) ?? (request.method === 'HEAD' ? methods.get('GET') : undefined);
  if (first === undefined) return undefined;
  const { method, fields, rawBody, prefix } = request;
  // A literal: a spread costs more, for every request.
  const routed = {
    method,
    target: request.target,
    prefix,
    fields,
    rawBody,
    operation: first,
    pathParameters: found.parameters,
    rawPathParameters: found.rawParameters,
    query: target.query,
  };
  const variants = contract.variants.get(first);
  if (variants === undefined) return routed;
  const isWhole = first.selectors.length > 0 && target.path.endsWith(behindPath(first));
  return isWhole ? routed : { ...routed, operation: choose(variants, routed) };
}

function readTargetOf(contract: Contract, { target }: WireRequest) {
  return contract.isPlainPath(target) ? { path: target, query: '' } : readTarget(target);
}

/** Returns the problem of a request that has no operation. */
function explainRoute(contract: Contract, request: WireRequest): Problem {
  const target = readTargetOf(contract, request);
  if (target === undefined) {
    return new Problem('MALFORMED_TARGET', 'the request target is not a path that can be read');
  }
  const { path } = target;
  const { method } = request;
  const found = contract.route(path, method);
  if (found === undefined) {
    const message = `the document has no path ${quote(path)}${suggestPath(contract, path)}`;
    return new Problem('PATH_NOT_FOUND', message);
  }
  const allow = [...found.methods.keys()].join(', ');
  const message = `${quote(path)} has no ${quote(method)}, it has ${allow}`;
  return new Problem('METHOD_NOT_ALLOWED', message, { fields: { allow } });
}

/** Returns the part of a key of the Paths Object that selects its operations: `#versions`. */
function behindPath({ path }: Operation): string {
  return path.slice(splitPath(path).path.length);
}

/**
 * Returns the operation that a request means, of several with one method and path: the one with most
 * selectors that the request has, otherwise one without any; of equal ones the first whose path
 * parameters accept the values.
 */
function choose(variants: readonly Operation[], request: RoutedRequest): Operation {
  const fields = new Map([...readForm(request), ...readQuery(request.query)]);
  const has = ({ name, value }: Selector): boolean =>
    value === undefined
      ? fields.has(name)
      : fields.get(name) === value || request.fields.get(name.toLowerCase()) === value;
  const meant = variants.filter(({ selectors }) => selectors.every(has));
  const most = Math.max(...meant.map(({ selectors }) => selectors.length));
  const best = meant.filter(({ selectors }) => selectors.length === most);
  const isAccepted = (operation: Operation) => acceptsPath({ ...request, operation });
  // The bare path means the first operation where none has it for itself.
  return best.find(isAccepted) ?? best[0] ?? variants[0] ?? request.operation;
}

function readForm({ fields, rawBody }: RoutedRequest): QueryPairs {
  const type = readMediaType(fields.get('content-type') ?? '');
  const isForm = type === 'application/x-www-form-urlencoded' && rawBody !== 'too-large';
  return isForm ? readQuery(Buffer.from(rawBody).toString()) : [];
}

function acceptsPath(request: RoutedRequest): boolean {
  const { operation } = request;
  if (operation.fault !== undefined) return true;
  const values = decodeParameters(request);
  return operation.parameters.every((declared, index) => {
    const { value, fault } = values[index] ?? {};
    if (declared.in !== 'path' || (value === undefined && fault === undefined)) return true;
    return value !== undefined && declared.schema?.accepts(value) !== false;
  });
}

/** Returns the end of a refusal: the path that was probably meant, otherwise what there is. */
function suggestPath(contract: Contract, path: string): string {
  const { operations } = contract;
  const paths = operations.slice(0, MOST_COMPARED).map((operation) => operation.path);
  const meant =
    respell(path).find((spelling) => leadsSomewhere(contract, spelling)) ??
    findNearestName(path, new Set(paths));
  if (meant !== undefined) return `; did you mean ${quote(meant)}?`;
  const [first] = operations;
  if (first === undefined) return ', and no other';
  const example = `${first.method} ${shorten(first.path)}`;
  const { length } = operations;
  return length === 1 ? `; it has ${example}` : `; it has ${length} operations, such as ${example}`;
}

/** A refusal must stay cheap: of longer documents, not all paths are compared. */
const MOST_COMPARED = 2_000;

/** Leading segments that a document may lack: `/api/v1/plants`. */
const MOST_LEADING = 3;

/** Returns the other spellings of a path that clients mix up: slashes, case, a base path. */
function respell(path: string): readonly string[] {
  const tidy = path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const [, ...segments] = tidy.split('/', MOST_LEADING + 1);
  const within: string[] = [];
  for (const segment of segments) within.push((within.at(-1) ?? tidy).slice(segment.length + 1));
  return [tidy, tidy.toLowerCase(), ...within.filter((rest) => rest.length > 1)];
}

/** Returns true for a path of the document that does not begin with a parameter, which fits all. */
function leadsSomewhere(contract: Contract, path: string): boolean {
  const [operation] = contract.route(path, 'GET')?.methods.values() ?? [];
  return operation?.path.startsWith('/{') === false;
}

function quote(text: string): string {
  return JSON.stringify(shorten(text, 200));
}
