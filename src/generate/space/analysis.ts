import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import type { Direction } from '../../schema/message-direction.ts';
import { Evaluator } from '../evaluator.ts';
import { FakerValues } from '../text/faker.ts';
import { createFormats, type Formats } from '../text/formats.ts';
import { findNamedText } from '../text/named-texts.ts';
import { combinePatterns, type PatternAutomaton } from '../text/pattern-automaton.ts';
import { type DrawablePattern, readDrawable } from '../text/pattern-text.ts';
import { loadVocabulary, type TextSource, type Vocabulary } from '../text/vocabulary.ts';
import { ConstraintStore } from './constraint-store.ts';
import type { Constraints } from './constraints.ts';
import { Heights } from './heights.ts';
import { ArrayRules, ObjectRules } from './part-rules.ts';
import { type SchemaSource, SchemaSpace } from './schema-space.ts';

/** The analysis of a document's schemas, done once and used by every draw. */
export class Analysis {
  readonly store: ConstraintStore;
  readonly formats: Formats = createFormats();
  readonly evaluator: Evaluator;
  readonly heights: Heights;
  readonly faker = new FakerValues();
  readonly direction: Direction;
  readonly #objects = new WeakMap<Constraints, ObjectRules>();
  readonly #arrays = new WeakMap<Constraints, ArrayRules>();
  readonly #listed = new WeakMap<Constraints, readonly JsonValue[]>();
  readonly #samples = new WeakMap<Constraints, readonly JsonValue[]>();
  readonly #possible = new WeakMap<Constraints, boolean>();
  readonly #patterns = new Map<string, DrawablePattern | undefined>();
  readonly #automata = new WeakMap<Constraints, { readonly built: PatternAutomaton | undefined }>();
  readonly #namedTexts = new Map<string, TextSource | undefined>();
  #vocabulary: Vocabulary | undefined;

  constructor(source: SchemaSource, direction: Direction) {
    this.direction = direction;
    this.store = new ConstraintStore(new SchemaSpace(source));
    this.evaluator = new Evaluator(this.store, direction, this.formats);
    this.heights = new Heights(this);
  }

  get vocabulary(): Vocabulary {
    this.#vocabulary ??= loadVocabulary();
    return this.#vocabulary;
  }

  parsedPattern(pattern: string): DrawablePattern | undefined {
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, readDrawable(pattern));
    return this.#patterns.get(pattern);
  }

  /** Returns an automaton for the texts that fit the patterns, formats and lengths. */
  automaton(constraints: Constraints): PatternAutomaton | undefined {
    return remember(this.#automata, constraints, () => {
      const formats = constraints.formats.flatMap((format) => this.formats.patternOf(format));
      const patterns = [...constraints.patterns, ...formats];
      return { built: combinePatterns({ ...constraints, patterns }) };
    }).built;
  }

  /** Like {@link findNamedText}, but looks each name up once. */
  namedText(name: string | undefined, parent: string | undefined): TextSource | undefined {
    const key = `${name}\n${parent}`;
    if (!this.#namedTexts.has(key)) this.#namedTexts.set(key, findNamedText(name, parent));
    return this.#namedTexts.get(key);
  }

  objectRules(constraints: Constraints): ObjectRules {
    return remember(
      this.#objects,
      constraints,
      () => new ObjectRules(this.store, constraints, this.direction),
    );
  }

  arrayRules(constraints: Constraints): ArrayRules {
    return remember(this.#arrays, constraints, () => new ArrayRules(this.store, constraints));
  }

  /** Returns the values of `const` and `enum` that conform to the other keywords. */
  listedValues(constraints: Constraints): readonly JsonValue[] {
    return remember(this.#listed, constraints, () =>
      (constraints.listed ?? []).filter((value) => this.evaluator.conforms(constraints, value)),
    );
  }

  /** Returns the examples and defaults that conform and are not empty. */
  samples(constraints: Constraints): readonly JsonValue[] {
    return this.givenValues(constraints).filter(isTelling);
  }

  /** Returns the examples and defaults that conform. */
  givenValues(constraints: Constraints): readonly JsonValue[] {
    return remember(this.#samples, constraints, () =>
      constraints.applied
        .flatMap(({ schema }) => {
          const { example, examples } = schema;
          const list = Array.isArray(examples) ? examples : [];
          return [example, ...list, schema['default']].filter((value) => value !== undefined);
        })
        .filter((value) => this.evaluator.conforms(constraints, value)),
    );
  }

  /** Returns false when a quick check shows that nothing conforms. */
  isPossible(constraints: Constraints): boolean {
    return remember(this.#possible, constraints, () => {
      if (constraints.contradiction !== undefined) return false;
      if (constraints.listed !== undefined) return this.listedValues(constraints).length > 0;
      if (constraints.types.size !== 1 || !constraints.types.has('object')) return true;
      const rules = this.objectRules(constraints);
      return rules.required.every((name) => rules.member(name).contradiction === undefined);
    });
  }
}

/** Returns false for empty containers, texts and null, which are poor examples. */
function isTelling(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== null && value !== '';
}
