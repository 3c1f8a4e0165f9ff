import type { Evidence, RuleVerdict } from '../../client/reports.ts';
import type { Operation } from '../../contract/contract.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import type { ListMeaning } from '../../resources/meaning.ts';
import type { LogicalRequest } from '../attempts/logical-request.ts';

/** A rule for clients, which the requests of a session keep or break. */
export interface VerdictRule<Name extends string = string> {
  /** Such as `retry-after`. */
  readonly name: string;
  /** A sentence that says when a client keeps the rule. */
  readonly definition: string;
  /** The clause or the guidance that asks for it. */
  readonly source: string;
  /** True for a rule that not every client has to keep: it is judged where a user asks for it. */
  readonly isOptional?: boolean;
  readonly thresholds: Readonly<Record<Name, Threshold>>;
  readonly judge: (requests: Material, thresholds: Readonly<Record<Name, number>>) => Finding;
}

/** A number that decides between kept and broken. */
interface Threshold {
  readonly value: number;
  /** What is counted, with its unit. */
  readonly meaning: string;
}

type Finding = Pick<RuleVerdict, 'result' | 'reason' | 'evidence'>;

export interface Material {
  /** Those that the mock received, in the order of their numbers. */
  readonly exchanges: readonly KeptExchange[];
  /** In the order of their first attempts. */
  readonly requests: readonly LogicalRequest[];
  /** Whether the journal knows when clients leave a response that never ends. */
  readonly seesLeaving: boolean;
  /** By the session's clock; milliseconds since 1970. */
  readonly now: number;
  /** Returns the operation of a request; undefined where the document has none. */
  readonly operation: (exchange: KeptExchange) => Operation | undefined;
  /** Returns what a request lists; undefined where it lists nothing. */
  readonly list: (exchange: KeptExchange) => ListMeaning | undefined;
  /** Returns a request's name in a sentence: `#4 POST /plants`. */
  readonly name: (exchange: KeptExchange) => string;
  /**
   * Returns evidence.
   *
   * @param cause the first of the exchanges that failed, or the first: the one to replay
   */
  readonly cite: (message: string, exchanges: readonly KeptExchange[]) => Evidence;
}

/** Infers the names of the thresholds of a rule. */
export function defineRule<Name extends string>(rule: VerdictRule<Name>): VerdictRule {
  return rule as VerdictRule;
}

/** What a rule has seen, from the strongest to the weakest. */
interface Observations {
  readonly evidence: readonly Evidence[];
  /** The reason where there is evidence. */
  readonly breaks: string;
  /** Why requests may break the rule, or may not. */
  readonly doubt?: string | undefined;
  /** The reason where requests keep the rule; false where there were none to judge. */
  readonly keeps: string | false;
  /** The reason where there were none. */
  readonly missing: string;
}

/** Returns the finding: a rule is kept only where requests show it, and none are in doubt. */
export function conclude({ evidence, breaks, doubt, keeps, missing }: Observations): Finding {
  if (evidence.length > 0) return { result: 'broken', reason: breaks, evidence };
  const isKept = doubt === undefined && keeps !== false;
  const reason = doubt ?? (keeps === false ? missing : keeps);
  return { result: isKept ? 'kept' : 'undecided', reason, evidence };
}

/** Items from one index up to, but not including, another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Yields for each item the span that it ends: the items before it whose value is not too small.
 *
 * @param items in the order of their values
 * @param least returns the smallest value in the span that this value ends
 */
export function* slide<Item>(
  items: readonly Item[],
  measure: (item: Item) => number,
  least: (value: number) => number,
): Generator<Span, void> {
  let from = 0;
  for (const [index, item] of items.entries()) {
    const value = measure(item);
    for (let old = items[from]; old !== undefined && measure(old) < least(value); ) {
      old = items[++from];
    }
    yield { from, to: index + 1 };
  }
}

/** Returns the longest of the spans that {@link slide} yields. */
export function findLongest<Item>(...given: Parameters<typeof slide<Item>>): readonly Item[] {
  let best: Span = { from: 0, to: 0 };
  for (const span of slide(...given)) if (span.to - span.from > best.to - best.from) best = span;
  return given[0].slice(best.from, best.to);
}
