import type { JsonValue } from '../base/json/value.ts';
import { createRandom, type Random } from '../base/random.ts';
import type { Content } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import type { Generator } from '../generate/generator.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import type { Call } from '../session/call.ts';
import { type Answer, nameSource, type ResponseSource } from './answer.ts';
import type { DrawValue, Manner } from './draw.ts';
import { answerByValue } from './example.ts';
import { negotiate, readPreference } from './negotiate.ts';

/** What may be asked of a generated answer. */
interface GenerationOptions {
  readonly seed: string | undefined;
  readonly manner: Manner;
}

/** Generates an answer for one declared response; undefined when no value conforms. */
export type AnswerByGeneration = (
  declared: Declared,
  content: Content,
  wishes: GenerationOptions,
  source: string,
  call: Call,
) => Answer | undefined | Promise<Answer | undefined>;

/** What is generated takes its seed from the chance of its call: the same calls, the same answers. */
export function createGeneration(draw: DrawValue): AnswerByGeneration {
  return (declared, content, wishes, source, call) => {
    const seed = wishes.seed ?? drawSeed(call.random);
    const answer = (value: JsonValue | undefined): Answer | undefined =>
      value === undefined
        ? undefined
        : answerByValue(declared, content, value, nameSource(source, 'seed', seed));
    const drawn = draw(content, { seed, now: call.now() }, wishes.manner);
    return drawn instanceof Promise ? drawn.then(answer) : answer(drawn);
  };
}

/** @returns the seed of one value, which `Mock-Source` can tell and `Prefer: seed` ask for again */
export function drawSeed(random: Random): string {
  return String(Math.floor(random.next() * 2 ** 32));
}

/** The time in generated values that must be the same whenever they are generated. */
const MOMENT = Date.UTC(2026, 0, 1);

/** Generates a value that depends on the schema and the identity alone, with its random seed. */
export function generateFor(
  generator: Generator,
  { pointer }: Schema,
  identity: string,
): { readonly value: JsonValue; readonly seed: string } | undefined {
  const seed = drawSeed(createRandom(identity));
  const value = generator.generate(pointer, { random: createRandom(seed), now: MOMENT }, 'given');
  return value === undefined ? undefined : { value, seed };
}

/** The last source: what the document only describes is made up to its description. */
export function generatedSource(generate: AnswerByGeneration, manner: Manner): ResponseSource {
  return (request, call) => {
    const declared = request.operation.responses.success;
    if (declared === undefined) return undefined;
    const content = negotiate(request.fields, declared);
    if (content === undefined) return undefined;
    const { seed } = readPreference(request);
    return generate(declared, content, { seed, manner }, 'generated', call);
  };
}
