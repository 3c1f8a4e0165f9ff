import type { JsonObject } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { Declared } from '../contract/responses.ts';
import type { BreakingFault, SpoilingFault } from '../delivery/fault.ts';
import type { Pace } from '../delivery/pace.ts';
import type { RequestPattern } from '../request/request-pattern.ts';
import type { Delay } from './answer/delays.ts';
import type { Template, ValueTemplate } from './answer/template.ts';
import type { Turn } from './turn/turn.ts';

/** A failure fixture's rule, held against the contract and ready to be asked. */
export interface Rule {
  readonly name: string;
  readonly description: string | undefined;
  /** As the file says it, or as it was switched on by name. */
  readonly isEnabled: boolean;
  /** 1 is asked first. */
  readonly priority: number;
  /** True for what a real outage does, or a slow network, before anyone looks at a credential. */
  readonly isOutage: boolean;
  /** The operations that it names; none for a rule that is for all. */
  readonly operations: readonly Operation[];
  readonly pattern: RequestPattern;
  readonly turn: Turn;
  readonly delay: Delay | undefined;
  readonly pace: Pace | undefined;
  /** Spoils the answer, whoever gives it. */
  readonly spoiling: SpoilingFault | undefined;
  /** What it answers in place of everybody else; undefined for a rule that only adds to it. */
  readonly action: RuleAction | undefined;
  readonly origin: RuleOrigin;
}

/** @returns false where a rule names operations, and not this one */
export function isFor({ operations }: Rule, operation: Operation): boolean {
  return operations.length === 0 || operations.includes(operation);
}

/**
 * Returns whether a name selects a rule: its own, or the part of its name before a dot. `flaky`
 * selects `flaky` and `flaky.connection`, so a profile of several rules is enabled as one.
 */
export function isCalledBy(name: string, rule: string): boolean {
  return rule === name || (rule.startsWith(name) && rule[name.length] === '.');
}

/** Where a rule comes from, and its JSON there. */
export interface RuleOrigin {
  readonly file: string;
  readonly line: number;
  readonly definition: JsonObject;
}

/** What a rule does in place of the usual answer. */
export type RuleAction =
  | { readonly kind: 'fault'; readonly fault: BreakingFault }
  | {
      readonly kind: 'answer';
      /** Undefined for an operation that cannot answer so, or that cannot be served at all. */
      readonly answerOf: (operation: Operation) => RuleAnswer | undefined;
    };

/** The answer that a rule gives for one operation. */
export interface RuleAnswer {
  readonly status: number;
  /** The status that a `fail` wants to tell; the same as the one answered where it is declared. */
  readonly cause: number;
  /** Undefined where the rule says `offContract`. */
  readonly declared: Declared | undefined;
  readonly fields: Readonly<Record<string, string | Template>>;
  /** `compose` leaves the body to whoever composes refusals. */
  readonly body: RuleBody | 'compose' | undefined;
}

/** A body that is known from the start, or one that is made of the request. */
export type RuleBody =
  | {
      readonly kind: 'text';
      readonly mediaType: string;
      readonly text: string | Uint8Array;
    }
  | {
      readonly kind: 'template';
      readonly mediaType: string;
      readonly template: ValueTemplate;
      /** Undefined off the contract. */
      readonly content: Content | undefined;
    };
