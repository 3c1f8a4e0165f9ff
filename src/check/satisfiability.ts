import { createRandom } from '../base/random.ts';
import { remember } from '../base/remember.ts';
import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Place } from '../document/place.ts';
import { createContractGenerators, type Generators } from '../generate/generator.ts';
import type { Contradiction } from '../generate/space/constraints.ts';
import { findContradictions } from '../generate/space/contradictions.ts';
import type { Direction } from '../schema/message-direction.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { createFinding, type Finding, type Inspector } from './finding.ts';
import type { Compilation } from './uncompilable.ts';

/** A schema has values, provably has none, or none was found. */
type Verdict = 'satisfiable' | Contradiction | 'unknown';

const NOT_FOUND = 'no value that conforms to this schema was found, though there may be one';

interface WantedValue {
  readonly schema: Schema;
  readonly content: Content | undefined;
  readonly direction: Direction;
}

/** Returns the schemas that need a value: for valid requests, and for responses. */
function wantedValues({ parameters, body, responses }: Operation): readonly WantedValue[] {
  const required = parameters.filter((parameter) => parameter.required);
  return [
    ...required.flatMap(({ schema, content }) => wantedFor(schema, content, 'request')),
    ...(body?.contents ?? []).flatMap((one) => wantedFor(one.schema, one, 'request')),
    ...responses.all
      .flatMap(({ contents }) => contents)
      .flatMap((one) => wantedFor(one.schema, one, 'response')),
  ];
}

function wantedFor(
  schema: Schema | undefined,
  content: Content | undefined,
  direction: Direction,
): readonly WantedValue[] {
  return schema === undefined ? [] : [{ schema, content, direction }];
}

/** Finds schemas of messages that no value conforms to, each once. */
export class Satisfiability implements Inspector {
  readonly #contract: Contract;
  readonly #compilation: Compilation;
  readonly #generators: Generators;
  readonly #verdicts = new Map<Schema, Verdict>();
  readonly #reported = new Set<Place>();

  constructor(contract: Contract, compilation: Compilation) {
    this.#contract = contract;
    this.#compilation = compilation;
    this.#generators = createContractGenerators(contract);
  }

  *inspect(operation: Operation): Generator<Finding> {
    const { document } = this.#contract;
    for (const wanted of wantedValues(operation)) {
      const { pointer } = wanted.schema;
      const verdict = this.#verdictOf(wanted);
      if (verdict === 'satisfiable' || this.#reported.has(pointer)) continue;
      this.#reported.add(pointer);
      if (verdict === 'unknown') {
        yield createFinding(document, 'no-value-found', pointer, NOT_FOUND);
      } else {
        const message = `no value conforms to this schema: ${verdict.message}`;
        yield createFinding(document, 'unsatisfiable-schema', verdict.pointer, message);
      }
    }
  }

  #verdictOf(wanted: WantedValue): Verdict {
    return remember(this.#verdicts, wanted.schema, () => {
      // Another inspector reports a schema that cannot be compiled.
      const isValidated = this.#compilation.faultOf(wanted.schema) === undefined;
      return isValidated ? this.#prove(wanted) : 'satisfiable';
    });
  }

  /** Returns false for a schema that cannot be compiled, or that provably has no value. */
  mayHaveValues(schema: Schema): boolean {
    const isRefuted = typeof this.#verdicts.get(schema) === 'object';
    return !isRefuted && this.#compilation.faultOf(schema) === undefined;
  }

  #prove({ schema, content, direction }: WantedValue): Verdict {
    if (content?.examples.some(({ violations }) => violations.length === 0)) return 'satisfiable';
    const generator = this.#generators[direction];
    const chance = { random: createRandom(this.#contract.title), now: 0 };
    const value =
      generator.generateMinimal(schema.pointer) ?? generator.generate(schema.pointer, chance);
    if (value !== undefined) return 'satisfiable';
    const [proof] = findContradictions(this.#contract.document, schema.pointer, direction);
    if (proof === undefined) return 'unknown';
    // Schemas that the generator constructs are not in the document.
    const isWritten = this.#contract.document.at(proof.pointer) !== undefined;
    return isWritten ? proof : { ...proof, pointer: schema.pointer };
  }
}
