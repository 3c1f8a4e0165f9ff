import { getMember, isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { type Contract, errorResponses, type Operation } from '../../contract/contract.ts';
import { breakingFaults } from '../../delivery/transmission.ts';
import type { FixtureSet } from '../../rules/fixture-set.ts';
import { isCalledBy, type Rule } from '../../rules/rule.ts';

export interface Failure {
  /** `createPlant.503`, or the name of a profile or of a disabled rule. */
  readonly name: string;
  readonly description: string;
  /** The operation that fails; left out where any may. */
  readonly operationId?: string;
  /** True where it lasts longer than a client can retry, so the client cannot succeed. */
  readonly isLasting: boolean;
  /** The rules that it enables, by name. */
  readonly enables?: string;
  readonly adds: readonly JsonObject[];
}

/** Returns the failures: declared errors of operations, disabled rules of files, then profiles. */
export function listFailures(contract: Contract, fixtures: FixtureSet): readonly Failure[] {
  const disabled = fixtures.rules.filter((rule) => !rule.isEnabled);
  return [
    ...contract.operations.filter(({ fault }) => fault === undefined).flatMap(listErrors),
    ...listRules(disabled),
    ...listRules([...fixtures.profiles].sort((a, b) => (a.name < b.name ? -1 : 1))),
  ];
}

export function titleOf({ name, description }: Pick<Failure, 'name' | 'description'>): string {
  return `${name}: ${description}`;
}

/** Returns whether a name selects a failure: its own, or that of its operation, or its status. */
export function isSelected(name: string, failure: Failure): boolean {
  return [failure.name, failure.operationId].includes(name) || failure.name.endsWith(`.${name}`);
}

/** Statuses that say that the same request may succeed later. */
export const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

const ERROR_RULE = 'drill';

/** Returns whether a rule belongs to a failure; enabled rules of the user act beside it. */
export function isRuleOf(failure: string, rule: string): boolean {
  return rule === ERROR_RULE || isCalledBy(failure, rule);
}

/** Fewer times than most clients try: the first attempt and two retries. */
const TIMES = 2;

/** Returns the failures of an operation; of a range or `default`, the one that clients meet most. */
function listErrors(operation: Operation): readonly Failure[] {
  const declared = errorResponses(operation).map(({ key }) => Number(TYPICAL[key] ?? key));
  return [...new Set(declared)].sort((a, b) => a - b).map((status) => fail(operation, status));
}

const TYPICAL: Readonly<Record<string, number>> = { '4XX': 429, '5XX': 503, default: 503 };

function fail({ id, responses }: Operation, status: number): Failure {
  const times = passingStatuses.has(status) ? TIMES : 1;
  const headers = responses.find(status)?.headers;
  // A time from the document may be an hour, for which the drill would wait.
  const waits = status === 429 || headers?.schemas.has('retry-after') === true;
  const isSound = (headers?.findViolations('retry-after', '1') ?? []).length === 0;
  return {
    name: `${id}.${status}`,
    description: times === 1 ? 'The first request fails.' : 'The first two requests fail.',
    operationId: id,
    isLasting: false,
    adds: [
      {
        name: ERROR_RULE,
        match: { operationId: id },
        times,
        answer: { fail: status, ...(waits && isSound && { headers: { 'Retry-After': '1' } }) },
      },
    ],
  };
}

/** Returns a failure for all rules that one name enables. */
function listRules(rules: readonly Rule[]): readonly Failure[] {
  const received = rules.filter(({ sending }) => sending === undefined);
  const names = new Set(received.map(({ name }) => name.split('.', 1)[0] ?? name));
  return [...names].map((name) => {
    const called = received.filter((rule) => isCalledBy(name, rule.name));
    const definitions = called.map(({ origin }) => origin.definition);
    return {
      name,
      description: called[0]?.description ?? 'A rule of the fixture files.',
      isLasting: definitions.some(isLasting),
      enables: name,
      adds: definitions.filter(isRandom).map(makeCertain),
    };
  });
}

/** The conditions of a rule that let a later attempt through. */
const PASSING = [
  ...['times', 'failRequestCount', 'every', 'probability', 'rateLimit', 'scenarioName'],
] as const;

function isLasting(rule: JsonObject): boolean {
  if (getMember(rule, 'outageDurationMillis') !== undefined) return true;
  return fails(rule) && PASSING.every((name) => getMember(rule, name) === undefined);
}

function fails(rule: JsonObject): boolean {
  const answer = getMember(rule, 'answer');
  if (!isJsonObject(answer)) return false;
  const { fail: failure, status, fault } = answer;
  return (
    failure !== undefined ||
    Number(status) >= 400 ||
    breakingFaults.some((breaking) => breaking === fault)
  );
}

/** Returns true for a rule that a short run may never meet. */
function isRandom(rule: JsonObject): boolean {
  const ramp = getMember(rule, 'degradationRampMillis');
  return getMember(rule, 'probability') !== undefined && ramp === undefined;
}

/** Returns a rule for the first request, beside the one that acts on some by chance. */
function makeCertain({ probability: _, ...rule }: JsonObject): JsonObject {
  return { ...rule, name: `${String(rule['name'])}.first`, enabled: true, times: 1 };
}
