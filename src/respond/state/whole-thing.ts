import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { fillMissing } from '../../resources/mend.ts';
import type { ServerSetProperty } from '../../resources/resource.ts';
import { setServerValues } from '../../resources/seed/server-set-values.ts';
import type { Asked } from './asked.ts';
import { exampleOf, imagineResource } from './imagine.ts';
import { linksTo } from './links.ts';

/**
 * Gives a resource all that it has besides what the client says: what the service sets, what stands
 * where nobody says anything else, and what a read must show.
 *
 * @param before what was there; undefined for one that is made
 */
export function makeWhole(
  asked: Asked,
  thing: JsonObject,
  key: string,
  before: JsonObject | undefined,
): JsonObject {
  const { material, meaning, call } = asked;
  const { resource } = meaning;
  const { serverSet, schema } = resource;
  const { isShown, assumed } = material.factsOf(resource);
  if (serverSet.length > 0) {
    setServerValues(thing, serverSet, {
      now: call.now(),
      before,
      links: linksTo(asked, key),
      schemaOf: ({ pointer }) => material.contract.schemas.schemaAt(pointer, 'response'),
      makeUp: (property) => makeUp(asked, property),
    });
  }
  if (!isShown) return thing;
  for (const [name, value] of assumed) {
    if (getMember(thing, name) === undefined) setMember(thing, name, value);
  }
  if (schema === undefined || schema.check(thing, 'body').length === 0) return thing;
  const base = before ?? imagineResource(asked, key);
  return base === undefined ? thing : fillMissing(schema, thing, base);
}

/** What a thing begins with where nobody says: its default, else an example, else what it may be. */
function makeUp(asked: Asked, { pointer, name }: ServerSetProperty): JsonValue | undefined {
  const { material, call } = asked;
  const { assumed } = material.factsOf(asked.meaning.resource);
  const usual = assumed.find(([property]) => property === name);
  if (usual !== undefined) return usual[1];
  const example = exampleOf(asked);
  const given = example && getMember(example, name);
  if (given !== undefined) return given;
  const chance = { random: call.chanceOf(`property ${name}`), now: call.now() };
  return material.generator.generate(pointer, chance, 'given');
}
