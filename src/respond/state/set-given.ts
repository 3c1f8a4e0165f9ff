import { isEqual } from '../../base/json/equal.ts';
import { toText } from '../../base/json/stringify.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import type { ActionMeaning, MembersMeaning } from '../../resources/meaning.ts';
import { NAMING, namesItemOf } from '../../resources/shape/words.ts';
import { unwrap, valueAt } from '../../resources/wrapping.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import type { StateRequest } from './state-request.ts';

/** Sets the members of the resource that the body of an action has, or adds to their lists. */
export function setGiven(request: StateRequest<ActionMeaning>, resource: JsonObject): void {
  const { given, how = 'set', part, type } = request.meaning;
  const { properties } = request.facts;
  const body = request.body?.value;
  if (part !== undefined) {
    const node = properties.get(part.property);
    change(resource, part.property, { how, node, value: valueAt(body, part.path) });
    return;
  }
  const members = Object.entries(unwrap(body, given, type) ?? {});
  for (const [name, node] of properties) {
    const isMeant = (member: string): boolean =>
      member === name || (how !== 'set' && node.isArray && namesItemOf(name, member));
    const [, value] = members.find(([member]) => isMeant(member)) ?? [];
    if (value !== undefined) change(resource, name, { how, node, value });
  }
}

interface Changed {
  readonly how: 'set' | 'add' | 'remove';
  readonly node: SchemaNode | undefined;
  /** Undefined without a body, which removes all. */
  readonly value: JsonValue | undefined;
}

function change(resource: JsonObject, name: string, { how, node, value }: Changed): void {
  if (node?.isArray !== true || how === 'set') {
    if (how === 'remove') delete resource[name];
    else if (value !== undefined) setMember(resource, name, value);
    return;
  }
  const before = [getMember(resource, name) ?? []].flat();
  setMember(resource, name, changeList(how, before, value === undefined ? before : [value].flat()));
}

/** Returns a list with other items, with items added, or without them. */
export function changeList(
  how: MembersMeaning['does'],
  before: readonly JsonValue[],
  items: readonly JsonValue[],
): JsonValue[] {
  const isAmong = (list: readonly JsonValue[], one: JsonValue): boolean =>
    list.some((other) => meansSame(one, other));
  if (how === 'remove') return before.filter((one) => !isAmong(items, one));
  const kept = how === 'set' ? [] : before;
  return [...kept, ...items.filter((one) => !isAmong(kept, one))];
}

function meansSame(one: JsonValue, other: JsonValue): boolean {
  if (isEqual(one, other)) return true;
  const [own, others] = [identifiersOf(one), identifiersOf(other)];
  // The likeliest member decides: a name alone does not make two with other ids the same.
  const common = [...own.keys()].find((name) => others.has(name));
  if (common !== undefined) return own.get(common) === others.get(common);
  const [texts, otherTexts] = [new Set(own.values()), [...others.values()]];
  const isOneSingle = !isJsonObject(one) || !isJsonObject(other);
  return isOneSingle && otherTexts.some((text) => texts.has(text));
}

/** Returns the texts that identify a value, by their members; of a single value, itself. */
function identifiersOf(value: JsonValue): ReadonlyMap<string, string> {
  if (!isJsonObject(value)) return new Map([['', toText(value)]]);
  return new Map(
    NAMING.flatMap((name) => {
      const own = getMember(value, name);
      return own === undefined || own === null ? [] : [[name, toText(own)] as const];
    }),
  );
}
