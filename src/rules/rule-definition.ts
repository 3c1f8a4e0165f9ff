import type { JsonValue } from '../base/json/value.ts';
import { breakingFaults, type Fault, faults } from '../delivery/fault.ts';
import type { Pace } from '../delivery/pace.ts';
import { type DelayDefinition, readDelay } from './answer/delay-form.ts';
import { readPace } from './answer/pace-form.ts';
import type { FormReader } from './form-reader.ts';
import { type MatchDefinition, readMatch } from './match/match-form.ts';
import { readTurn, type TurnDefinition } from './turn/turn-form.ts';

/** A rule as its file has it, of the right form, not yet held against the contract. */
export interface RuleDefinition {
  /** Where it stands in its file. */
  readonly pointer: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly enabled: boolean;
  readonly priority: number;
  readonly match: MatchDefinition;
  readonly turn: TurnDefinition;
  readonly answer: AnswerDefinition;
}

/** What happens; a rule that only moves a scenario on has nothing of it. */
export interface AnswerDefinition {
  readonly pointer: string;
  /** A status that is declared. */
  readonly status: number | undefined;
  /** A status that is told as the contract can tell it. */
  readonly fail: number | undefined;
  readonly example: string | undefined;
  readonly body: JsonValue | undefined;
  /** A file beside the fixture file that holds the body. */
  readonly bodyFile: string | undefined;
  /** The media type of the body, where it is said; it is no part of `headers`. */
  readonly contentType: string | undefined;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** True for bodies and fields that are made of the request. */
  readonly isTemplate: boolean;
  readonly delay: DelayDefinition;
  readonly pace: Pace | undefined;
  readonly fault: Fault | undefined;
  readonly offContract: boolean;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Reads the rules of a fixture file; faults of form are noted by the reader. */
export function readRuleDefinitions(file: FormReader): readonly RuleDefinition[] {
  if (!file.has('resources')) file.require('rules');
  file.text('$schema');
  const rules = file.list('rules').map(readRule);
  file.refuseOthers();
  return rules;
}

function readRule(rule: FormReader): RuleDefinition {
  rule.require('name');
  const definition = {
    pointer: rule.pointer,
    name: rule.text('name', NAME) ?? '',
    description: rule.text('description'),
    enabled: rule.flag('enabled') ?? true,
    // 1 is asked first, as in WireMock, and 5 is in the middle.
    priority: rule.whole('priority', { from: 1 }) ?? 5,
    match: readMatch(rule.object('match')),
    turn: readTurn(rule),
    answer: readAnswer(rule.object('answer')),
  };
  // For people and programs: nothing here looks at it.
  rule.object('metadata');
  if (!NEEDS_NO_ANSWER.some((name) => rule.has(name))) {
    rule.require('answer');
    refuseIdle(rule.object('answer'));
  }
  rule.refuseOthers();
  return definition;
}

/** A rule with one of these does something without an answer of its own. */
const NEEDS_NO_ANSWER = ['newScenarioState', 'rateLimit'];

const HAPPENINGS = [
  'status',
  'fail',
  'fault',
  'fixedDelayMilliseconds',
  'delayDistribution',
  'chunkedDribbleDelay',
  'bandwidth',
];

function refuseIdle(answer: FormReader): void {
  if (HAPPENINGS.some((name) => answer.has(name))) return;
  answer.note(undefined, 'must have a status, a fault or a delay', `Or ${HAPPENINGS.join(', ')}.`);
}

function readAnswer(answer: FormReader): AnswerDefinition {
  const { 'content-type': contentType, ...headers } = lowerNames(answer.texts('headers') ?? {});
  const definition = {
    pointer: answer.pointer,
    status: answer.whole('status', { from: 200, to: 599 }),
    fail: answer.whole('fail', { from: 400, to: 599 }),
    example: answer.text('example'),
    body: answer.any('body'),
    bodyFile: answer.text('bodyFile', /./),
    contentType,
    headers,
    isTemplate: answer.flag('template') ?? false,
    delay: readDelay(answer),
    pace: readPace(answer),
    fault: answer.choice('fault', faults),
    offContract: answer.flag('offContract') ?? false,
  };
  answer.refuseOthers();
  refuseContradictions(answer);
  return definition;
}

/** Members that say nothing without another, or contradict one. */
function refuseContradictions(answer: FormReader): void {
  const hasStatus = answer.has('status') || answer.has('fail');
  for (const name of ['example', 'body', 'bodyFile', 'headers']) {
    if (answer.has(name) && !hasStatus) answer.note(name, 'needs a status beside it');
  }
  const bodies = ['example', 'body', 'bodyFile'].filter((name) => answer.has(name));
  for (const name of bodies.slice(1)) {
    answer.note(name, `cannot stand beside ${bodies[0] === 'example' ? 'an example' : 'a body'}`);
  }
  if (answer.has('fail') && answer.has('status')) {
    answer.note('fail', 'cannot stand beside a status');
  }
  const isBreaking = breakingFaults.some((fault) => fault === answer.any('fault'));
  if (hasStatus && isBreaking) {
    answer.note('fault', 'cannot stand beside a status');
  }
}

function lowerNames(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
