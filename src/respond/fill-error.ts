import { STATUS_CODES } from 'node:http';
import { isNumber } from '../base/json/number.ts';
import { toPath } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Problem, Violation } from '../base/problem.ts';
import type { SchemaNode } from '../schema/schema-node.ts';

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
  /** A value of the form that the part has. */
  readonly template: JsonValue;
  readonly node: SchemaNode | undefined;
  /** The value in the document's example. */
  readonly given: JsonValue | undefined;
  readonly depth: number;
  /** True if a part beside it has the message. */
  readonly isExtra: boolean;
}

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

/**
 * Compiles a template: finds by the names of its members which fact replaces which value. Optional
 * members that neither the facts nor the document fill are left out.
 */
export function compileFill(
  template: JsonValue,
  node: SchemaNode | undefined,
  given: JsonValue | undefined,
): Fill {
  const part = { name: '', template, node, given, depth: 0, isExtra: false };
  return compile(part) ?? (() => template);
}

/** Returns undefined for a part that neither the facts nor the document fill. */
function compile(part: Part): Fill | undefined {
  const { template, given, node, depth } = part;
  const known = compileKnown(part);
  if (known !== undefined || isJsonObject(template)) return known;
  const said = given ?? node?.keyword('const') ?? node?.keyword('default');
  return said === undefined || depth === 0 ? undefined : () => said;
}

function compileKnown(part: Part): Fill | undefined {
  const { name, template, node, given, depth, isExtra } = part;
  if (typeof template === 'string') return compileText(part);
  if (isNumber(template)) {
    // A body that is a number is the status.
    const isStatus = depth === 0 || STATUS_NAMES.test(name);
    return isStatus ? ({ status }) => status : undefined;
  }
  if (Array.isArray(template)) return compileList(part);
  if (!isJsonObject(template) || depth > DEEPEST) return undefined;
  // The names in a map are made up.
  const isMap = depth > 0 && node?.names.size === 0 && given === undefined;
  // Beside the message, an object is what the error is about: `payment_intent`. Items have no name.
  const isNamed = name !== '' && !OF_ERROR.test(name);
  const isSubject = isExtra && given === undefined && isNamed;
  if (!isMap) return isSubject ? undefined : compileObject(part, template);
  return LIST_NAMES.test(name) ? compileMap(node) : undefined;
}

function compileObject({ node, given, depth }: Part, template: JsonObject): Fill | undefined {
  let isExtra = false;
  const partOf = (key: string): Part => ({
    name: key,
    template: template[key] ?? null,
    node: node?.property(key),
    given: isJsonObject(given) ? given[key] : undefined,
    depth: depth + 1,
    isExtra: isExtra && !isRequired(key),
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
  if (name === 'type' && node?.keyword('enum') === undefined) return ({ type }) => type;
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

/** Returns the name of the problem, or the value of an enumeration that is nearest to it. */
function compileCode(node: SchemaNode | undefined, given: JsonValue | undefined): Fill {
  const codes = node?.keyword('enum');
  if (!Array.isArray(codes)) return ({ problem }) => problem;
  return ({ problem, status }) => {
    const words = [problem, STATUS_CODES[status] ?? '', ...(SYNONYMS[status] ?? [])].map(toWord);
    const fits = (code: JsonValue): boolean => {
      const word = typeof code === 'string' ? toWord(code) : '';
      return word !== '' && words.some((one) => one.includes(word) || word.includes(one));
    };
    const isOfClient = (code: JsonValue) =>
      status < 500 && /invalid|request|client/i.test(String(code));
    return codes.find(fits) ?? given ?? codes.find(isOfClient) ?? codes.find(isGeneral) ?? codes[0];
  };
}

const SYNONYMS: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid', 'bad'],
  401: ['unauthenticated', 'authentication', 'token'],
  402: ['payment', 'card', 'billing', 'quota', 'credit'],
  403: ['access denied', 'permission'],
  404: ['missing', 'no such'],
  409: ['exists', 'duplicate'],
  413: ['too large'],
  415: ['media type'],
  422: ['validation', 'invalid', 'bad request'],
  429: ['rate limit', 'throttl'],
  500: ['internal', 'server error'],
  503: ['unavailable'],
};

function isGeneral(code: JsonValue): boolean {
  return typeof code === 'string' && /invalid|error|bad|unknown|general|other/i.test(code);
}

function toWord(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z]/g, '');
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
