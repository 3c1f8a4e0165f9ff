import { NO_FIELDS } from '../../http/message.ts';
import type { Rule } from '../rule.ts';

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
