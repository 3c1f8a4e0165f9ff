import type { Match, ParameterValue } from '../contract/operation-request.ts';
import type { Parameter } from '../contract/parameters.ts';
import { decodePercent } from '../http/percent.ts';
import { toPointer } from '../json/pointer.ts';
import { type Pair, splitCookies, splitPairs } from '../media/pairs.ts';
import { readFromPairs } from '../media/query-reading.ts';
import { type Reading, readText, StyleFault } from '../media/style.ts';
import { Problem, type ViolationLocation } from '../problem.ts';

const NONE: readonly ParameterValue[] = [];

/** @returns each declared parameter with its value, or with what is wrong with how it is written */
export function decodeParameters(match: Match): readonly ParameterValue[] {
  const { parameters } = match.operation;
  if (parameters.length === 0) return NONE;
  const texts = new ParameterTexts(match);
  return parameters.map((parameter) => {
    const reading = read(parameter, texts);
    const { name, in: location } = parameter;
    if (!(reading instanceof StyleFault)) return { name, in: location, value: reading };
    return { name, in: location, value: undefined, fault: toViolation(parameter, reading) };
  });
}

/** The texts that came; query and cookies are taken apart once, if at all. */
class ParameterTexts {
  readonly match: Match;
  #query: readonly Pair[] | undefined;
  #cookies: readonly Pair[] | undefined;

  constructor(match: Match) {
    this.match = match;
  }

  get query(): readonly Pair[] {
    this.#query ??= splitPairs(this.match.query);
    return this.#query;
  }

  get cookies(): readonly Pair[] {
    this.#cookies ??= splitCookies(this.match.request.fields.get('cookie'));
    return this.#cookies;
  }
}

/** @returns undefined for a parameter that did not come */
function read(parameter: Parameter, texts: ParameterTexts): Reading | undefined {
  const { in: location, name, content, serialization, claimed } = parameter;
  switch (location) {
    case 'path':
    case 'header': {
      const text = textOf(parameter, texts);
      if (text === undefined) return undefined;
      return content === undefined ? readText(text, serialization) : readContent(text, parameter);
    }
    case 'querystring': {
      const { query } = texts.match;
      return query === '' ? undefined : readContent(query, parameter);
    }
    case 'query':
    case 'cookie': {
      const pairs = location === 'query' ? texts.query : texts.cookies;
      if (content !== undefined) return readContentPair(pairs, parameter);
      if (parameter.allowEmptyValue && isEmpty(pairs, name)) return '';
      return readFromPairs(pairs, serialization, claimed);
    }
  }
}

function textOf({ in: location, name }: Parameter, { match }: ParameterTexts): string | undefined {
  if (location === 'path') return match.rawPathParameters.get(name);
  return match.request.fields.get(name.toLowerCase());
}

function isEmpty(pairs: readonly Pair[], name: string): boolean {
  const own = pairs.filter((pair) => pair.name === name);
  return own.length > 0 && own.every(({ value }) => value === '');
}

function readContentPair(pairs: readonly Pair[], parameter: Parameter): Reading | undefined {
  const texts = pairs.filter(({ name }) => name === parameter.name);
  const [text] = texts;
  if (text === undefined) return undefined;
  if (texts.length > 1) return new StyleFault('come once', `${texts.length} values`);
  return readContent(text.value, parameter);
}
