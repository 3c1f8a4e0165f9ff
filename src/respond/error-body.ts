import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Problem, Violation } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import type { Content } from '../contract/content.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { Generator } from '../generate/generator.ts';
import { rankMediaTypes } from '../http/media-type.ts';
import { revert } from './conform/repair.ts';
import { findExample } from './example.ts';

/** Composes error bodies from the schemas that a document declares. */
export class ErrorBodies {
  readonly #composers = new Map<Content, Composer>();
  readonly #generator: Generator;

  /** @param generator generates what neither the facts nor the document's examples give */
  constructor(generator: Generator) {
    this.#generator = generator;
  }

  /**
   * @param accept the request's Accept: media types that it does not admit come last
   * @returns a body that conforms; undefined if none can be composed
   */
  compose({ contents }: DeclaredResponse, facts: ErrorFacts, accept?: string) {
    for (const content of orderByAccept(contents, accept)) {
      const make = (): Composer => createComposer(content, this.#generator);
      const value = remember(this.#composers, content, make)(facts);
      if (value !== undefined) return { content, value };
    }
    return undefined;
  }
}

function orderByAccept(contents: readonly Content[], accept?: string): readonly Content[] {
  if (contents.length < 2) return contents;
  const ranked = rankMediaTypes(
    accept,
    contents.map(({ sentAs }) => sentAs),
  );
  const admitted = ranked.flatMap(
    (mediaType) => contents.find(({ sentAs }) => sentAs === mediaType) ?? [],
  );
  // A media type without a schema, such as an image, comes last.
  return [...new Set([...admitted, ...contents])].sort(
    (one, other) => Number(other.isValidated) - Number(one.isValidated),
  );
}

/** Composes the body of one media type; undefined if none conforms. */
type Composer = (facts: ErrorFacts) => JsonValue | undefined;

function createComposer(content: Content, generator: Generator): Composer {
  const { schema } = content;
  const example = findExample(content)?.value;
  if (schema === undefined && example === undefined) return looseComposer(content);
  const template = createTemplate(content, example, generator);
  const fill = compileFill(template);
  const check = (value: JsonValue) => schema?.check(value, 'body') ?? [];
  return (facts) => {
    const full = fillAndCheck(fill, check, escapeMessage(facts, content));
    if (schema === undefined || full.violations.length === 0) return full.value;
    const short = fillAndCheck(fill, check, shorten(escapeMessage(facts, content)));
    const best = short.violations.length < full.violations.length ? short : full;
    if (best.violations.length === 0) return best.value;
    const reverted = revert(schema, best.value, template);
    const candidates = reverted === undefined ? [template, example] : [reverted];
    const found = candidates.find((value) => value !== undefined && check(value).length === 0);
    return found ?? generator.generateMinimal(schema.pointer);
  };
}

/** Returns the document's example with all further properties of the schema. */
function createTemplate({ schema }: Content, example: JsonValue | undefined, generator: Generator) {
  const full = schema && generator.generateFull(schema.pointer);
  if (example === undefined) return full ?? {};
  return isJsonObject(example) && isJsonObject(full) ? { ...full, ...example } : example;
}

type Check = (value: JsonValue) => readonly Violation[];

function fillAndCheck(fill: Fill, check: Check, facts: ErrorFacts) {
  const value = fill(facts);
  return { value, violations: check(value) };
}

/** Composes a body if the document allows anything: problem details (RFC 9457 §3.1), or text. */
function looseComposer(content: Content): Composer {
  const isObject = content.isJson || /[/+]xml\b/i.test(content.mediaType);
  if (!isObject) return (facts) => escapeMessage(facts, content).message;
  return ({ status, title, type, message }) => ({ type, title, status, detail: message });
}

/** Escapes the message in HTML, because it repeats what the client sent (CWE-79). */
function escapeMessage(facts: ErrorFacts, { mediaType }: Content): ErrorFacts {
  if (!/^text\/html\b/i.test(mediaType)) return facts;
  const message = facts.message.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  return { ...facts, message };
}

const SHORT = 60;

/** Shortens the facts for a schema that limits the message or the violations. */
function shorten(facts: ErrorFacts): ErrorFacts {
  const [first] = facts.violations;
  const message = first?.message ?? facts.message;
  return {
    ...facts,
    message: message.length > SHORT ? `${message.slice(0, SHORT - 1)}…` : message,
    violations: first === undefined ? [] : [first],
  };
}

/** The facts in an error body, whatever its schema calls them. */
export type ErrorFacts = Record<'problem' | 'title' | 'type' | 'message', string> &
  Pick<Problem, 'status' | 'violations'>;

type Fill = (facts: ErrorFacts) => JsonValue;

const MESSAGE_NAMES =
  /^(?:message|msg|detail|details|description|error_?description|error_?message|reason|developer_?message|user_?message|text)$/i;
const STATUS_NAMES = /^(?:error|code|status|status_?code|http_?status|http_?code|error_?code)$/i;
const NAME_NAMES = /^(?:error|code|name|error_?code|type|kind|id)$/i;
const LIST_NAMES = /^(?:errors|violations|details|issues|validation|messages|invalid_?params)$/i;
const PLACE_NAMES = /^(?:field|path|pointer|location|loc|property|param|parameter|source)$/i;

const DEEPEST_FILL = 3;

/** Compiles a template: finds by the names of its members which fact replaces which value. */
function compileFill(template: JsonValue, name = '', depth = 0): Fill {
  if (typeof template === 'string') return compileText(name, template);
  if (typeof template === 'number' || typeof template === 'bigint') {
    // A body that is a number is the status.
    const isStatus = depth === 0 || STATUS_NAMES.test(name);
    return isStatus ? ({ status }) => status : () => template;
  }
  if (Array.isArray(template)) return compileList(name, template, depth);
  if (!isJsonObject(template) || depth > DEEPEST_FILL) return () => template;
  const members = Object.entries(template).map(
    ([key, value]) =>
      [key, hasOnlyTitle(template, key) ? sayAll : compileFill(value, key, depth + 1)] as const,
  );
  return (facts) => {
    const filled: JsonObject = {};
    for (const [key, fill] of members) setMember(filled, key, fill(facts));
    return filled;
  };
}

/** Returns true if the title has to contain the message, because no other member does. */
function hasOnlyTitle(template: JsonObject, key: string): boolean {
  const isText = key === 'title' && typeof template[key] === 'string';
  return isText && !Object.keys(template).some((name) => MESSAGE_NAMES.test(name));
}

function sayAll({ title, message }: ErrorFacts): string {
  return `${title}: ${message}`;
}

function compileText(name: string, template: string): Fill {
  // A body that is a string is the message.
  if (name === '' || MESSAGE_NAMES.test(name)) return ({ message }) => message;
  if (name === 'title') return ({ title }) => title;
  if (name === 'type') return ({ type }) => type;
  if (/^(?:status|status_?code|http_?status)$/i.test(name)) return ({ status }) => String(status);
  return NAME_NAMES.test(name) ? ({ problem }) => problem : () => template;
}

/** Compiles a list of violations in the form of the template's first item. */
function compileList(name: string, items: JsonValue[], depth: number): Fill {
  const [item] = items;
  if (!LIST_NAMES.test(name) || item === undefined) return () => items;
  const fill = compileFill(item, '', depth + 1);
  return (facts) => {
    if (facts.violations.length === 0) return [place(fill(facts), 'request')];
    return facts.violations.map((violation) => {
      const filled = fill({ ...facts, message: violation.message });
      return place(filled, `${violation.in}${violation.pointer}`);
    });
  };
}

function place(filled: JsonValue, where: string): JsonValue {
  if (!isJsonObject(filled)) return filled;
  const placed: JsonObject = { ...filled };
  for (const key of Object.keys(placed)) {
    if (PLACE_NAMES.test(key) && typeof placed[key] === 'string') placed[key] = where;
  }
  return placed;
}
