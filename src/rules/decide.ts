import type { Awaitable } from '../base/awaitable.ts';
import { thereIs } from '../base/nearest-name.ts';
import { Problem } from '../base/problem.ts';
import type { Random } from '../base/random.ts';
import { quote } from '../base/words.ts';
import type { Operation } from '../contract/contract.ts';
import { NO_FIELDS } from '../http/message.ts';
import type { RequestView } from '../request/view.ts';
import { isFor, type Rule, type RuleAction } from './rule.ts';
import type { SessionFixtures } from './session-fixtures.ts';
import type { TurnKeeper, TurnMemory, TurnPlace } from './turn/turn.ts';

/** When rules are applied: before any check, to a valid request, or to a callback. */
type Phase = 'outage' | 'valid' | 'callback';

export type AnsweringRule = Rule & { readonly action: RuleAction };

interface RuleRequest {
  readonly phase: Phase;
  /** The enabled rules of the phase that may match, in their order. */
  readonly rules: readonly Rule[];
  /** Undefined for a callback. */
  readonly operation: Operation | undefined;
  readonly view: RequestView;
  /** By the session's clock; milliseconds since 1970. */
  readonly now: number;
  /** Returns random numbers for a purpose: those of one rule do not depend on other rules. */
  readonly randomFor: (purpose: string) => Random;
  /** Rules that act on this request, whatever they match and count. */
  readonly requested: readonly Rule[];
  /** True if no other rules act. */
  readonly isExclusive: boolean;
  /** Where the effects of every rule that acts are recorded. */
  readonly effects: Effects;
}

/**
 * Applies the rules to a request, in their order, until one has a response. A rule that only
 * delays, paces or corrupts a response leaves it to the rules after it.
 */
export function decide(
  request: RuleRequest,
  keeper: TurnKeeper,
): Awaitable<AnsweringRule | undefined> {
  const { effects } = request;
  const before = effects.recorded;
  return keeper.takeTurns(
    () => listPlaces(request),
    (memory) => {
      effects.recorded = before;
      return decideBy(request, memory);
    },
  );
}

function decideBy(request: RuleRequest, memory: TurnMemory): AnsweringRule | undefined {
  const { requested, operation, phase } = request;
  for (const rule of requested) {
    if (!isAppliedIn(rule, phase)) continue;
    note(rule, 1, request);
    if (answers(rule, operation)) return rule;
  }
  if (request.isExclusive) return undefined;
  for (const rule of request.rules) {
    if (requested.includes(rule)) continue;
    if (act(rule, request, memory) && answers(rule, operation)) return rule;
  }
  return undefined;
}

/** Returns where the rules count that may be applied. */
function listPlaces(request: RuleRequest): readonly TurnPlace[] {
  const { requested, rules, isExclusive, view } = request;
  if (isExclusive) return [];
  return rules
    .filter((rule) => !requested.includes(rule) && rule.pattern.matches(view))
    .map(({ turn }) => turn.placeOf(view));
}

/** Counts a request that a rule matches; true if the rule acts on it. */
function act(rule: Rule, request: RuleRequest, memory: TurnMemory): boolean {
  const { view, now } = request;
  if (!rule.pattern.matches(view)) return false;
  const outcome = rule.turn.take({ view, now, random: request.randomFor(rule.name) }, memory);
  request.effects.addFields(outcome.fields);
  if (outcome.acts) note(rule, outcome.strength, request);
  return outcome.acts;
}

/** A delay has its own random numbers: a rule that is requested by name draws none before it. */
function note(rule: Rule, strength: number, { effects, randomFor }: RuleRequest): void {
  effects.add(rule, rule.delay?.draw(randomFor(`${rule.name} delay`), strength));
}

function isAppliedIn(rule: Rule, phase: Phase): boolean {
  return phase === 'callback' || rule.isOutage === (phase === 'outage');
}

function answers(rule: Rule, operation: Operation | undefined): rule is AnsweringRule {
  const { action } = rule;
  if (action === undefined || operation === undefined) return false;
  return action.kind === 'fault' || action.answerOf(operation) !== undefined;
}

export function findRequested(
  name: string,
  operation: Operation,
  fixtures: SessionFixtures,
): readonly Rule[] {
  const rules = fixtures.findAll(name);
  if (rules.length === 0) {
    const names = fixtures.list().map((one) => one.rule.name);
    const remedy = thereIs(name, names);
    throw new Problem('UNKNOWN_FIXTURE', `there is no fixture ${quote(name)}, ${remedy}`);
  }
  const fit = rules.filter((rule) => isFor(rule, operation));
  if (fit.length > 0) return fit;
  const ids = new Set(rules.flatMap(({ operations }) => operations.map(({ id }) => id)));
  throw new Problem(
    'UNKNOWN_FIXTURE',
    `the fixture ${name} is for ${[...ids].join(', ')}, this request is ${operation.id}`,
  );
}

export interface RecordedEffects extends Pick<Rule, 'pace' | 'stream' | 'spoiling' | 'sending'> {
  /** The names of the rules that act, in their order. */
  readonly acted: readonly string[];
  readonly delayMilliseconds: number | undefined;
  /** Further fields of the response; names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
}

const NO_EFFECTS: RecordedEffects = Object.freeze({
  acted: Object.freeze([]),
  delayMilliseconds: undefined,
  pace: undefined,
  stream: undefined,
  spoiling: undefined,
  sending: undefined,
  fields: NO_FIELDS,
});

/** The effects of rules on the response to one request, whatever its source. */
export class Effects {
  /** Replaced with each effect, so that a value read before undoes those after it. */
  recorded = NO_EFFECTS;

  get isIdle(): boolean {
    return this.recorded === NO_EFFECTS;
  }

  /** Adds the fields of a rule's turn, whether the rule acts or not. */
  addFields(fields: Readonly<Record<string, string>>): void {
    if (fields === NO_FIELDS) return;
    this.recorded = { ...this.recorded, fields: { ...this.recorded.fields, ...fields } };
  }

  /** Adds a rule that acts. Of each kind of effect the first one counts; they do not add up. */
  add(rule: Rule, delay: number | undefined): void {
    const { acted, delayMilliseconds, pace, stream, spoiling, sending, fields } = this.recorded;
    this.recorded = {
      acted: [...acted, rule.name],
      delayMilliseconds: delayMilliseconds ?? delay,
      pace: pace ?? rule.pace,
      stream: stream ?? rule.stream,
      spoiling: spoiling ?? rule.spoiling,
      sending: sending ?? rule.sending,
      fields,
    };
  }
}
