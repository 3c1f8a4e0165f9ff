import { isEqual } from '../base/json/equal.ts';
import type { JsonValue } from '../base/json/value.ts';
import { buildArray } from './array-value.ts';
import { type Chance, drawOne, happens } from './chance.ts';
import { drawNamedNumber } from './number-value.ts';
import { buildObject } from './object-value.ts';
import type { Analysis } from './space/analysis.ts';
import { Branches } from './space/branches.ts';
import type { Constraints, JsonType } from './space/constraints.ts';
import { drawAlike } from './text/codes.ts';
import { resourceOf } from './text/named-texts.ts';
import { drawText } from './text/text-value.ts';
import { isOfPlace, usualCurrency } from './text/topic.ts';
import {
  type Budget,
  COMPARISON,
  copyWish,
  type Draft,
  type ValueBuilder,
  type Wish,
} from './value-builder.ts';

/** Deeper values are not built; Node's stack holds several times as many. */
const DEEPEST = 100;

/** Tries for a schema with choices or conditions, and for one without. */
const MOST_TRIES = 16;
const FEW_TRIES = 3;
/** Steps that a failed try costs. */
const FAILURE = 25;
/** The last tries build the smallest value. */
const LEAST_TRIES = 4;

/** Builds one value within a budget of steps. */
export class Builder implements ValueBuilder {
  readonly analysis: Analysis;
  readonly chance: Chance;
  readonly budget: Budget;
  readonly #failures = new Map<Constraints, number>();
  readonly #branches: Branches;

  constructor(analysis: Analysis, chance: Chance, budget: Budget) {
    this.analysis = analysis;
    this.chance = chance;
    this.budget = budget;
    this.#branches = new Branches(this);
  }

  build(constraints: Constraints, wish: Wish): JsonValue | undefined {
    if (constraints.contradiction !== undefined || wish.depth > DEEPEST) return undefined;
    const failures = (): number => this.#failures.get(constraints) ?? 0;
    if (failures() >= 2) return undefined;
    const value =
      constraints.listed === undefined
        ? this.#try(constraints, wish)
        : this.#drawListed(constraints, wish);
    if (value === undefined) this.#failures.set(constraints, failures() + 1);
    return value;
  }

  #try(constraints: Constraints, wish: Wish): JsonValue | undefined {
    const hasChoice = constraints.unions.length > 0 || constraints.needsCheck;
    const tries = hasChoice ? MOST_TRIES : FEW_TRIES;
    const leastFrom = hasChoice ? LEAST_TRIES : 1;
    for (let left = tries; left > 0; left--) {
      // A try after a failure costs more, so that nested failures end.
      if (!this.budget.spend(left === tries ? 1 : FAILURE)) return undefined;
      const isLeast = wish.isLeast || left <= leastFrom;
      // The first branch is the usual one; later items of a list show the others.
      const isFirst = wish.isGiven && wish.index === 0 && left === tries;
      const value = this.#tryOnce(constraints, vary(wish, isLeast, left === 1), isFirst);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #tryOnce(constraints: Constraints, wish: Wish, isFirst: boolean): JsonValue | undefined {
    const branches = this.#branches;
    const preference = wish.isLeast ? 'flattest' : isFirst ? 'first' : 'any';
    const decided =
      constraints.unions.length > 0 ? branches.decide(constraints, preference) : constraints;
    const isKey =
      decided?.types.has('string') === true &&
      constraints.unions.some((one) => this.analysis.isReference(one.branches));
    const value = decided && this.#construct(decided, isKey ? asKey(wish) : wish);
    if (value === undefined) return undefined;
    if (!constraints.needsCheck && !decided?.needsCheck) return value;
    const { evaluator } = this.analysis;
    const before = evaluator.steps;
    const isSound = evaluator.conforms(constraints, value);
    if (!isSound) branches.noteConflicts(constraints, value);
    this.budget.spend(evaluator.steps - before);
    return isSound ? value : undefined;
  }

