import type { Random } from '../../base/random.ts';
import type { SpoilingFault } from '../../delivery/fault.ts';
import type { Pace } from '../../delivery/pace.ts';
import { NO_FIELDS } from '../../http/message.ts';
import type { Rule } from '../rule.ts';
import type { TurnOutcome } from '../turn/turn.ts';

const NONE: readonly string[] = Object.freeze([]);

/** What was gathered at some moment. */
export interface GatheredEffects {
  readonly acted: readonly string[];
  readonly delayMilliseconds: number;
  readonly hasDelay: boolean;
  readonly pace: Pace | undefined;
  readonly spoiling: SpoilingFault | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

/** What fixtures do to the answer of one request, whoever gives it: gathered on its way. */
export class Effects {
  #acted: readonly string[] = NONE;
  #delayMilliseconds = 0;
  #hasDelay = false;
  #pace: Pace | undefined;
  #spoiling: SpoilingFault | undefined;
  #fields: Readonly<Record<string, string>> = NO_FIELDS;

  /** True while no rule does anything. */
  get isIdle(): boolean {
    return this.#acted.length === 0 && this.#fields === NO_FIELDS;
  }

  /** The names of the rules that act, in their order. */
  get acted(): readonly string[] {
    return this.#acted;
  }

  get delayMilliseconds(): number {
    return this.#delayMilliseconds;
  }

  get pace(): Pace | undefined {
    return this.#pace;
  }

  get spoiling(): SpoilingFault | undefined {
    return this.#spoiling;
  }

  /** Fields that the answer carries besides its own; names in lower case. */
  get fields(): Readonly<Record<string, string>> {
    return this.#fields;
  }

  /** What is gathered now, for {@link rewind}. */
  mark(): GatheredEffects {
    return {
      acted: this.#acted,
      delayMilliseconds: this.#delayMilliseconds,
      hasDelay: this.#hasDelay,
      pace: this.#pace,
      spoiling: this.#spoiling,
      fields: this.#fields,
    };
  }

  /** Only what was gathered then; rules that took their turns in vain have done nothing. */
  rewind(mark: GatheredEffects): void {
    this.#acted = mark.acted;
    this.#delayMilliseconds = mark.delayMilliseconds;
    this.#hasDelay = mark.hasDelay;
    this.#pace = mark.pace;
    this.#spoiling = mark.spoiling;
    this.#fields = mark.fields;
  }

  /** What a rule tells of its turn, whether it acts or not. */
  tell({ fields }: TurnOutcome): void {
    if (fields !== NO_FIELDS) this.#fields = { ...this.#fields, ...fields };
  }

  /** A rule acts: of each kind of effect the first that is there counts, they do not add up. */
  note(rule: Rule, strength: number, random: Random): void {
    this.#acted = [...this.#acted, rule.name];
    if (!this.#hasDelay && rule.delay !== undefined) {
      this.#hasDelay = true;
      this.#delayMilliseconds = rule.delay.draw(random, strength);
    }
    this.#pace ??= rule.pace;
    this.#spoiling ??= rule.spoiling;
  }
}
