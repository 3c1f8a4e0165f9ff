import type { JsonObject } from '../../base/json/value.ts';
import { drawInteger, drawOne, happens } from '../chance.ts';
import type { ObjectRules } from '../space/object-rules.ts';
import type { ValueBuilder } from '../value-builder.ts';
import { drawWord } from './common-texts.ts';

/** @returns a name for a member that the schemas do not name; undefined when none was found */
export function drawMemberName(
  builder: ValueBuilder,
  rules: ObjectRules,
  object: JsonObject,
): string | undefined {
  const { analysis, chance } = builder;
  const { store } = analysis;
  const wish = { name: undefined, parent: undefined };
  // What matches no pattern may be a member, too.
  const pattern = happens(chance, 0.7) ? drawOne(chance, rules.namePatterns) : undefined;
  if (pattern !== undefined || rules.nameSchemas.length > 0) {
    const pointers = [
      ...rules.nameSchemas,
      store.space.construct({ type: 'string', ...(pattern !== undefined && { pattern }) }),
    ];
    const constraints = store.of(pointers);
    const name = builder.build(constraints, {
      ...wish,
      room: 1,
      depth: 1,
      isLeast: false,
      isItem: false,
      isLoose: false,
      isGiven: false,
    });
    if (typeof name === 'string' && !Object.hasOwn(object, name)) return name;
    if (rules.nameSchemas.length > 0) return undefined;
  }
  const word = drawWord(chance, analysis.vocabulary);
  return Object.hasOwn(object, word) ? `${word}${drawInteger(chance, 2, 9999)}` : word;
}
