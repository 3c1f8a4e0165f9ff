import { toInstant, toTimestamp } from '../../base/clock.ts';
import { isNumber } from '../../base/json/number.ts';
import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { ServerSetProperty } from '../../resources/resource.ts';
import { fillMissing } from '../conform/repair.ts';
import { exampleOf, placeholderResource } from './placeholder.ts';
import { linksTo } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** A resource to store. */
export interface Written {
  readonly key: string;
  readonly resource: JsonObject;
  /** The resource before the change; undefined for a new one. */
  readonly before: JsonObject | undefined;
}

/** Completes a resource: sets what the service sets, the defaults, and what a read requires. */
export function completeResource(request: StateRequest, written: Written): JsonObject {
  const { key, resource, before } = written;
  const { material, meaning, call } = request;
  const { serverSet, schema } = meaning.type;
  const { isShown, assumed } = material.factsOf(meaning.type);
  if (serverSet.length > 0) setServerValues({ ...written, request, now: call.now() });
  if (!isShown) return resource;
  for (const [name, value] of assumed) {
    if (getMember(resource, name) === undefined) setMember(resource, name, value);
  }
  if (schema === undefined || schema.check(resource, 'body').length === 0) return resource;
  const base = before ?? placeholderResource(request, key);
  return base === undefined ? resource : fillMissing(schema, resource, base);
}

/** Returns the first value of a property: its default, else the example's, else a generated one. */
function makeUp(request: StateRequest, { pointer, name }: ServerSetProperty) {
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

interface Setting extends Written {
  readonly request: StateRequest;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Sets what the service sets, except the key. A value is set only if its schema allows it. */
function setServerValues(setting: Setting): void {
  const { request, resource, before } = setting;
  for (const property of request.meaning.type.serverSet) {
    const { name, role } = property;
    if (role.value === 'key') continue;
    const isGiven = property.mayBeGiven || role.value === 'given';
    if (isGiven && getMember(resource, name) !== undefined) continue;
    const value = nextValue(property, setting) ?? (before && getMember(before, name));
    if (value !== undefined) setMember(resource, name, value);
    else if (before !== undefined) delete resource[name];
  }
}

/** Returns undefined if the value stays as it was. */
function nextValue(property: ServerSetProperty, setting: Setting): JsonValue | undefined {
  const { request, key, before, now } = setting;
  const admit = (candidates: readonly JsonValue[]): JsonValue | undefined => {
    const schema = request.material.contract.schemas.schemaAt(property.pointer, 'response');
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
      if (before !== undefined) return undefined;
      return admit(linksTo(request, key)) ?? makeUp(request, property);
    default:
      return before === undefined ? makeUp(request, property) : undefined;
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
