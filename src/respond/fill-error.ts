import { STATUS_CODES } from 'node:http';
import { isNumber } from '../base/json/number.ts';
import { toPath } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Problem, Violation } from '../base/problem.ts';
import { once } from '../base/remember.ts';
import type { Subjects } from '../generate/value-builder.ts';
import { SchemaNode } from '../schema/schema-node.ts';
import { findGeneral, findNearest, readNames } from './nearest-error.ts';

/** The facts in an error body, whatever its schema calls them. */
export type ErrorFacts = Record<'problem' | 'title' | 'type' | 'message', string> &
  Pick<Problem, 'status' | 'violations'> & {
    /** The subject of an item of a list: a violation, or the request as a whole. */
    readonly about?: Violation | 'request';
  };

/** Returns a value with the facts; undefined where there is nothing to say. */
export type Fill = (facts: ErrorFacts) => JsonValue | undefined;

/** A part of a template, and what the document says about it. */
interface Part {
  readonly name: string;
  readonly template: JsonValue;
  readonly node: SchemaNode | undefined;
  readonly given: JsonValue | undefined;
  readonly depth: number;
  /** True if a part beside it has the message. */
  readonly isExtra: boolean;
  readonly make: MakeTemplate;
}

/** Returns a value with every property of a schema; undefined if none conforms. */
export type MakeTemplate = (pointer: string) => JsonValue | undefined;

const MESSAGE_NAMES =
  /^(?:message|msg|detail|details|description|error_?description|error_?(?:message|msg|text)|reason|issue|explanation|cause|developer_?message|user_?message|text)$/i;
const STATUS_NAMES = /^(?:error|code|status|status_?code|http_?status|http_?code|error_?code)$/i;
const NAME_NAMES = /^(?:error|code|name|error_?code|error_?type|type|kind|id)$/i;
const LIST_NAMES =
  /^(?:errors|violations|details?|issues|validation|validation_?errors|messages|invalid_?params)$/i;
const PLACE_NAMES =
  /^(?:field|path|pointer|location|loc|in|property|param|parameter|source|attribute|target)$/i;
const IN_NAMES = /^(?:location|in|source)$/i;
const VALUE_NAMES = /^(?:value|got|actual|received|rejected_?value|attempted_?value)$/i;
/** Members whose text is no sentence, although nothing in the schema says so. */
const NO_SENTENCE =
  /(?:id|uuid|at|time|timestamp|date|url|uri|link|href|instance|version|language|locale|host|trace)$/i;

/** Objects in an error body that say more about the error. */
const OF_ERROR = /error|fault|exception|problem|detail|cause|reason|info|meta|status|data|context/i;

const OTHER_NAMES = [NAME_NAMES, STATUS_NAMES, PLACE_NAMES, VALUE_NAMES, NO_SENTENCE];

const DEEPEST = 4;

/** Returns whether an error body states another status of an error than the one of its response. */
export function contradicts(body: JsonValue, status: number, depth = 0): boolean {
  if (!isJsonObject(body) || depth > DEEPEST) return false;
  return Object.entries(body).some(([name, value]) => {
    if (isJsonObject(value)) return contradicts(value, status, depth + 1);
    const stated = STATUS_NAMES.test(name) ? Number(value) : status;
    return stated >= 400 && stated < 600 && stated !== status;
  });
}

/** Compiles a template: finds which fact replaces which value; what nothing fills is left out. */
export function compileFill(
  template: JsonValue,
  node: SchemaNode | undefined,
  given: JsonValue | undefined,
  make: MakeTemplate,
): Fill {
  const part = { name: '', template, node, given, depth: 0, isExtra: false, make };
  return compile(part) ?? (() => template);
}

/** Returns undefined for a part that neither the facts nor the document fill. */
function compile(part: Part): Fill | undefined {
  const { template, given, node, depth } = part;
  const constant = node?.branches.length === 1 ? node.keyword('const') : undefined;
  if (constant !== undefined) return () => constant;
  if (isSubject(part)) return undefined;
  const known = compileUnion(part) ?? compileKnown(part);
  if (known !== undefined || isJsonObject(template)) return known;
  const said = given ?? node?.keyword('default');
  return said === undefined || depth === 0 ? undefined : () => said;
}

function compileKnown(part: Part): Fill | undefined {
  const { name, template, node, depth } = part;
  if (typeof template === 'string') return compileText(part);
  if (isNumber(template)) {
    // A body that is a number is the status.
    const isStatus = depth === 0 || STATUS_NAMES.test(name);
    return isStatus ? ({ status }) => status : undefined;
  }
  if (Array.isArray(template)) return compileList(part);
  if (!isJsonObject(template) || depth > DEEPEST) return undefined;
  if (!isMap(part)) return compileObject(part, template);
  return LIST_NAMES.test(name) && node !== undefined ? compileMap(node) : undefined;
}

