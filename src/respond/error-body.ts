import type { Content } from '../contract/content.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import { createSkeletons, type Skeletons } from '../contract/skeleton.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { toPath } from '../json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../json/value.ts';
import type { Violation } from '../problem.ts';
import { findExample } from './example.ts';

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
  const composers = new Map<Content, Composer>();
  const composerOf = (content: Content): Composer => {
    const known = composers.get(content);
    if (known !== undefined) return known;
    const composer = createComposer(content, createTemplate(content, skeletons));
    composers.set(content, composer);
    return composer;
  };
  return {
    compose(response, facts) {
      for (const content of response.contents) {
        if (content.mediaType.startsWith('text/')) return { content, value: facts.message };
        if (!content.isJson) continue;
        const value = composerOf(content)(facts);
        if (value !== undefined) return { content, value };
      }
      return undefined;
    },
  };
}

/** Makes a body of one content from the facts; undefined when none conforms. */
type Composer = (facts: ErrorFacts) => JsonValue | undefined;
/** Makes one value of a body from the facts. */
type Fill = (facts: ErrorFacts) => JsonValue;

/** The document's example over a skeleton of the schema: every declared property has a value. */
function createTemplate(content: Content, skeletons: Skeletons): JsonValue {
  const skeleton = skeletons.of(content.schema?.pointer);
  const example = findExample(content)?.value;
  if (example === undefined) return skeleton;
  return isJsonObject(example) && isJsonObject(skeleton) ? { ...skeleton, ...example } : example;
}

function createComposer(content: Content, template: JsonValue): Composer {
  const { schema } = content;
  if (schema === undefined) return looseBody;
  const fill = compileFill('', template, 0);
  return (facts) => {
    const filled = fill(facts);
    const violations = schema.check(filled, 'body');
    if (violations.length === 0) return filled;
    const reverted = revert(filled, template, violations);
    const candidates = [
      reverted,
      leaveOut(reverted, schema.check(reverted, 'body')),
      template,
      findExample(content)?.value,
    ];
    return candidates.find(
      (value) => value !== undefined && schema.check(value, 'body').length === 0,
    );
  };
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

const DEEPEST_FILL = 3;

/** Works out, from the names in a template, what will tell which fact; the rest stays. */
function compileFill(name: string, template: JsonValue, depth: number): Fill {
  if (typeof template === 'string') return compileText(name, template);
  if (typeof template === 'number' || typeof template === 'bigint') {
    return STATUS_NAMES.test(name) ? ({ status }) => status : () => template;
  }
  if (Array.isArray(template)) return compileList(name, template, depth);
  if (!isJsonObject(template) || depth > DEEPEST_FILL) return () => template;
  const members = Object.entries(template).map(
    ([key, value]) => [key, compileFill(key, value, depth + 1)] as const,
  );
  return (facts) => {
    const filled: JsonObject = {};
    for (const [key, fill] of members) setMember(filled, key, fill(facts));
    return filled;
  };
}

function compileText(name: string, template: string): Fill {
  // A body that is a text is the message.
  if (name === '' || MESSAGE_NAMES.test(name)) return ({ message }) => message;
  if (name === 'title') return ({ title }) => title;
  if (name === 'type') return ({ type }) => type;
  if (/^(?:status|status_?code|http_?status)$/i.test(name)) return ({ status }) => String(status);
  return NAME_NAMES.test(name) ? (facts) => facts.name : () => template;
}

/** A list of violations in the form of the template's first item. */
function compileList(name: string, items: JsonValue[], depth: number): Fill {
  const [item] = items;
  if (!LIST_NAMES.test(name) || item === undefined) return () => items;
  const fill = compileFill('', item, depth + 1);
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
  for (const key of Object.keys(filled)) {
    if (PLACE_NAMES.test(key) && typeof filled[key] === 'string') filled[key] = where;
  }
  return filled;
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

/** Without the members that nothing right is known for: they may be optional. */
function leaveOut(value: JsonValue, violations: readonly Violation[]): JsonValue {
  if (!isJsonObject(value)) return value;
  const left: JsonObject = { ...value };
  for (const { pointer } of violations) delete left[toPath(pointer)[0] ?? ''];
  return left;
}

function tail(pointer: string): Violation {
  const rest = pointer.slice(pointer.indexOf('/', 1));
  return { in: 'body', pointer: rest, keyword: '', expected: '', got: '', message: '' };
}
