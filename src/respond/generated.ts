import type { Content } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import type { GenerateValue } from '../prism.ts';
import type { Random } from '../random.ts';
import { type Answer, nameSource, type ResponseSource } from './answer.ts';
import { answerByValue } from './example.ts';
import { negotiate } from './negotiate.ts';
import { readPreference } from './preference.ts';

/** Generates an answer for one declared response; undefined when no value conforms. */
export type AnswerByGeneration = (
  declared: Declared,
  content: Content,
  seed: string | undefined,
  source: string,
) => Promise<Answer | undefined>;

/** A generator that fails on one draw may succeed on the next. */
const MOST_DRAWS = 10;

/**
 * @param generate makes one value from one seed
 * @param random gives the seeds, so that the same calls give the same answers
 */
export function createGeneration(generate: GenerateValue, random: Random): AnswerByGeneration {
  return async (declared, content, wish, source) => {
    const seed = wish ?? String(Math.floor(random.next() * 2 ** 32));
    for (let draw = 0; draw < MOST_DRAWS; draw++) {
      const drawSeed = draw === 0 ? seed : `${seed}.${draw}`;
      const drawn = await generate(content.schema?.pointer, drawSeed);
      if (drawn === undefined) return undefined;
      // Generators make up members that a schema merely does not forbid.
      const value = content.project(drawn);
      if ((content.schema?.check(value, 'body').length ?? 0) > 0) continue;
      return answerByValue(declared, content, value, nameSource(source, 'seed', seed));
    }
    return undefined;
  };
}

/** The last source: what the document only describes is made up to its description. */
export function generatedSource(generate: AnswerByGeneration): ResponseSource {
  return (request) => {
    const declared = request.operation.responses.success;
    if (declared === undefined) return undefined;
    const content = negotiate(request.match.request.fields, declared);
    if (content === undefined) return undefined;
    return generate(declared, content, readPreference(request.match).seed, 'generated');
  };
}