/** The names in a map are made up. */
function isMap({ node, given, depth }: Part): boolean {
  return depth > 0 && node?.names.size === 0 && given === undefined;
}

/** Beside the message, an object is what the error is about: `payment_intent`. */
export const subjects: Subjects = {
  // Items have no name.
  isSubject: (name) => name !== '' && !OF_ERROR.test(name),
  isMessage: (name) => MESSAGE_NAMES.test(name),
};

function isSubject(part: Part): boolean {
  const { name, template, given, isExtra } = part;
  const isObject = isJsonObject(template) && !isMap(part);
  return isExtra && given === undefined && isObject && subjects.isSubject(name);
}

/** Compiles a union of objects: what is filled is the one that is nearest to the cause. */
function compileUnion(part: Part): Fill | undefined {
  const { node, given, template } = part;
  const branches = node?.branches ?? [];
  if (branches.length < 2 || !branches.every(({ isObject }) => isObject)) return undefined;
  const variants = branches.map((branch) => ({
    ...readNames(namesOf(branch)),
    fill: once(() => compileVariant(part, branch)),
  }));
  const usual = isJsonObject(template) ? compileObject(part, template) : undefined;
  return (facts) => {
    const nearest = findNearest(variants, facts);
    const variant = nearest ?? (given === undefined ? findGeneral(variants, facts) : undefined);
    return (variant?.fill() ?? usual)?.(facts);
  };
}

/** Compiles one branch of a union, with the members beside the union. */
function compileVariant(part: Part, branch: SchemaNode): Fill | undefined {
  const { node, given, template, make } = part;
  const own = make(branch.pointer);
  if (!isJsonObject(own)) return undefined;
  const isBeside = (name: string) => !node?.branches.some(({ names }) => names.has(name));
  const beside = Object.entries(isJsonObject(template) ? template : {}).filter(([name]) =>
    isBeside(name),
  );
  const united = beside.length === 0 ? branch : SchemaNode.unite([branch, node]);
  const isOwn =
    isJsonObject(given) && constantsOf(branch).every(([name, one]) => given[name] === one);
  const variant = { ...part, node: united, given: isOwn ? given : undefined };
  return compileObject(variant, { ...Object.fromEntries(beside), ...own });
}

/** Returns the words that say which error a schema describes: its codes, its title, its name. */
function namesOf(node: SchemaNode): readonly string[] {
  const codes = constantsOf(node).filter(
    ([name]) => NAME_NAMES.test(name) || STATUS_NAMES.test(name),
  );
  const words = codes.map(([, code]) => STATUS_CODES[Number(code)] ?? String(code));
  const schema = node.identity.slice(node.identity.lastIndexOf('/') + 1);
  return [...words, String(node.keyword('title') ?? ''), schema];
}

/** Returns the members of an object that have only one value, also of the objects in it. */
function constantsOf(node: SchemaNode, depth = 0): readonly (readonly [string, JsonValue])[] {
  return [...node.properties].flatMap(([name, member]) => {
    const values = [member.keyword('const') ?? codesOf(member)].flat();
    const [only] = values.length === 1 ? values : [];
    if (only !== undefined) return [[name, only] as const];
    return depth === 0 && member.isObject ? constantsOf(member, 1) : [];
  });
}

function compileObject({ node, given, depth, make }: Part, template: JsonObject): Fill | undefined {
  let isExtra = false;
  const partOf = (key: string): Part => ({
    name: key,
    template: template[key] ?? null,
    node: node?.property(key),
    given: isJsonObject(given) ? given[key] : undefined,
    depth: depth + 1,
    isExtra: isExtra && !isRequired(key),
    make,
  });
  const isRequired = (key: string): boolean => node?.required.has(key) === true;
  const isMessage = (key: string) => MESSAGE_NAMES.test(key) && typeof template[key] === 'string';
  const carrier = findCarrier(template, partOf);
  isExtra = carrier !== undefined || Object.keys(template).some(isMessage);
  let isKnown = depth === 0;
  const members: [string, Fill][] = [];
  for (const key of Object.keys(template)) {
    const known = key === carrier ? sayAll(key) : compile(partOf(key));
    isKnown ||= known !== undefined;
    const fill = isRequired(key) ? orElse(known, partOf(key)) : known;
    if (fill !== undefined) members.push([key, fill]);
  }
  if (!isKnown) return undefined;
  return (facts) => {
    const filled: JsonObject = {};
    for (const [key, fill] of members) {
      const value = fill(facts);
      if (value !== undefined) setMember(filled, key, value);
    }
    return filled;
  };
}

/** Fills a required part whatever it is: a text without a form of its own with a stable word. */
function orElse(known: Fill | undefined, { template, node }: Part): Fill {
  const isFree = typeof template === 'string' && node !== undefined && !isConstrained(node);
  const rest: Fill = isFree ? ({ problem }) => problem : () => template;
  return (facts) => known?.(facts) ?? rest(facts);
}

