import { toInstant, toTimestamp } from '../../base/clock.ts';
import { isNumber } from '../../base/json/number.ts';
import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { fillMissing } from '../../resources/mend.ts';
import type { ServerSetProperty } from '../../resources/resource.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { linksTo } from './effect.ts';
import { exampleOf, imagineResource } from './placeholder.ts';
import type { Asked } from './state-request.ts';

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

/** What a resource is set by when it is made or changed. */
interface Setting {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What was there before; undefined for one that is made. */
  readonly before: JsonObject | undefined;
  /** URL of the resource, without and with scheme and host; undefined where it has none. */
  readonly links: readonly string[];
  schemaOf(property: ServerSetProperty): Schema;
  /** Makes up what only the schema tells. */
  makeUp(property: ServerSetProperty): JsonValue | undefined;
}

/**
 * Sets what the service sets, all but the key. What nobody but the client can know is left as it
 * says. A value stands only where its schema allows it.
 *
 * @param thing is changed
 */
function setServerValues(
  thing: JsonObject,
  properties: readonly ServerSetProperty[],
  setting: Setting,
): void {
  for (const property of properties) {
    const { name, role } = property;
    if (role.value === 'key') continue;
    const isGiven = property.mayBeGiven || role.value === 'given';
    if (isGiven && getMember(thing, name) !== undefined) continue;
    const value = nextValue(property, setting) ?? getMember(setting.before ?? NOTHING, name);
    if (value !== undefined) setMember(thing, name, value);
    else if (setting.before !== undefined) delete thing[name];
  }
}

const NOTHING: JsonObject = Object.freeze({});

/** @returns undefined for what stays as it was */
function nextValue(property: ServerSetProperty, setting: Setting): JsonValue | undefined {
  const { before, now, links } = setting;
  const admit = (candidates: readonly JsonValue[]): JsonValue | undefined => {
    const schema = setting.schemaOf(property);
    return candidates.find((one) => schema.check(one, 'body').length === 0);
  };
  switch (property.role.value) {
    case 'updated-at':
      return admit(momentForms(property.name, now));
    case 'revision':
      return admit(nextRevisions(before && getMember(before, property.name)));
    case 'created-at':
      return before === undefined ? admit(momentForms(property.name, now)) : undefined;
    case 'self':
      return before === undefined ? (admit(links) ?? setting.makeUp(property)) : undefined;
    default:
      return before === undefined ? setting.makeUp(property) : undefined;
  }
}

/** A moment as documents write it: the schema chooses. */
function momentForms(name: string, now: number): readonly JsonValue[] {
  const seconds = Math.floor(now / 1000);
  const numbers = /ms$|milli/i.test(name) ? [now, seconds] : [seconds, now];
  const instant = toInstant(now);
  return [instant, toTimestamp(now), instant.slice(0, 10), ...numbers, String(seconds)];
}

function nextRevisions(before: JsonValue | undefined): readonly JsonValue[] {
  const known = before !== undefined && (isNumber(before) || typeof before === 'string');
  const last = known ? Number(before) : 0;
  const next = (Number.isSafeInteger(last) ? last : 0) + 1;
  return [next, String(next)];
}
