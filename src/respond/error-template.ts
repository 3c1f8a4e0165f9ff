import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Violation } from '../base/problem.ts';

/** The facts in an error body, whatever its schema calls them. */
export interface ErrorFacts {
  readonly status: number;
  readonly title: string;
  /** A stable name, for programs. */
  readonly name: string;
  readonly type: string;
  readonly message: string;
  readonly violations: readonly Violation[];
}

export type Fill = (facts: ErrorFacts) => JsonValue;

const MESSAGE_NAMES =
  /^(?:message|msg|detail|details|description|error_?description|error_?message|reason|developer_?message|user_?message|text)$/i;
const STATUS_NAMES = /^(?:error|code|status|status_?code|http_?status|http_?code|error_?code)$/i;
const NAME_NAMES = /^(?:error|code|name|error_?code|type|kind|id)$/i;
const LIST_NAMES = /^(?:errors|violations|details|issues|validation|messages|invalid_?params)$/i;
const PLACE_NAMES = /^(?:field|path|pointer|location|loc|property|param|parameter|source)$/i;

const DEEPEST_FILL = 3;

/** Compiles a template: finds by the names of its members which fact replaces which value. */
export function compileFill(template: JsonValue, name = '', depth = 0): Fill {
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
  return NAME_NAMES.test(name) ? (facts) => facts.name : () => template;
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
