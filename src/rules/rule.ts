import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { Declared, DeclaredResponse } from '../contract/responses.ts';
import type { StreamEffect } from '../delivery/stream-effect.ts';
import type { BreakingFault, Pace, SpoilingFault } from '../delivery/transmission.ts';
import type { RequestPattern } from '../request/view.ts';
import type { Delay } from './answer/delays.ts';
import type { Template, ValueTemplate } from './answer/template.ts';
import type { Turn } from './turn/turn.ts';

export interface Rule {
  readonly name: string;
  readonly description: string | undefined;
  /** As in the file, or as the rule was enabled by name. */
  readonly isEnabled: boolean;
  readonly priority: number;
  /** True for the effects of an outage or a slow network, which come before authentication. */
  readonly isOutage: boolean;
  /** The operations that it names; none for a rule of all operations. */
  readonly operations: readonly Operation[];
  readonly pattern: RequestPattern;
  readonly turn: Turn;
  readonly delay: Delay | undefined;
  readonly pace: Pace | undefined;
  /** Paces a stream item by item, or breaks it at one. */
  readonly stream: StreamEffect | undefined;
  /** Corrupts the response, whatever its source. */
  readonly spoiling: SpoilingFault | undefined;
  /** How the rule changes a callback; undefined for a rule of received requests. */
  readonly sending: Sending | undefined;
  /** The response of the rule; undefined for a rule that only changes other responses. */
  readonly action: RuleAction | undefined;
  readonly origin: RuleOrigin;
}

/** How a rule changes a callback, besides its delay. */
export interface Sending {
  /** How often it is sent; undefined for once. */
  readonly deliveries: number | undefined;
  /** In place of the payload of the document. */
  readonly body: { readonly value: JsonValue; readonly offContract: boolean } | undefined;
  /** Further fields; names in lower case. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns false for a rule of callbacks, and if it names operations, but not this one. */
export function isFor({ operations, sending }: Rule, operation: Operation): boolean {
  if (sending !== undefined) return false;
  return operations.length === 0 || operations.includes(operation);
}

/** Returns whether a name selects a rule: `flaky` selects `flaky` and `flaky.connection`. */
export function isCalledBy(name: string, rule: string): boolean {
  return rule === name || (rule.startsWith(name) && rule[name.length] === '.');
}

export interface RuleOrigin {
  readonly file: string;
  readonly line: number;
  readonly definition: JsonObject;
}

/** The response of a rule, or the broken connection. */
export type RuleAction =
  | { readonly kind: 'fault'; readonly fault: BreakingFault }
  | {
      readonly kind: 'answer';
      /** Undefined for an operation without such a response, or that cannot be served at all. */
      readonly answerOf: (operation: Operation) => RuleAnswer | undefined;
    };

export interface RuleAnswer {
  readonly status: number;
  /** The status that the rule names; another one only with `contractOnly`. */
  readonly cause: number;
  /** Undefined off the contract, and for a failure that the operation does not declare. */
  readonly declared: Declared | undefined;
  /** The body that a failure takes which the operation does not declare. */
  readonly undeclared?: UndeclaredFailure;
  readonly fields: Readonly<Record<string, string | Template>>;
  /** `compose` for a body like that of a refusal. */
  readonly body: RuleBody | 'compose' | undefined;
}

/** A failure whose status the operation does not declare. */
interface UndeclaredFailure {
  /** The declared error that its body looks like; undefined if the operation declares none. */
  readonly like: DeclaredResponse | undefined;
}

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
