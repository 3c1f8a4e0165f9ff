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

  constructor(template: string) {
    const parts = template.split(/\{([^{}]*)\}/);
    this.literals = parts.filter((_, index) => index % 2 === 0);
    this.names = parts.filter((_, index) => index % 2 === 1);
  }

  /** @returns the value of each parameter; undefined where the segment does not match */
  capture(segment: string): string[] | undefined {
    const [first = '', ...others] = this.literals;
    const last = others.pop() ?? '';
    if (!segment.startsWith(first) || !segment.endsWith(last)) return undefined;
    const values: string[] = [];
    let start = first.length;
    for (const literal of others) {
      const end = segment.indexOf(literal, start + 1);
      if (end < 0) return undefined;
      values.push(segment.slice(start, end));
      start = end + literal.length;
    }
    const end = segment.length - last.length;
    if (end <= start) return undefined;
    return [...values, segment.slice(start, end)];
  }
}

/** Returns the names of the parameters in a path template. */
export function parameterNames(template: string): readonly string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}