  #construct(constraints: Constraints, wish: Wish): JsonValue | undefined {
    if (constraints.listed !== undefined) return this.#drawListed(constraints, wish);
    const sample = this.#sample(constraints, wish);
    if (sample !== undefined) return sample;
    const fake = this.#fake(constraints);
    if (fake !== undefined) return fake;
    const type = this.#type(constraints, wish);
    for (let tries = constraints.excluded.length > 0 ? 8 : 1; tries > 0; tries--) {
      const value = this.#ofType(type, { builder: this, constraints, wish });
      if (value === undefined || !constraints.excluded.some((one) => isEqual(one, value))) {
        return value;
      }
    }
    return undefined;
  }

  /**
   * Draws one of the values of an enum. All prices have the same currency. Of what came to an end,
   * the first value is the usual one.
   */
  #drawListed(constraints: Constraints, wish: Wish): JsonValue | undefined {
    const { name = '', parent } = wish;
    const { telling: values, steps } = this.analysis.listing(constraints);
    if (!this.budget.spend(constraints.needsCheck ? steps * COMPARISON : 0)) return undefined;
    const isOutcome = /(?:status|reason)$/i.test(name);
    if (isOutcome && wish.isGiven && wish.index === 0) return values[0];
    if (!/currency(?:_?code)?$/i.test(name) || isOfPlace(resourceOf(parent))) {
      return drawOne(this.chance, values);
    }
    const usual = usualCurrency(this.analysis.setting.words);
    return values.find((value) => String(value).toUpperCase() === usual) ?? values[0];
  }

  /** Draws one of the schema's examples, which look real; in a list not every time. */
  #sample(constraints: Constraints, wish: Wish): JsonValue | undefined {
    const samples = this.analysis.samples(constraints);
    if (wish.isGiven) return this.analysis.givenValues(constraints)[0];
    if (wish.depth === 0 || wish.isLeast || samples.length === 0) return undefined;
    const isGiven = happens(this.chance, wish.isItem ? 0.4 : 0.7);
    const { texts, span, isIdentifier } = this.analysis.suggestions(constraints, wish);
    if (isIdentifier && (wish.index > 0 || !isGiven)) {
      return this.#alike(constraints, samples);
    }
    if (texts[0]?.isFact || span !== undefined) {
      wish.facts.isGiven ??= isGiven && wish.index === 0;
      if (!wish.facts.isGiven) return undefined;
    } else if (!isGiven) return undefined;
    return drawOne(this.chance, samples);
  }

  /** Returns another identifier that looks like those of the document, as each item has its own. */
  #alike(constraints: Constraints, samples: readonly JsonValue[]): JsonValue | undefined {
    const sample = drawOne(this.chance, samples);
    if (typeof sample !== 'string' && typeof sample !== 'number') return undefined;
    const drawn = drawAlike(this.chance, String(sample));
    const value = typeof sample === 'number' ? Number(drawn) : drawn;
    const isSound = value !== undefined && this.analysis.evaluator.conforms(constraints, value);
    return isSound ? value : undefined;
  }

  /** Draws by `x-faker`, the extension keyword of json-schema-faker. */
  #fake(constraints: Constraints): JsonValue | undefined {
    for (const { schema } of constraints.applied) {
      const wish = schema['x-faker'];
      const value = wish === undefined ? undefined : this.analysis.faker.draw(wish, this.chance);
      if (value !== undefined && this.analysis.evaluator.conforms(constraints, value)) return value;
    }
    return undefined;
  }

  #type(constraints: Constraints, wish: Wish): JsonType {
    const [only] = constraints.types;
    if (only !== undefined && constraints.types.size === 1) return only;
    const types = [...constraints.types];
    const flat = types.filter((type) => type !== 'object' && type !== 'array');
    if (types.length === 6 && !wish.isLoose) {
      return hintedType(constraints) ?? (wish.depth === 0 ? 'object' : 'string');
    }
    const isEndless = wish.isLeast || wish.room < 1;
    if (isEndless && flat.length > 0) return drawOne(this.chance, flat) ?? 'null';
    const telling = types.filter((type) => type !== 'null');
    return drawOne(this.chance, happens(this.chance, 0.9) ? telling : types) ?? 'null';
  }

  #ofType(type: JsonType, draft: Draft): JsonValue | undefined {
    switch (type) {
      case 'null':
        return null;
      case 'boolean':
        return happens(this.chance, likelihoodOf(draft.wish.name));
      case 'number':
        return drawNamedNumber(draft);
      case 'string':
        return drawText(draft);
      case 'array':
        return buildArray(draft);
      case 'object':
        return buildObject(draft);
    }
  }
}

function vary(wish: Wish, isLeast: boolean, isLoose: boolean): Wish {
  const isSame = wish.isLeast === isLeast && wish.isLoose === isLoose;
  if (isSame) return wish;
  const varied = copyWish(wish);
  varied.isLeast = isLeast;
  varied.isLoose = isLoose;
  return varied;
}

/** Returns the wish for the key of the resource that a property shows. */
function asKey(wish: Wish): Wish {
  return { ...wish, name: `${wish.name ?? ''}_id` };
}

/** Returns how likely a boolean is true: what a service reports is mostly in order. */
function likelihoodOf(name = ''): number {
  if (/active|available|enabled|verified|valid|success|^ok$|in_?stock/i.test(name)) return 0.9;
  // A mock is no live service, and full objects are not deleted.
  if (/deleted|error|failed|^(?:is_?)?live(?:_?mode)?$/i.test(name)) return 0;
  return /archived|blocked|disabled|expired|has_?more|locked|retry|suspended/i.test(name)
    ? 0.1
    : 0.5;
}

/** Types, each with keywords that suggest it; those before suggest more. */
const TYPE_HINTS: readonly (readonly [JsonType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties']],
  ['object', ['minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'contains', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength', 'contentEncoding']],
  ['object', ['maxProperties', 'propertyNames', 'dependentRequired']],
];

/** Returns the type that the keywords of a schema without `type` suggest. */
function hintedType({ applied }: Constraints): JsonType | undefined {
  const [type] =
    TYPE_HINTS.find(([, keywords]) =>
      applied.some(({ schema }) => keywords.some((keyword) => schema[keyword] !== undefined)),
    ) ?? [];
  return type;
}
