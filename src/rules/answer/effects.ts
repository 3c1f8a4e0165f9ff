import type { Random } from '../../base/random.ts';
import type { Pace, SpoilingFault } from '../../delivery/transmission.ts';
import { NO_FIELDS } from '../../http/message.ts';
import type { Rule } from '../rule.ts';

/** The effects of rules on one response, so far. */
interface RecordedEffects {
  /** The names of the rules that act, in their order. */
  readonly acted: readonly string[];
  readonly delayMilliseconds: number | undefined;
  readonly pace: Pace | undefined;
  readonly spoiling: SpoilingFault | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

const NO_EFFECTS: RecordedEffects = Object.freeze({
  acted: Object.freeze([]),
  delayMilliseconds: undefined,
  pace: undefined,
  spoiling: undefined,
  fields: NO_FIELDS,
});

/** Records the effects of rules on the response to one request, whatever its source. */
export class Effects {
  #recorded = NO_EFFECTS;

  /** True while there is no effect. */
  get isIdle(): boolean {
    return this.#recorded === NO_EFFECTS;
  }

  /** The names of the rules that act, in their order. */
  get acted(): readonly string[] {
    return this.#recorded.acted;
  }

  get delayMilliseconds(): number {
    return this.#recorded.delayMilliseconds ?? 0;
  }

  get pace(): Pace | undefined {
    return this.#recorded.pace;
  }

  get spoiling(): SpoilingFault | undefined {
    return this.#recorded.spoiling;
  }

  /** Further fields of the response; names in lower case. */
  get fields(): Readonly<Record<string, string>> {
    return this.#recorded.fields;
  }

  /** Returns the effects so far, for {@link rewind}. */
  mark(): RecordedEffects {
    return this.#recorded;
  }

  /** Drops the effects since a mark. */
  rewind(mark: RecordedEffects): void {
    this.#recorded = mark;
  }

  /** Adds the fields of a rule's turn, whether the rule acts or not. */
  addFields(fields: Readonly<Record<string, string>>): void {
    if (fields === NO_FIELDS) return;
    this.#recorded = { ...this.#recorded, fields: { ...this.#recorded.fields, ...fields } };
  }

  /** Adds a rule that acts. Of each kind of effect the first one counts; they do not add up. */
  add(rule: Rule, strength: number, random: Random): void {
    const { acted, delayMilliseconds, pace, spoiling, fields } = this.#recorded;
    this.#recorded = {
      acted: [...acted, rule.name],
      delayMilliseconds: delayMilliseconds ?? rule.delay?.draw(random, strength),
      pace: pace ?? rule.pace,
      spoiling: spoiling ?? rule.spoiling,
      fields,
    };
  }
}
