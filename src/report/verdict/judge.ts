import { toExactTimestamp } from '../../base/clock.ts';
import { thereIs } from '../../base/nearest-name.ts';
import { count, quote } from '../../base/words.ts';
import type { RuleVerdict, Verdict } from '../../client/reports.ts';
import type { Contract } from '../../contract/contract.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { nameRequest } from '../../journal/near-misses.ts';
import type { Resources } from '../../resources/meaning.ts';
import { writeReplay } from '../../session/replay.ts';
import type { EditableSession } from '../../session/session.ts';
import { groupAttempts } from '../attempts/group-attempts.ts';
import { isFailure } from '../attempts/logical-request.ts';
import { circuit, concurrencyBounded, noThunderingHerd } from './load.ts';
import { conditional, followsLinks, paginationEnds } from './reads.ts';
import { sameRequest, unsafeRetryIsIdempotent } from './repeats.ts';
import {
  attemptsBounded,
  noRetryOfClientErrors,
  retriesWhatIsRetryable,
  retryBudget,
} from './retries.ts';
import type { Material, VerdictRule } from './rule.ts';
import { backOffGrows, jitter, retryAfter, timeoutKept } from './waits.ts';

interface DocumentParts {
  readonly contract: Contract;
  readonly resources: Resources;
}

interface ChosenRule {
  readonly rule: VerdictRule;
  readonly thresholds: Readonly<Record<string, number>>;
}

/** The names that a user gives. */
interface Choice {
  /** Only these rules; the usual ones where it is left out. */
  readonly rules?: readonly string[] | undefined;
  readonly also?: readonly string[] | undefined;
  /** Such as `attempts-bounded.most=3`. */
  readonly set?: readonly string[] | undefined;
}

/**
 * Returns the rules that a user chooses.
 *
 * @param refuse throws for a name or a number that is wrong; its text is the reason with the remedy
 */
export function chooseRules(
  { rules, also = [], set = [] }: Choice,
  refuse: (reason: string) => never,
): readonly ChosenRule[] {
  const names = verdictRules.map(({ name }) => name);
  for (const name of [...(rules ?? []), ...also]) {
    if (!names.includes(name)) refuse(describeUnknown('rule', name, names));
  }
  const given = new Map<string, number>();
  for (const text of set) {
    const [, rule = '', name = '', value] = /^([^.=]+)\.([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
    if (value === undefined) refuse(`${JSON.stringify(text)} must be like attempts-bounded.most=3`);
    const known = verdictRules.find((one) => one.name === rule);
    if (known === undefined) refuse(describeUnknown('rule', rule, names));
    const thresholds = Object.keys(known.thresholds);
    if (!thresholds.includes(name))
      refuse(describeUnknown(`threshold of ${rule}`, name, thresholds));
    given.set(`${rule}.${name}`, Number(value));
  }
  const isChosen = ({ name, isOptional }: VerdictRule): boolean =>
    also.includes(name) || (rules?.includes(name) ?? isOptional !== true);
  return verdictRules.filter(isChosen).map((rule) => {
    const thresholds = Object.entries(rule.thresholds).map(
      ([name, { value }]) => [name, given.get(`${rule.name}.${name}`) ?? value] as const,
    );
    return { rule, thresholds: Object.fromEntries(thresholds) };
  });
}

function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  return `there is no ${kind} ${quote(name)}; ${thereIs(name, known)}`;
}

export function judge(
  session: EditableSession,
  document: DocumentParts,
  chosen: readonly ChosenRule[],
): Verdict {
  const { id, journal } = session;
  const material = toMaterial(session, document);
  const { dropped } = journal;
  const gone =
    dropped === 0
      ? ''
      : `; the journal has dropped ${count(dropped, 'older exchange')}, which nobody judged`;
  const rules = chosen.map(({ rule, thresholds }): RuleVerdict => {
    const { result, reason, evidence } = rule.judge(material, thresholds);
    return { rule: rule.name, result, reason: reason + gone, evidence };
  });
  return { session: id, dropped, rules };
}

function toMaterial(
  { seed, journal, clock }: EditableSession,
  { contract, resources }: DocumentParts,
): Material {
  const exchanges = journal.received().toSorted((left, right) => left.number - right.number);
  const replayOf = ({ replay, number: call, at, operationId: operation }: KeptExchange): string =>
    replay ?? writeReplay({ seed, call, at, operation, rules: [] });
  const operation = ({ operationId }: KeptExchange) =>
    operationId === undefined ? undefined : contract.operation(operationId);
  return {
    exchanges,
    requests: groupAttempts(exchanges),
    now: clock.now(),
    seesLeaving: journal.seesLeaving,
    operation,
    list(exchange) {
      const found = operation(exchange);
      const meaning = found && resources.meaningOf(found);
      return meaning?.kind === 'list' ? meaning : undefined;
    },
    name: (exchange) => nameRequest(journal, exchange),
    cite(message, cited) {
      const [first] = cited;
      const cause = cited.find(isFailure) ?? first;
      return {
        message,
        requests: cited.map(({ number, at }) => ({ number, at: toExactTimestamp(at) })),
        replay: cause === undefined ? '' : replayOf(cause),
      };
    },
  };
}

/** Every rule, in the order of reports. */
export const verdictRules: readonly VerdictRule[] = [
  retryAfter,
  backOffGrows,
  jitter,
  attemptsBounded,
  retryBudget,
  noRetryOfClientErrors,
  unsafeRetryIsIdempotent,
  sameRequest,
  timeoutKept,
  concurrencyBounded,
  noThunderingHerd,
  circuit,
  retriesWhatIsRetryable,
  paginationEnds,
  followsLinks,
  conditional,
];
