import { STATUS_CODES } from 'node:http';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';
import { remember } from '../base/remember.ts';
import type { Content } from '../contract/content.ts';
import type { Contract } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { Generator } from '../generate/generator.ts';
import { escapeHtml } from '../http/html.ts';
import { rankMediaTypes } from '../http/media-type.ts';
import { revert } from './conform/repair.ts';
import { findExample } from './example.ts';
import { compileFill, type ErrorFacts, type Fill, subjects } from './fill-error.ts';

interface BodyMaterial {
  readonly contract: Pick<Contract, 'schemas'>;
  /** Generates what neither the facts nor the document's examples give. */
  readonly generator: Generator;
}

/** Returns what an error body says that somebody asked for by its status. */
export function factsOf(status: number, message: string): ErrorFacts {
  const title = STATUS_CODES[status] ?? message;
  const problem = title.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return { status, title, problem, type: 'about:blank', message, violations: [] };
}

export type ErrorBodies = ReturnType<typeof createErrorBodies>;

/** Returns the composer of error bodies by the schemas that a document declares. */
export function createErrorBodies(material: BodyMaterial) {
  const composers = new Map<Content, Composer>();
  /** By media type and schema: most operations share the schema of their errors. */
  const shared = new Map<string, Composer>();
  const composerOf = (content: Content): Composer => {
    const { schema, mediaType } = content;
    const example = findExample(content)?.value;
    const make = (): Composer => createComposer(content, example, material);
    const target = material.contract.schemas.nodes.at(schema?.pointer)?.target;
    if (target === undefined || example !== undefined) return make();
    return remember(shared, `${mediaType} ${target.pointer}`, make);
  };
  return {
    /**
     * @param accept the request's Accept: media types that it does not admit come last
     * @returns a body that conforms; undefined if none can be composed
     */
    compose({ contents }: Pick<DeclaredResponse, 'contents'>, facts: ErrorFacts, accept?: string) {
      for (const content of orderByAccept(contents, accept)) {
        const value = remember(composers, content, () => composerOf(content))(facts);
        if (value !== undefined) return { content, value };
      }
      return undefined;
    },
  };
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

function createComposer(
  content: Content,
  example: JsonValue | undefined,
  { contract, generator }: BodyMaterial,
): Composer {
  const { schema } = content;
  if (schema === undefined && example === undefined) return looseComposer(content);
  const template = createTemplate(content, example, generator);
  const isOpen = isJsonObject(template) && Object.keys(template).length === 0;
  const node = contract.schemas.nodes.at(schema?.pointer);
  const make = (pointer: string) => generator.generateFull(pointer, subjects);
  const fill = isOpen ? looseComposer(content) : compileFill(template, node, example, make);
  const check = (value: JsonValue) => schema?.check(value, 'body') ?? [];
  const makeSafe = createEscape(content);
  return (facts) => {
    const full = fillAndCheck(fill, check, makeSafe(facts));
    if (schema === undefined || full.violations.length === 0) return full.value;
    const short = fillAndCheck(fill, check, shorten(makeSafe(facts)));
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
  const full = schema && generator.generateFull(schema.pointer, subjects);
  if (example === undefined) return full ?? {};
  return isJsonObject(example) && isJsonObject(full) ? { ...full, ...example } : example;
}

type Check = (value: JsonValue) => readonly Violation[];

function fillAndCheck(fill: Fill, check: Check, facts: ErrorFacts) {
  const value = fill(facts) ?? facts.message;
  return { value, violations: check(value) };
}

/** Composes a body if the document allows anything: problem details (RFC 9457 §3.1), or text. */
function looseComposer(content: Content): Composer {
  const isObject = content.isJson || /[/+]xml\b/i.test(content.mediaType);
  const makeSafe = createEscape(content);
  if (!isObject) return (facts) => makeSafe(facts).message;
  return ({ status, title, type, message }) => ({ type, title, status, detail: message });
}

/** Returns what escapes the message in HTML, because it repeats what the client sent. */
function createEscape({ mediaType }: Content): (facts: ErrorFacts) => ErrorFacts {
  if (!/^text\/html\b/i.test(mediaType)) return (facts) => facts;
  return (facts) => ({ ...facts, message: escapeHtml(facts.message) });
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
