import { createRequire } from 'node:module';
import type { Context, Liquid } from 'liquidjs';
import { stringifyJson } from '../../base/json/stringify.ts';
import {
  containsExactNumber,
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import { once } from '../../base/remember.ts';
import type { FilePlace } from '../../document/source-document.ts';

/** A compiled text with expressions. */
export interface Template {
  /** Returns the text; for a text that is just one expression, the value of the expression. */
  render(scope: TemplateScope): JsonValue;
}

export interface TemplateScope {
  readonly request: JsonObject;
  readonly session: string;
  readonly call: number;
  /** RFC 3339, by the session's clock. */
  readonly now: string;
}

/** Compiles a template that reads its variables and nothing else; throws for any other text. */
export type TemplateEngine = (text: string) => Template;

/** More than any response needs, and less than would delay the next request. */
const RENDER_MILLISECONDS = 200;
const RENDER_MEMORY = 10_000_000;
/** An item of a list that a filter takes counts as so many characters. */
const ITEM_MEMORY = 100;
const LONGEST_TEMPLATE = 1_000_000;

/**
 * Creates an engine for templates in Liquid, which runs no code: it has no files, sees own members
 * only, and has limits. It is loaded when a rule has a template, as most have none.
 */
export function createTemplateEngine(): TemplateEngine {
  const engine = once(loadEngine);
  return (text) => engine()(text);
}

function loadEngine(): TemplateEngine {
  const { Liquid: Engine, Context: EngineContext } = createRequire(import.meta.url)(
    'liquidjs',
  ) as typeof import('liquidjs');
  const engine = new Engine({
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    renderLimit: RENDER_MILLISECONDS,
    memoryLimit: RENDER_MEMORY,
    parseLimit: LONGEST_TEMPLATE,
    // The same text on every machine.
    timezoneOffset: 0,
    locale: 'en-US',
  });
  for (const tag of FILE_TAGS) delete engine.tags[tag];
  writeExactly(engine);
  bindFilters(engine);
  // The texts of one response share its limits, but not their variables.
  const roots = new WeakMap<TemplateScope, Context>();
  const openContext = (scope: TemplateScope): Context => {
    const root = roots.get(scope) ?? new EngineContext({}, engine.options);
    roots.set(scope, root);
    return root.spawn({ ...scope });
  };
  return (text) => {
    const parsed = engine.parse(text);
    const [, expression] = ONE_EXPRESSION.exec(text) ?? [];
    if (expression === undefined) {
      return { render: (scope) => bound(String(engine.renderSync(parsed, openContext(scope)))) };
    }
    return { render: (scope) => toJson(engine.evalValueSync(expression, openContext(scope))) };
  };
}

/** Tags that read other templates from files. */
const FILE_TAGS = ['include', 'render', 'layout', 'block'];

/** Counts the items that filters take; dates are the session's, and nothing is random. */
function bindFilters(engine: Liquid): void {
  delete engine.filters['sample'];
  for (const [name, filter] of Object.entries(engine.filters)) {
    if (typeof filter !== 'function') continue;
    const isDate = /^date(?:_|$)/.test(name);
    engine.registerFilter(name, function (value: unknown, ...rest: unknown[]) {
      // The time is not checked before a filter ends, and one that sorts or selects is slow.
      if (Array.isArray(value)) this.context.memoryLimit.use(value.length * ITEM_MEMORY);
      const isNow = isDate && (value === 'now' || value === 'today');
      return filter.call(this, isNow ? this.context.getSync(['now']) : value, ...rest);
    });
  }
}

/** Replaces the filters that write JSON by ones that keep all digits of numbers. */
function writeExactly(engine: Liquid): void {
  for (const name of ['json', 'jsonify', 'inspect']) {
    engine.registerFilter(name, (value: unknown, space: unknown) => {
      const json = toJson(value);
      const isSpaced = typeof space === 'number' && !containsExactNumber(json);
      return isSpaced ? JSON.stringify(json, undefined, space) : stringifyJson(json);
    });
  }
}

const ONE_EXPRESSION = /^\s*\{\{-?((?:(?!\{\{|\}\}|\{%)[\s\S])+?)-?\}\}\s*$/;

/** Checks the length of the output, which the limits of the engine do not count. */
function bound(text: string): string {
  if (text.length <= RENDER_MEMORY) return text;
  throw new Error(`it renders more than ${RENDER_MEMORY} characters`);
}

/** Returns a value of the engine as JSON; other values as the text that the engine writes. */
function toJson(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      return value === null ? null : objectToJson(value);
    default:
      return null;
  }
}

function objectToJson(value: object): JsonValue {
  if (value instanceof Decimal) return value;
  if (Array.isArray(value)) return value.map(toJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) {
    const members: JsonObject = {};
    for (const [name, member] of Object.entries(value)) setMember(members, name, toJson(member));
    return members;
  }
  const inner: unknown = value.valueOf();
  return inner === value ? String(value) : toJson(inner);
}

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** Fills in a value in which some texts are templates. */
export type ValueTemplate = (render: (template: Template) => JsonValue) => JsonValue;

export function compileText(place: FilePlace, text: string, engine: TemplateEngine): Template {
  try {
    return engine(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw place.fail(`the template cannot be read: ${reason}`, 'It is written in Liquid.');
  }
}

/** Compiles every text of a value; the names of members stay the same. */
export function compileTexts(
  at: FilePlace,
  value: JsonValue,
  engine: TemplateEngine,
): ValueTemplate {
  if (typeof value === 'string') {
    if (!isTemplate(value)) return () => value;
    const template = compileText(at, value, engine);
    return (render) => render(template);
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => compileTexts(at.at(index), item, engine));
    return (render) => items.map((item) => item(render));
  }
  if (!isJsonObject(value)) return () => value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, compileTexts(at.at(name), member, engine)] as const,
  );
  return (render) => {
    const filled: JsonObject = {};
    for (const [name, member] of members) setMember(filled, name, member(render));
    return filled;
  };
}
