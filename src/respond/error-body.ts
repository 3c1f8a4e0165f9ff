import type { Content } from '../contract/content.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { toPath } from '../json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Violation } from '../problem.ts';
import { findExample } from './example.ts';
import { createSkeletons, type Skeletons } from './skeleton.ts';

/** What an error body has to tell, whatever its schema calls it. */
export interface ErrorFacts {
  readonly status: number;
  readonly title: string;
  /** A stable name, for programs. */
  readonly name: string;
  readonly type: string;
  /** For a person. */
  readonly message: string;
  readonly violations: readonly Violation[];
}

export interface ComposedBody {
  readonly content: Content;
  readonly value: JsonValue;
}

/** Builds error bodies of any document from the schemas that it declares. */
export interface ErrorBodies {
  /** @returns a body that conforms; undefined when the response declares none that can be made */
  compose(response: DeclaredResponse, facts: ErrorFacts): ComposedBody | undefined;
}

export function createErrorBodies(document: OpenAPIDocument): ErrorBodies {
  const skeletons = createSkeletons(document);
  const templates = new Map<Content, JsonValue>();
  const templateOf = (content: Content): JsonValue => {
    const known = templates.get(content);
    if (known !== undefined) return known;
    const template = createTemplate(content, skeletons);
    templates.set(content, template);
    return template;
  };
  return {
    compose(response, facts) {
      for (const content of response.contents) {
        if (content.mediaType.startsWith('text/')) return { content, value: facts.message };
        if (!content.isJson) continue;
        const value = conformingBody(content, templateOf(content), facts);
        if (value !== undefined) return { content, value };
      }
      return undefined;
    },
  };
}

/** The document's example over a skeleton of the schema: every declared property has a value. */
function createTemplate(content: Content, skeletons: Skeletons): JsonValue {
  const skeleton = skeletons.of(content.schema?.pointer);
  const example = findExample(content)?.value;
  if (example === undefined) return skeleton;
  return isJsonObject(example) && isJsonObject(skeleton) ? { ...skeleton, ...example } : example;
}

function conformingBody(
  content: Content,
  template: JsonValue,
  facts: ErrorFacts,
): JsonValue | undefined {
  const check = (value: JsonValue) => content.schema?.check(value, 'body') ?? [];
  const filled = content.schema === undefined ? looseBody(facts) : fill(template, facts);
  const violations = check(filled);
  if (violations.length === 0) return filled;
  const mended = revert(filled, template, violations);
  if (check(mended).length === 0) return mended;
  const example = findExample(content)?.value;
  return [template, example].find((value) => value !== undefined && check(value).length === 0);
}

/** Where the document allows anything, the shape that tools know (RFC 9457 §3.1). */
function looseBody({ status, title, type, message }: ErrorFacts): JsonObject {
  return { type, title, status, detail: message };
}

const MESSAGE_NAMES =
  /^(?:message|msg|detail|details|description|error_?description|error_?message|reason|developer_?message|user_?message|text)$/i;
const STATUS_NAMES = /^(?:error|code|status|status_?code|http_?status|http_?code|error_?code)$/i;
const NAME_NAMES = /^(?:error|code|name|error_?code|type|kind|id)$/i;
const LIST_NAMES = /^(?:errors|violations|details|issues|validation|messages|invalid_?params)$/i;
const PLACE_NAMES = /^(?:field|path|pointer|location|loc|property|param|parameter|source)$/i;

/** A copy of the template in which the fields that errors usually have tell the facts. */
function fill(template: JsonValue, facts: ErrorFacts, depth = 0): JsonValue {
  if (!isJsonObject(template)) return typeof template === 'string' ? facts.message : template;
  const filled: JsonObject = {};
  for (const [name, value] of Object.entries(template)) {
    filled[name] = fillMember(name, value, facts, depth);
  }
  return filled;
}

const DEEPEST_FILL = 3;

function fillMember(name: string, value: JsonValue, facts: ErrorFacts, depth: number): JsonValue {
  if (typeof value === 'string') return fillText(name, value, facts);
  if (typeof value === 'number' || typeof value === 'bigint') {
    return STATUS_NAMES.test(name) ? facts.status : value;
  }
  if (Array.isArray(value)) return fillList(name, value, facts);
  return depth < DEEPEST_FILL && isJsonObject(value) ? fill(value, facts, depth + 1) : value;
}

function fillText(name: string, value: string, facts: ErrorFacts): string {
  if (MESSAGE_NAMES.test(name)) return facts.message;
  if (name === 'title') return facts.title;
  if (name === 'type') return facts.type;
  if (/^(?:status|status_?code|http_?status)$/i.test(name)) return String(facts.status);
  return NAME_NAMES.test(name) ? facts.name : value;
}

/** A list of violations in the form of the template's first item. */
function fillList(name: string, items: JsonValue[], facts: ErrorFacts): JsonValue {
  const [item] = items;
  if (!LIST_NAMES.test(name) || item === undefined) return items;
  if (facts.violations.length === 0) return [fill(item, facts)];
  return facts.violations.map((violation) => {
    if (!isJsonObject(item)) return typeof item === 'string' ? violation.message : item;
    const filled = fill(item, { ...facts, message: violation.message });
    if (!isJsonObject(filled)) return filled;
    for (const key of Object.keys(filled)) {
      if (PLACE_NAMES.test(key) && typeof filled[key] === 'string') {
        filled[key] = `${violation.in}${violation.pointer}`;
      }
    }
    return filled;
  });
}

/** Takes back what the schema does not allow: an `enum` of codes, say, keeps the template's. */
function revert(
  filled: JsonValue,
  template: JsonValue,
  violations: readonly Violation[],
): JsonValue {
  if (!isJsonObject(filled) || !isJsonObject(template)) return template;
  const mended: JsonObject = { ...filled };
  for (const { pointer } of violations) {
    const [name] = toPath(pointer);
    if (name === undefined) continue;
    const original = getMember(template, name);
    const nested = mended[name];
    if (original === undefined) delete mended[name];
    else if (toPath(pointer).length > 1 && isJsonObject(nested)) {
      mended[name] = revert(nested, original, [tail(pointer)]);
    } else mended[name] = original;
  }
  return mended;
}

function tail(pointer: string): Violation {
  const rest = pointer.slice(pointer.indexOf('/', 1));
  return { in: 'body', pointer: rest, keyword: '', expected: '', got: '', message: '' };
}
