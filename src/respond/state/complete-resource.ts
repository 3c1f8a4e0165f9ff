import { isMailFormat, toInstant, toMailDate, toTimestamp } from '../../base/clock.ts';
import { isNumber } from '../../base/json/number.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../../base/json/value.ts';
import { once } from '../../base/remember.ts';
import { getProperty } from '../../resources/collections.ts';
import { eventOf, hasHappened, renew } from '../../resources/initial-value.ts';
import type { ServerSetProperty, ServerSetRole } from '../../resources/resource.ts';
import { isCountOf } from '../../resources/shape/words.ts';
import { setProperty } from '../../resources/wrapping.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import { fillMissing } from '../conform/repair.ts';
import { createMove, linksTo, textOfKey } from './links.ts';
import { exampleOf, placeholderResource } from './placeholder.ts';
import type { StateRequest } from './state-request.ts';

export interface Written {
  readonly key: string;
  readonly resource: JsonObject;
  /** The resource before the change; undefined for a new one. */
  readonly before: JsonObject | undefined;
  readonly caller?: JsonObject | undefined;
}

/** Completes a resource: sets what the service sets, the defaults, and what a read requires. */
export function completeResource(request: StateRequest, written: Written): JsonObject {
  const { resource, before } = written;
  const { meaning, facts, call } = request;
  const { serverSet, schema } = meaning.type;
  const { isShown, assumed } = facts;
  const placeholder = once(() => placeholderResource(request, written.key));
  if (serverSet.length > 0) {
    const example = once(() => exampleOf(request));
    const usual = () => example() ?? placeholder();
    const move = createMove(request, written, usual);
    setServerValues({ ...written, request, example, move, now: call.now() });
  }
  if (!isShown) return resource;
  for (const [name, value] of assumed) {
    if (getMember(resource, name) === undefined) setMember(resource, name, value);
  }
  if (schema === undefined || schema.accepts(resource)) return resource;
  return fillMissing(schema, resource, before ?? baseFor(request, schema, written, placeholder()));
}

/**
 * Returns a conforming value of which a new resource takes what it lacks.
 *
 * @param usual what a read shows of a resource that was never written
 */
function baseFor(request: StateRequest, schema: Schema, written: Written, usual: JsonObject) {
  const moved = createMove(request, written, () => usual)(usual);
  return withoutGiven(
    request,
    schema,
    asNew(request, schema, schema.accepts(moved) ? moved : usual),
  );
}

/** Returns the value with null in place of what a client may give, where its schema allows null. */
function withoutGiven({ material, meaning }: StateRequest, schema: Schema, value: JsonValue) {
  if (!isJsonObject(value)) return value;
  const { schemas } = material.contract;
  const given = schemas.nodes.at(meaning.type.writtenSchema?.pointer)?.names;
  const node = schemas.nodes.at(schema.pointer);
  const bare = mapMembers(value, (member, name) => {
    const property = given?.has(name) === true ? node?.property(name) : undefined;
    const isNullable = property && schemas.schemaAt(property.pointer, 'response').accepts(null);
    return isNullable ? null : member;
  });
  return schema.accepts(bare) ? bare : value;
}

/** Returns the value without what a new resource does not have yet, if its schema allows that. */
function asNew({ material, operation }: StateRequest, schema: Schema, value: JsonValue): JsonValue {
  if (operation.responses.success?.response.streams.length !== 0) return value;
  const renewed = renew(value, material.contract.schemas.nodes.at(schema.pointer));
  return schema.accepts(renewed) ? renewed : value;
}

/** Returns the first value of a property: its default, else the example's, else a generated one. */
function makeUp(setting: Setting, { pointer, name }: ServerSetProperty) {
  const { request, example, move } = setting;
  const { material, facts, call } = request;
  const usual = facts.assumed.find(([property]) => property === name);
  if (usual !== undefined) return usual[1];
  const given = getProperty(example() ?? {}, name);
  const chance = { random: call.chanceOf(`property ${name}`), now: call.now() };
  const value = given === undefined ? material.generator.generate(pointer, chance, 'given') : given;
  const schema = material.contract.schemas.schemaAt(pointer, 'response');
  if (value === undefined) return undefined;
  const isOwn = request.meaning.type.key?.alternates.includes(name) === true;
  const moved = isOwn ? endInKey(value, setting.key) : move(value);
  return asNew(request, schema, schema.accepts(moved) ? moved : value);
}

/** Returns another name of a resource, `arn:garden:pot/fern`, with its key at the end. */
function endInKey(value: JsonValue, key: string): JsonValue {
  if (typeof value !== 'string') return value;
  const own = textOfKey(key);
  return value.replace(/(?<=[:/])[^:/]+$/, () => own);
}

