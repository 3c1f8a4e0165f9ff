import { createRequire } from 'node:module';
import type { JsonObject } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { readTarget } from '../../http/target.ts';
import { textOf } from '../members.ts';
import { findByTemplate, methodOf, toPattern, URLS } from './translate-request.ts';
import { unsupported } from './unsupported.ts';

/**
 * Returns the operations whose requests a pattern of WireMock can match, at least one.
 *
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING when there is none
 */
export function findPossibleOperations(
  request: JsonObject,
  contract: Contract,
): readonly [Operation, ...Operation[]] {
  const method = methodOf(request);
  const onPath = findOnPath(request, contract);
  const [first, ...others] = onPath.filter((one) => method === undefined || one.method === method);
  if (first !== undefined) return [first, ...others];
  const url = URLS.flatMap((name) => textOf(request, name) ?? [])[0] ?? 'any path';
  throw unsupported([
    `the document has no ${method ?? 'operation'} on ${url.slice(0, 200)}, ` +
      'so no request can match',
  ]);
}

function findOnPath(request: JsonObject, contract: Contract): readonly Operation[] {
  const url = textOf(request, 'url') ?? textOf(request, 'urlPath');
  if (url !== undefined) return findByUrl(url, contract);
  const template = textOf(request, 'urlPathTemplate');
  if (template !== undefined) return findByTemplate(template, contract);
  const pattern = textOf(request, 'urlPattern') ?? textOf(request, 'urlPathPattern');
  if (pattern === undefined) return contract.operations;
  return contract.operations.filter(({ path }) => canMatch(pattern, path));
}

function findByUrl(url: string, contract: Contract): readonly Operation[] {
  const target = readTarget(url);
  if (target === undefined) return [];
  // The route of a path holds the operations of all its methods.
  const found = contract.route(target.path, contract.operations[0]?.method ?? 'GET');
  return found === undefined ? [] : [...found.methods.values()];
}

/** A larger automaton costs more than matching one operation too many. */
const MOST_STATES = 2_000;

/**
 * Returns whether a regular expression can match a URL whose path fits a template, with or without
 * a query; true where this is undecided, which only adds an operation to the rule: the rule's own
 * URL matcher still decides.
 */
export function canMatch(pattern: string, template: string): boolean {
  try {
    const left = toAutomaton(`(?:${pattern})`);
    const right = toAutomaton(`${toPattern(template)}(?:\\?[^]*)?`);
    return !left.refa.isDisjointWith(left.automaton, right.automaton);
  } catch {
    return true;
  }
}

function toAutomaton(source: string) {
  // Loaded on first use: few mappings match their URL with a pattern.
  const refa = require('refa') as typeof import('refa');
  const { expression, maxCharacter } = refa.JS.Parser.fromLiteral({ source, flags: '' }).parse();
  const applied = refa.transform(refa.Transformers.applyAssertions(), expression);
  const automaton = refa.NFA.fromRegex(
    applied,
    { maxCharacter },
    { assertions: 'ignore', unknowns: 'disable' },
    new refa.NFA.LimitedNodeFactory(MOST_STATES),
  );
  return { refa, automaton };
}

const require = createRequire(import.meta.url);
