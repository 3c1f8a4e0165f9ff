import { createRequire } from 'node:module';
import type { JsonObject } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { readTarget } from '../../http/target.ts';
import { textOf } from '../members.ts';
import { findByTemplate, methodOf, toPattern } from './translate-request.ts';
import { unsupported } from './unsupported.ts';

/**
 * Finds the operations that requests can be for which a pattern of WireMock matches.
 *
 * @returns at least one
 * @throws {Problem} UNSUPPORTED_STUB_MAPPING where the document has none
 */
export function findMeantOperations(
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
      'and what it does not have is never answered',
  ]);
}

const URLS = ['url', 'urlPath', 'urlPattern', 'urlPathPattern', 'urlPathTemplate'];

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
  const found = contract.route(target.path, methodsOf(contract)[0] ?? 'GET');
  return found === undefined ? [] : [...found.methods.values()];
}

/** Whatever method: the route of a path has them all. */
function methodsOf({ operations }: Contract): readonly string[] {
  return operations.map(({ method }) => method);
}

/** Larger automata cost more than to ask an operation too many. */
const MOST_STATES = 2_000;

/**
 * Whether a regular expression for the whole URL can match a path that a template stands for, with
 * a query or without.
 *
 * @returns true where that cannot be told: the rule then is for an operation more, and its own
 *   matcher holds all the same
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
  // Loaded for the few mappings that name their URL by a pattern.
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