interface Setting extends Written {
  readonly request: StateRequest;
  readonly example: () => JsonObject | undefined;
  /** Returns a part of the example as one of this resource. */
  readonly move: (value: JsonValue) => JsonValue;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Sets what the service sets, except the key. A value is set only if its schema allows it. */
function setServerValues(setting: Setting): void {
  const { request, resource, before } = setting;
  for (const property of request.meaning.type.serverSet) {
    const { name, role } = property;
    if (role.value === 'key') continue;
    if (!maySet(property, resource)) continue;
    const next = nextValue(property, setting);
    const value = next === undefined && before !== undefined ? getProperty(before, name) : next;
    if (value !== undefined) setProperty(resource, name, value);
    else if (before !== undefined) delete resource[name];
  }
}

/** Returns false for what the client has given, and for a member of what is no object. */
function maySet({ name, role, mayBeGiven }: ServerSetProperty, resource: JsonObject): boolean {
  const isGiven = mayBeGiven || SET_ONCE.has(role.value);
  if (getProperty(resource, name) !== undefined) return !isGiven;
  const end = name.indexOf('.');
  const owner = end < 0 ? undefined : getMember(resource, name.slice(0, end));
  return owner === undefined || isJsonObject(owner);
}

/** The service does not set these in place of the client. */
const SET_ONCE: ReadonlySet<ServerSetRole> = new Set(['given', 'initial', 'self', 'caller']);

/** Returns undefined if the value stays as it was. */
function nextValue(property: ServerSetProperty, setting: Setting): JsonValue | undefined {
  const { request, before } = setting;
  const { name, role, initial } = property;
  if (before !== undefined && SET_ONCE.has(role.value)) return undefined;
  const admit = (candidates: readonly JsonValue[]): JsonValue | undefined => {
    const schema = request.material.contract.schemas.schemaAt(property.pointer, 'response');
    return candidates.find((one) => schema.accepts(one));
  };
  switch (role.value) {
    case 'updated-at':
      return admit(momentForms(property, setting));
    case 'revision':
      return admit(nextRevisions(before && getProperty(before, name)));
    case 'created-at':
      return before === undefined ? admit(momentForms(property, setting)) : undefined;
    case 'reached-at':
      return admit(momentsOfEvent(property, setting));
    case 'count':
      return admit([lengthOfList(name, setting)]);
    case 'self':
      return admit(linksOf(name, setting)) ?? makeUp(setting, property);
    case 'initial':
      // A time that has not come yet is left out where it cannot be null.
      if (initial === null) return admit([initial]);
      return admit(initial === undefined ? [] : [initial]) ?? makeUp(setting, property);
    case 'caller': {
      const usual = makeUp({ ...setting, move: (value) => value }, property);
      return admit(formsOfCaller(setting, property, usual)) ?? usual;
    }
    default:
      return admit(ownNumber(setting, property)) ?? makeUp(setting, property);
  }
}

/** Returns how many a list of the resource has: `phones` for `phoneCount`. */
function lengthOfList(name: string, { resource }: Setting): number {
  const [, list] = Object.entries(resource).find(([other]) => isCountOf(name, other)) ?? [];
  return Array.isArray(list) ? list.length : 0;
}

/** Returns the forms in which a resource may show the caller: as an object, or as a key. */
function formsOfCaller(
  { caller, request }: Setting,
  { pointer }: ServerSetProperty,
  usual: JsonValue | undefined,
): readonly JsonValue[] {
  if (caller === undefined) return [];
  if (!isJsonObject(usual)) return [getMember(caller, 'id') ?? null];
  const { schemas } = request.material.contract;
  const node = schemas.nodes.at(pointer);
  const isAllowed = (name: string, value: JsonValue): boolean => {
    const property = node?.property(name);
    return property === undefined || schemas.schemaAt(property.pointer, 'response').accepts(value);
  };
  return [
    mapMembers(usual, (value, name) => {
      const own = caller[name];
      return own !== undefined && isAllowed(name, own) ? own : value;
    }),
  ];
}

/** Returns candidates for the time of an event: none where it stays, null before the event. */
function momentsOfEvent(property: ServerSetProperty, setting: Setting): readonly JsonValue[] {
  const { resource, before } = setting;
  const event = eventOf(property.name) ?? '';
  if (!hasHappened(event, resource)) return [null];
  return before !== undefined && hasHappened(event, before) ? [] : momentForms(property, setting);
}

/** Returns a number for an `id` that is not the key, which the example has as well. */
function ownNumber({ request }: Setting, { name }: ServerSetProperty): readonly JsonValue[] {
  const random = /^_?id$/i.test(name) ? request.call.chanceOf(`property ${name}`) : undefined;
  if (random === undefined) return [];
  const number = 1 + Math.floor(random.next() * MOST_IDS);
  return [number, String(number)];
}

/** Few resources get the same number by chance, and 32 bits hold it. */
const MOST_IDS = 2 ** 31 - 1;

/** Returns the URLs of a resource; an `id` is of the service, whatever its host is called. */
function linksOf(name: string, setting: Setting): readonly string[] {
  const links = linksTo(setting.request, setting);
  return name === 'id' ? links.toReversed() : links;
}

/** Returns a time in the forms that documents use; the schema chooses. */
function momentForms(
  { name, pointer }: ServerSetProperty,
  { request, now }: Setting,
): readonly JsonValue[] {
  const format = request.material.contract.schemas.nodes.at(pointer)?.keyword('format');
  if (isMailFormat(format)) return [toMailDate(now)];
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
