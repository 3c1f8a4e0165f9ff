import { toInstant, toTimestamp } from '../../base/clock.ts';
import { isNumber } from '../../base/json/number.ts';
import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { ServerSetProperty } from '../../resources/resource.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { fillMissing } from '../conform/repair.ts';
import { exampleOf, placeholderResource } from './placeholder.ts';
import { linksTo } from './show.ts';
import type { StateRequest } from './state-request.ts';

/**
 * Completes a resource: sets what the service sets, the defaults, and what a read requires.
 *
 * @param before the resource before the change; undefined for a new one
 */
export function completeResource(
  request: StateRequest,
  resource: JsonObject,
  key: string,
  before: JsonObject | undefined,
): JsonObject {
  const { material, meaning, call } = request;
  const { type } = meaning;
  const { serverSet, schema } = type;
  const { isShown, assumed } = material.factsOf(type);
  if (serverSet.length > 0) {
    setServerValues(resource, serverSet, {
      now: call.now(),
      before,
      links: linksTo(request, key),
      schemaOf: ({ pointer }) => material.contract.schemas.schemaAt(pointer, 'response'),
      makeUp: (property) => makeUp(request, property),
    });
  }
  if (!isShown) return resource;
  for (const [name, value] of assumed) {
    if (getMember(resource, name) === undefined) setMember(resource, name, value);
  }
  if (schema === undefined || schema.check(resource, 'body').length === 0) return resource;
  const base = before ?? placeholderResource(request, key);
  return base === undefined ? resource : fillMissing(schema, resource, base);
}

/** Returns the first value of a property: its default, else the example's, else a generated one. */
function makeUp(
  request: StateRequest,
  { pointer, name }: ServerSetProperty,
): JsonValue | undefined {
  const { material, call } = request;
  const { assumed } = material.factsOf(request.meaning.type);
  const usual = assumed.find(([property]) => property === name);
  if (usual !== undefined) return usual[1];
  const example = exampleOf(request);
  const given = example && getMember(example, name);
  if (given !== undefined) return given;
  const chance = { random: call.chanceOf(`property ${name}`), now: call.now() };
  return material.generator.generate(pointer, chance, 'given');
}

/** The inputs of the values that the service sets. */
interface ChangeContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The resource before the change; undefined for a new one. */
  readonly before: JsonObject | undefined;
  /** URLs of the resource, with and without scheme and host; none if it has no path. */
  readonly links: readonly string[];
  schemaOf(property: ServerSetProperty): Schema;
  makeUp(property: ServerSetProperty): JsonValue | undefined;
}

/**
 * Sets what the service sets, except the key. A value is set only if its schema allows it.
 *
 * @param resource is changed in place
 */
function setServerValues(
  resource: JsonObject,
  properties: readonly ServerSetProperty[],
  setting: ChangeContext,
): void {
  for (const property of properties) {
    const { name, role } = property;
    if (role.value === 'key') continue;
    const isGiven = property.mayBeGiven || role.value === 'given';
    if (isGiven && getMember(resource, name) !== undefined) continue;
    const value = nextValue(property, setting) ?? getMember(setting.before ?? NOTHING, name);
    if (value !== undefined) setMember(resource, name, value);
    else if (setting.before !== undefined) delete resource[name];
  }
}

const NOTHING: JsonObject = Object.freeze({});

/** Returns undefined if the value stays as it was. */
function nextValue(property: ServerSetProperty, setting: ChangeContext): JsonValue | undefined {
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

/** Returns a time in the forms that documents use; the schema chooses. */
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
