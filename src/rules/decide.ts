import { Problem } from '../base/problem.ts';
import type { Random } from '../base/random.ts';
import type { Operation } from '../contract/contract.ts';
import type { RequestView } from '../request/view.ts';
import type { Effects } from './answer/effects.ts';
import { isFor, type Rule, type RuleAction } from './rule.ts';
import type { SessionFixtures } from './session-fixtures.ts';
import type { TurnMemory, TurnPlace } from './turn/turn.ts';

/** When rules are asked: before anything is checked, or of a request that is valid. */
export type Phase = 'outage' | 'valid';

/** A rule that answers. */
export type AnsweringRule = Rule & { readonly action: RuleAction };

/** A request that rules are asked about. */
export interface Asked {
  readonly operation: Operation;
  readonly view: RequestView;
  /** By the session's clock; milliseconds since 1970. */
  readonly now: number;
  /**
   * A stream of chance of its own for each purpose, so that what one rule draws does not depend on
   * which others are there.
   */
  readonly chanceOf: (purpose: string) => Random;
  /** Rules that act on this request whatever they match and count. */
  readonly requested: readonly Rule[];
  /** True where none but those act. */
  readonly isExclusive: boolean;
}

/**
 * Asks the rules about a request, in their order, until one answers. A rule that only delays,
 * paces or spoils lets those after it answer.
 *
 * @param memory where the rules keep count
 * @param effects are told of every rule that acts
 */
export function decide(
  phase: Phase,
  asked: Asked,
  fixtures: SessionFixtures,
  memory: TurnMemory,
  effects: Effects,
): AnsweringRule | undefined {
  const { requested, operation } = asked;
  for (const rule of requested) {
    if (!isAskedIn(rule, phase)) continue;
    note(rule, 1, asked, effects);
    if (answers(rule, operation)) return rule;
  }
  if (asked.isExclusive) return undefined;
  for (const rule of fixtures.rulesFor(operation)) {
    if (!isAskedIn(rule, phase) || requested.includes(rule)) continue;
    if (act(rule, asked, memory, effects) && answers(rule, operation)) return rule;
  }
  return undefined;
}

/** @returns where the rules keep count that {@link decide} may ask */
export function listPlaces(
  phase: Phase,
  { requested, operation, isExclusive, view }: Asked,
  fixtures: SessionFixtures,
): readonly TurnPlace[] {
  if (isExclusive) return [];
  return fixtures
    .rulesFor(operation)
    .filter((rule) => isAskedIn(rule, phase) && !requested.includes(rule))
    .filter(({ pattern }) => pattern.matches(view))
    .map(({ turn }) => turn.placeOf(view));
}

/** @returns true when the request is one that the rule is for, and it is its turn */
function act(rule: Rule, asked: Asked, memory: TurnMemory, effects: Effects): boolean {
  const { view, now } = asked;
  if (!rule.pattern.matches(view)) return false;
  const outcome = rule.turn.take({ view, now, random: asked.chanceOf(rule.name) }, memory);
  effects.tell(outcome);
  if (outcome.acts) note(rule, outcome.strength, asked, effects);
  return outcome.acts;
}

/** The delay draws apart: a rule that is asked for by name draws no lot before it. */
function note(rule: Rule, strength: number, asked: Asked, effects: Effects): void {
  effects.note(rule, strength, asked.chanceOf(`${rule.name} delay`));
}

function isAskedIn(rule: Rule, phase: Phase): boolean {
  return rule.isOutage === (phase === 'outage');
}

function answers(rule: Rule, operation: Operation): rule is AnsweringRule {
  const { action } = rule;
  if (action === undefined) return false;
  return action.kind === 'fault' || action.answerOf(operation) !== undefined;
}

/**
 * @returns the rules that a request asks for by name
 * @throws {Problem} UNKNOWN_FIXTURE for a name that there is none of, or none for this operation
 */
export function findRequested(
  name: string,
  operation: Operation,
  fixtures: SessionFixtures,
): readonly Rule[] {
  const rules = fixtures.findAll(name);
  if (rules.length === 0) {
    const shown = JSON.stringify(name.slice(0, 80));
    const names = fixtures.list().map((one) => one.rule.name);
    const there = names.length === 0 ? 'none at all' : names.join(', ');
    throw new Problem('UNKNOWN_FIXTURE', `there is no fixture ${shown}, there is ${there}`);
  }
  const fit = rules.filter((rule) => isFor(rule, operation));
  if (fit.length > 0) return fit;
  const meant = new Set(rules.flatMap(({ operations }) => operations.map(({ id }) => id)));
  throw new Problem(
    'UNKNOWN_FIXTURE',
    `the fixture ${name} is for ${[...meant].join(', ')}, this request is ${operation.id}`,
  );
}
