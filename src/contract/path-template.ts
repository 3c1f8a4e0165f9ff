import { readQuery } from '../http/query.ts';

/**
 * A segment of a path template with its parameters, such as `{id}.json`.
 *
 * It matches as `^(.+?)\.json$` does: each value is as short as possible, and not empty. A regular
 * expression would backtrack, and a client chooses the segment.
 */
export class TemplateSegment {
  readonly names: readonly string[];
  /** The text before, between and after the parameters: one more than there are parameters. */
  readonly literals: readonly string[];
  readonly #prefix: string;
  readonly #separators: readonly string[];
  readonly #suffix: string;
  /** Equal for templates that differ only in the names of their parameters. */
  readonly shape: string;
  /** True for a parameter alone, as most are: any text that is not empty is its value. */
  readonly #isWhole: boolean;

  constructor(template: string) {
    const parts = template.split(/\{([^{}]*)\}/);
    this.literals = parts.filter((_, index) => index % 2 === 0);
    this.names = parts.filter((_, index) => index % 2 === 1);
    this.shape = this.literals.join('{}');
    this.#prefix = this.literals[0] ?? '';
    this.#separators = this.literals.slice(1, -1);
    this.#suffix = this.literals.at(-1) ?? '';
    this.#isWhole = this.literals.length === 2 && this.#prefix === '' && this.#suffix === '';
  }

  matches(segment: string): boolean {
    return this.#isWhole ? segment !== '' : this.capture(segment) !== undefined;
  }

  /** Returns the value of each parameter; undefined where the segment does not match. */
  capture(segment: string): string[] | undefined {
    if (this.#isWhole) return segment === '' ? undefined : [segment];
    if (!segment.startsWith(this.#prefix) || !segment.endsWith(this.#suffix)) return undefined;
    let start = this.#prefix.length;
    const end = segment.length - this.#suffix.length;
    if (this.#separators.length === 0) return end > start ? [segment.slice(start, end)] : undefined;
    const values: string[] = [];
    for (const separator of this.#separators) {
      const next = segment.indexOf(separator, start + 1);
      if (next < 0) return undefined;
      values.push(segment.slice(start, next));
      start = next + separator.length;
    }
    if (end <= start) return undefined;
    values.push(segment.slice(start, end));
    return values;
  }
}

export function parameterNames(template: string): readonly string[] {
  return [...template.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/** Returns a path template with a text in place of each parameter. */
export function fillTemplate(template: string, textOf: (name: string) => string): string {
  let filled = '';
  let from = 0;
  for (let end = template.indexOf('}'); end >= 0; end = template.indexOf('}', end + 1)) {
    const begin = template.lastIndexOf('{', end);
    if (begin < from) continue;
    filled += template.slice(from, begin) + textOf(template.slice(begin + 1, end));
    from = end + 1;
  }
  return filled + template.slice(from);
}

const PARAMETER = /\{([^{}]*)\}/g;

/**
 * A field that a request has to have for one of several operations of a path: in its query, its
 * header or its form. Documents write it behind the path, where OpenAPI has nothing: `/?Action=Tag`,
 * `/#X-Amz-Target=Events.Tag`, `/{bucket}#versions`.
 */
export interface Selector {
  readonly name: string;
  /** Undefined for any value. */
  readonly value: string | undefined;
}

const NONE: readonly Selector[] = [];

/** Returns a key of the Paths Object as its path, and what selects its operations. */
export function splitPath(key: string) {
  if (!/[?#]/.test(key)) return { path: key, selectors: NONE };
  const [, path = key, behind = ''] = /^((?:[^?#{]|\{[^{}]*\})*)[?#](.*)$/s.exec(key) ?? [];
  if (behind === '') return { path, selectors: NONE };
  const pairs = readQuery(behind.replaceAll(/[?#]/g, '&'));
  // A value may be a parameter: `?id={id}`.
  const selectors = pairs.map(([name, value]): Selector => {
    const isAny = value === '' || value.includes('{');
    return { name, value: isAny ? undefined : value };
  });
  return { path, selectors };
}
