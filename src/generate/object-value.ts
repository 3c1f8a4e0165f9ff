import { getMember, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import { plain, wordsOf } from '../base/words.ts';
import { agreeMembers } from './agree-members.ts';
import { drawInteger, drawOne, happens, shuffle } from './chance.ts';
import { agreeWithList } from './paging.ts';
import { memberRole } from './space/analysis.ts';
import type { Constraints, JsonType } from './space/constraints.ts';
import { namesOf, propertyOf } from './space/discriminator.ts';
import type { ObjectRules } from './space/part-rules.ts';
import { learnMoment } from './text/moments.ts';
import { isError } from './text/titles.ts';
import { createFacts, type Facts, slugOf } from './text/topic.ts';
import { landmarks } from './text/word-lists.ts';
import {
  copyWish,
  type Draft,
  type Known,
  NOTHING_KNOWN,
  type Wish,
  wishAny,
} from './value-builder.ts';

/** Draws of a name before an object that needs more members is given up. */
const MOST_DRAWS = 40;

/** Objects with more members whose names must be made up are not built. */
const MOST_MADE_UP = 1_000;

/** Below this depth, optional members that have members themselves are left out. */
const DEEP = 4;

/** An object that is being built. */
interface Plan extends Draft {
  readonly rules: ObjectRules;
  /** Names of the members that it must have. */
  readonly needed: ReadonlySet<string>;
  /** Of its members. */
  readonly inner: Wish;
}

/** Returns an object that fits the constraints; undefined when a member cannot be built. */
export function buildObject(draft: Draft): JsonObject | undefined {
  const { builder, constraints, wish } = draft;
  const rules = builder.analysis.objectRules(constraints);
  const needed = closeOver(rules, rules.required);
  if (needed.size > constraints.maxProperties) return undefined;
  const inner = copyWish(wish);
  const plan: Plan = { builder, constraints, wish, rules, needed, inner };
  const names = chooseNames(plan);
  inner.parent = findResource(plan);
  inner.facts = findFacts(wish);
  inner.facts.isPerson ??= builder.analysis.isPerson(rules);
  inner.known = findKnown(wish);
  inner.room = (wish.room - names.length) / Math.max(1, names.length);
  inner.depth += 1;
  inner.isItem = false;
  const order = givenFirst(plan, names);
  const built = buildMembers(plan, order);
  if (built === undefined) return undefined;
  const object = order === names ? built : inOrder(built, names);
  agreeWithList(draft, object, inner.known);
  agreeMembers({ draft, rules, object, needed });
  return fill(plan, object);
}

/** Returns the declared members; undefined when a needed one cannot be built. */
function buildMembers(plan: Plan, names: readonly string[]): JsonObject | undefined {
  const kind = findKind(plan);
  const object: JsonObject = {};
  for (const name of names) {
    const fitting = name === kind?.property ? drawKind(plan, kind) : undefined;
    const value = fitting ?? buildMember(plan, name, plan.needed.has(name));
    if (value !== undefined) setMember(object, name, value);
    else if (plan.needed.has(name)) return undefined;
  }
  return object;
}

function inOrder(object: JsonObject, names: readonly string[]): JsonObject {
  const ordered: JsonObject = {};
  for (const name of names) {
    const value = getMember(object, name);
    if (value !== undefined) setMember(ordered, name, value);
  }
  return ordered;
}

/** Names of lists and objects that do not name what is in them. */
const CONTAINERS =
  /^(?:content|data|elements|entries|items|nodes|objects|records|response|result|results|rows|values)$/;

/** Returns what the object is: the name of its schema, its property or its path. */
function findResource({ rules, wish }: Plan): string | undefined {
  const { schema, path } = rules.named;
  if (schema !== undefined) return schema;
  const isContained = wish.depth <= 2 && CONTAINERS.test(wish.name ?? '');
  const name = isContained ? wish.parent : wish.name;
  return name ?? path;
}

/** Returns what the request says of the members: of the whole response, and of the items of a list. */
function findKnown({ depth, name = '', isItem, known }: Wish): Known {
  if (depth === 0 || known.isFailure) return known;
  if (depth > 2 || !(isItem || CONTAINERS.test(name))) return NOTHING_KNOWN;
  return isItem ? { ofWhole: known.ofItems, ofItems: known.ofItems } : known;
}

function findFacts({ depth, name = '', isItem, facts }: Wish): Facts {
  return depth === 0 || isItem || DETAILS.test(name) ? facts : createFacts();
}

/** Properties whose object describes the same as the object that has them. */
const DETAILS = /^(?:address|attributes|contact|data|details|fields|info|profile|properties)$/i;

/** Returns the names in the order in which to build: the others suit what the document gives. */
function givenFirst({ builder, rules }: Plan, names: readonly string[]): readonly string[] {
  const given = names.filter((name) => builder.analysis.isGiven(rules.member(name)));
  if (given.length === 0) return names;
  return [...new Set([...given, ...names])];
}

/** Returns the value of a member; none for an optional member that nests too deep. */
function buildMember(plan: Plan, name: string, isNeeded: boolean): JsonValue | undefined {
  const { builder, rules, inner } = plan;
  const constraints = rules.member(name);
  if (!isNeeded && inner.depth > DEEP && mayNest(constraints)) return undefined;
  const isLeast = inner.isLeast || inner.room < 0.25 || inner.depth > DEEP + 1;
  const given = inner.known.ofWhole.size > 0 ? inner.known.ofWhole.get(plain(name)) : undefined;
  const fits = (one: JsonValue): boolean => builder.analysis.evaluator.conforms(constraints, one);
  if (given !== undefined && fits(given)) return given;
  if (isAmiss(plan, name) && fits(null)) return null;
  const wish = copyWish(inner);
  wish.name = name;
  wish.isLeast = isLeast;
  const value = builder.build(constraints, wish);
  if (typeof value === 'string' && builder.analysis.isGiven(constraints)) {
    const { texts, span } = builder.analysis.suggestions(constraints, wish);
    texts[0]?.learn(wish.facts, value);
    if (span !== undefined) learnMoment(wish.facts, span, value);
  }
  return value;
}

function mayNest({ types, unions }: Constraints): boolean {
  return types.has('object') || types.has('array') || unions.length > 0;
}

/** Returns the names, with those that they depend on. */
function closeOver(rules: ObjectRules, names: Iterable<string>): Set<string> {
  const all = new Set(names);
  for (const name of all) {
    for (const [owner, needed] of rules.dependencies) {
      if (owner === name) for (const other of needed) all.add(other);
    }
  }
  return all;
}

/** Returns the names of declared members to build, in the order of their declaration. */
function chooseNames(plan: Plan): readonly string[] {
  const { constraints, rules, needed, wish } = plan;
  const possible = new Set(needed);
  const missing = Math.max(0, constraints.minProperties - needed.size);
  const most = wish.isLeast ? missing : Number.POSITIVE_INFINITY;
  for (const name of most === 0 ? [] : optionalNames(plan).slice(0, most)) {
    const together = rules.dependencies.length === 0 ? [name] : [...closeOver(rules, [name])];
    const added = together.filter((one) => !possible.has(one));
    if (possible.size + added.length > constraints.maxProperties) continue;
    if (!added.every((one) => isAllowed(plan, one))) continue;
    for (const one of added) possible.add(one);
  }
  const declared = rules.names.filter((name) => possible.has(name));
  return declared.length === possible.size ? declared : [...new Set([...declared, ...possible])];
}

/** The optional members that an object has at least, by its depth. */
const LEAST_MEMBERS = [12, 8, 6];

function optionalNames(plan: Plan): string[] {
  const { builder, constraints, rules, needed, wish } = plan;
  const mayLeaveOut = constraints.minProperties <= needed.size;
  const unwanted = mayLeaveOut && wish.depth === 0 ? wish.known.unwanted : undefined;
  const isWanted = (name: string) =>
    !isAmiss(plan, name) && !(mayLeaveOut && (unwanted?.has(name) || isSubject(plan, name)));
  const names = rules.names.filter((name) => !needed.has(name) && isWanted(name));
  const fitting = Math.max(LEAST_MEMBERS[wish.depth] ?? 1, Math.floor(wish.room));
  if (names.length <= fitting) return names;
  // Only the schemas of those that are kept are looked at.
  const kept = new Set<string>();
  for (const name of shuffle(builder.chance, names)) {
    if (kept.size === fitting) break;
    if (isAllowed(plan, name)) kept.add(name);
  }
  return names.filter((name) => kept.has(name));
}

/**
 * Returns true for a member that says that something failed, where nothing did, as clients throw;
 * or that leads to a next page, where nobody knows of one, as clients go on to the end.
 */
function isAmiss(plan: Plan, name: string): boolean {
  const { analysis } = plan.builder;
  const role = analysis.memberRoles(plan.rules).get(name) ?? memberRole(plan.rules, name);
  if (role !== 'failure' || plan.wish.known.isFailure) return role === 'next page';
  return !isError(wordsOf(findResource(plan) ?? '').join(' '));
}

/** Returns true for the object that the message of a failure is about. */
function isSubject({ builder, rules, wish }: Plan, name: string): boolean {
  const { subjects } = wish.known;
  if (subjects?.isSubject(name) !== true) return false;
  const { store, objectRules } = builder.analysis;
  const member = rules.member(name);
  const isObject =
    (isOnly(member, 'object') && objectRules(member).names.length > 0) ||
    member.unions.some(({ branches }) =>
      branches.every((branch) => isOnly(store.ofBranch(branch), 'object')),
    );
  const isMessage = (other: string) =>
    subjects.isMessage(other) && isOnly(rules.member(other), 'string');
  return isObject && rules.names.some(isMessage);
}

function isOnly({ types }: Constraints, type: JsonType): boolean {
  return types.size === 1 && types.has(type);
}

function isAllowed({ builder, rules }: Plan, name: string): boolean {
  return (
    !rules.isAbsent(name) &&
    rules.member(name).contradiction === undefined &&
    rules.nameSchemas.every((pointer) => builder.analysis.evaluator.accepts(pointer, name))
  );
}

/** Adds members with made-up names: as many as required, and some where a schema describes them. */
function fill(plan: Plan, object: JsonObject): JsonObject | undefined {
  const { minProperties, maxProperties } = plan.constraints;
  const size = Object.keys(object).length;
  const wanted = Math.min(Math.max(minProperties, size, usualSize(plan)), maxProperties);
  if (wanted - size > MOST_MADE_UP) return undefined;
  let missing = wanted - size;
  let draws = MOST_DRAWS + 2 * wanted;
  for (; missing > 0 && draws > 0 && plan.builder.budget.spend(); draws--) {
    if (addMember(plan, object)) missing--;
  }
  return wanted - missing >= minProperties ? object : undefined;
}

/** Returns the usual number of members: a few for a map, an object without declared ones. */
function usualSize({ builder, rules, inner }: Plan): number {
  const isMap =
    rules.names.length === 0 && (rules.describesFurther || rules.namePatterns.length > 0);
  if (!isMap || inner.isLeast || inner.room <= -1) return 0;
  return happens(builder.chance, 0.95) ? drawInteger(builder.chance, 1, 3) : 0;
}

/** Returns false when no name or no value was found. */
function addMember(plan: Plan, object: JsonObject): boolean {
  const name = drawMemberName(plan, object);
  if (name === undefined || Object.hasOwn(object, name)) return false;
  if (!isAllowed(plan, name)) return false;
  const names = [...Object.keys(object), name];
  if (closeOver(plan.rules, names).size > names.length) return false;
  const value = buildMember(plan, name, true);
  if (value === undefined) return false;
  setMember(object, name, value);
  return true;
}

/** The discriminating property of an object, and the values that it may have. */
interface Kind {
  readonly property: string;
  readonly names: readonly string[];
}

/** Returns the kind of a schema whose `allOf` includes the owner of a discriminator. */
function findKind({ builder, constraints }: Plan): Kind | undefined {
  const [root] = constraints.selection.roots;
  const owner = constraints.applied.find((entry) => propertyOf(entry) !== undefined);
  const property = owner && propertyOf(owner);
  if (root === undefined || owner === undefined || property === undefined) return undefined;
  if (owner.schema['oneOf'] !== undefined || owner.schema['anyOf'] !== undefined) return undefined;
  return { property, names: namesOf(builder.analysis.store, owner, root) };
}

function drawKind({ builder, rules }: Plan, { property, names }: Kind): string | undefined {
  const constraints = rules.member(property);
  return names.find((name) => builder.analysis.evaluator.conforms(constraints, name));
}

/** Returns a name for a member that no schema names; undefined when none was found. */
function drawMemberName({ builder, rules }: Plan, object: JsonObject): string | undefined {
  const { analysis, chance } = builder;
  const { store } = analysis;
  // A name that matches no pattern may be allowed, too.
  const pattern = happens(chance, 0.7) ? drawOne(chance, rules.namePatterns) : undefined;
  if (pattern !== undefined || rules.nameSchemas.length > 0) {
    const schema = { type: 'string', ...(pattern !== undefined && { pattern }) };
    const constraints = store.of([...rules.nameSchemas, store.space.construct(schema)]);
    const name = builder.build(constraints, { ...wishAny(), depth: 1 });
    if (typeof name === 'string' && !Object.hasOwn(object, name)) return name;
    if (rules.nameSchemas.length > 0) return undefined;
  }
  const word = slugOf(drawOne(chance, landmarks) ?? 'cedar');
  return Object.hasOwn(object, word) ? `${word}${drawInteger(chance, 2, 9999)}` : word;
}