function isConstrained(node: SchemaNode): boolean {
  return ['enum', 'const', 'pattern', 'format'].some((one) => node.keyword(one) !== undefined);
}

/** Returns the text that has to contain the message, because no other member does. */
function findCarrier(template: JsonObject, partOf: (key: string) => Part): string | undefined {
  const names = Object.keys(template);
  const mayTell = (name: string): boolean =>
    MESSAGE_NAMES.test(name) || (typeof template[name] === 'object' && template[name] !== null);
  if (names.some(mayTell)) return undefined;
  const texts = names.filter((name) => typeof template[name] === 'string');
  const isFree = (name: string): boolean => {
    const { node } = partOf(name);
    return node === undefined || !isConstrained(node);
  };
  const isOther = (name: string): boolean =>
    partOf(name).given === undefined && !OTHER_NAMES.some((names) => names.test(name));
  const named = ['title', 'error'].filter((name) => texts.includes(name));
  return [...named, ...texts.filter(isOther)].find(isFree);
}

function sayAll(name: string): Fill {
  return ({ title, message }) => (name === 'title' ? `${title}: ${message}` : message);
}

function compileText({ name, node, given }: Part): Fill | undefined {
  // A body that is a string is the message.
  if (name === '' || MESSAGE_NAMES.test(name)) return ({ message }) => message;
  if (name === 'title') return ({ title }) => title;
  if (name === 'type' && codesOf(node).length === 0) return ({ type }) => type;
  if (/^(?:status|status_?code|http_?status)$/i.test(name)) return ({ status }) => String(status);
  if (PLACE_NAMES.test(name)) return ({ about }) => about && placeOf(about, name, node);
  if (VALUE_NAMES.test(name)) return ({ about }) => (about === 'request' ? undefined : about?.got);
  return NAME_NAMES.test(name) ? compileCode(node, given) : undefined;
}

/** Names the part of the request: with its location, where the name does not ask for that alone. */
function placeOf(about: Violation | 'request', name: string, node?: SchemaNode): string {
  const isAlone = node?.keyword('enum') !== undefined && IN_NAMES.test(name);
  if (about === 'request') return isAlone ? 'body' : about;
  return isAlone ? about.in : `${about.in}${about.pointer}`;
}

/** Returns the name of the problem, or the code of an enumeration that is nearest to it. */
function compileCode(node: SchemaNode | undefined, given: JsonValue | undefined): Fill {
  const codes = codesOf(node).map((value) => ({ value, ...readNames([String(value)]) }));
  if (codes.length === 0) return ({ problem }) => problem;
  return (facts) => {
    const nearest = findNearest(codes, facts)?.value;
    return nearest ?? given ?? (findGeneral(codes, facts) ?? codes[0])?.value;
  };
}

/** Returns the values of an enumeration, or of a union of constants; none for another schema. */
function codesOf(node: SchemaNode | undefined): readonly JsonValue[] {
  const values = node?.keyword('enum');
  if (Array.isArray(values)) return values;
  return node?.branches.flatMap(({ constant }) => constant ?? []) ?? [];
}

/** Compiles a list of violations in the form of the template's first item. */
function compileList(part: Part): Fill | undefined {
  const { name, template, node, given, depth, isExtra } = part;
  const [item] = Array.isArray(template) ? template : [];
  if (item === undefined) return undefined;
  // Such as `loc: ["body", "name"]`.
  if (PLACE_NAMES.test(name) && typeof item === 'string') {
    return ({ about }) =>
      about && (about === 'request' ? [about] : [about.in, ...toPath(about.pointer)]);
  }
  if (!LIST_NAMES.test(name) && depth > 0) return undefined;
  const [first] = Array.isArray(given) ? given : [];
  const own = { ...part, name: '', template: item, node: node?.items, given: first };
  const isOpen = isJsonObject(item) && Object.keys(item).length === 0;
  const rest: Fill = isOpen ? ({ message }) => ({ message }) : () => item;
  const fill = compile({ ...own, depth: depth + 1 }) ?? rest;
  return (facts) => {
    if (facts.violations.length > 0) {
      return facts.violations.map(
        (about) => fill({ ...facts, message: about.message, about }) ?? item,
      );
    }
    return isExtra ? undefined : [fill({ ...facts, about: 'request' }) ?? item];
  };
}

/** Compiles an object whose members are named after what is wrong: `{"name": ["is missing"]}`. */
function compileMap(node: SchemaNode): Fill {
  const isList = node.additional?.isArray === true;
  return ({ message, violations }) => {
    const map: JsonObject = {};
    const all = violations.map((one) => [toPath(one.pointer).join('.') || one.in, one.message]);
    for (const [name = '', text = ''] of all.length === 0 ? [['request', message]] : all) {
      const before = map[name];
      if (!isList) setMember(map, name, text);
      else setMember(map, name, [...(Array.isArray(before) ? before : []), text]);
    }
    return map;
  };
}
