import { createRandom } from '../../base/random.ts';
import type { Direction } from '../../schema/message-direction.ts';
import { drawNumber } from '../number-value.ts';
import { toLanguages } from '../text/pattern-automaton.ts';
import { Analysis } from './analysis.ts';
import { ConstraintStore } from './constraint-store.ts';
import type { Constraints, Contradiction, JsonType } from './constraints.ts';
import type { SchemaSource } from './schema-space.ts';

/** Longer unions are not examined. */
const MOST_BRANCHES = 64;

/**
 * Proves that nothing conforms to a schema, where that can be proven.
 *
 * @param pointer of the schema
 * @returns why nothing conforms, and where the document says so; none when something may
 */
export function findContradictions(
  source: SchemaSource,
  pointer: string,
  direction: Direction = 'response',
): readonly Contradiction[] {
  const analysis = new Analysis(new ConstraintStore(source), direction);
  const proof = new Proof(analysis).of(analysis.store.of([pointer]));
  return proof === undefined ? [] : [proof];
}

class Proof {
  readonly #analysis: Analysis;
  /** The constraints that are being examined: a recursive schema proves nothing by itself. */
  readonly #open = new Set<Constraints>();

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  of(constraints: Constraints): Contradiction | undefined {
    if (constraints.contradiction !== undefined) return constraints.contradiction;
    if (this.#open.has(constraints)) return undefined;
    this.#open.add(constraints);
    const proof = this.#ofValues(constraints) ?? this.#ofUnions(constraints);
    this.#open.delete(constraints);
    if (proof !== undefined || this.#analysis.heights.of(constraints) < Number.POSITIVE_INFINITY) {
      return proof;
    }
    return contradict(constraints, 'every value would have to be nested without end');
  }

  #ofValues(constraints: Constraints): Contradiction | undefined {
    if (constraints.listed === undefined) {
      const proofs = [...constraints.types].map((type) => this.#ofType(type, constraints));
      return proofs.every((proof) => proof !== undefined) ? proofs[0] : undefined;
    }
    if (this.#analysis.listing(constraints).values.length > 0) return undefined;
    const message = 'no value of enum or const keeps the other keywords';
    return contradict(constraints, message, 'enum', 'const');
  }

  #ofType(type: JsonType, constraints: Constraints): Contradiction | undefined {
    switch (type) {
      case 'number':
        return this.#ofNumber(constraints);
      case 'string':
        return this.#ofText(constraints);
      case 'array':
        return this.#ofArray(constraints);
      case 'object':
        return this.#ofObject(constraints);
      default:
        return undefined;
    }
  }

  #ofNumber(constraints: Constraints): Contradiction | undefined {
    const usual = { lowest: 0, highest: 100, places: 0 };
    const chance = { random: createRandom('coldframe'), now: 0 };
    if (drawNumber(constraints, chance, usual) !== undefined) return undefined;
    const message = 'no number lies within the limits';
    return contradict(constraints, message, 'minimum', 'maximum', 'multipleOf');
  }

  #ofText(constraints: Constraints): Contradiction | undefined {
    const { patterns, formats, excludedPatterns } = constraints;
    if (patterns.length === 0 || formats.length > 0 || excludedPatterns.length > 0)
      return undefined;
    // An automaton only approximates a negative lookahead.
    if (patterns.some((pattern) => toLanguages(pattern).excluded.length > 0)) return undefined;
    const automaton = this.#analysis.automaton(constraints);
    if (automaton === undefined || automaton.isPossible) return undefined;
    return contradict(constraints, 'no text of the allowed length matches the pattern', 'pattern');
  }

  #ofArray(constraints: Constraints): Contradiction | undefined {
    const rules = this.#analysis.arrayRules(constraints);
    if (rules.isClosed) return undefined;
    const distinct = Math.min(constraints.minItems, rules.tupleLength + 1);
    for (let index = 0; index < distinct; index++) {
      const proof = this.of(rules.item(index));
      if (proof !== undefined) return proof;
    }
    return undefined;
  }

  #ofObject(constraints: Constraints): Contradiction | undefined {
    const rules = this.#analysis.objectRules(constraints);
    if (rules.required.length > constraints.maxProperties) {
      const message = 'more properties are required than maxProperties allows';
      return contradict(constraints, message, 'maxProperties');
    }
    for (const name of rules.required) {
      const proof = this.of(rules.member(name));
      if (proof === undefined) continue;
      const message = `the required property ${JSON.stringify(name)} cannot be: ${proof.message}`;
      return { pointer: proof.pointer, message };
    }
    return undefined;
  }

  #ofUnions(constraints: Constraints): Contradiction | undefined {
    const { store } = this.#analysis;
    if (constraints.unions.length > MOST_BRANCHES) return undefined;
    for (const { branches, place } of constraints.unions) {
      if (branches.length > MOST_BRANCHES) continue;
      const proofs = branches.map((pointers) =>
        this.of(store.choose(constraints, [[place, pointers]])),
      );
      if (!proofs.every((proof) => proof !== undefined)) continue;
      const message = `no branch can be: ${proofs[0]?.message ?? 'there is none'}`;
      return { pointer: place, message };
    }
    return undefined;
  }
}

/** @param keywords the contradiction points to the first of them that is present */
function contradict({ applied }: Constraints, message: string, ...keywords: string[]) {
  for (const keyword of keywords) {
    const entry = applied.find(({ schema }) => schema[keyword] !== undefined);
    if (entry !== undefined) return { pointer: `${entry.pointer}/${keyword}`, message };
  }
  return { pointer: applied[0]?.pointer ?? '', message };
}
