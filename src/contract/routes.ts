import { decodePercent } from '../http/percent.ts';

/** The decoded path parameters of a match, by name. */
export type PathParameters = ReadonlyMap<string, string>;

/** What a path leads to. */
export interface PathMatch<Target> {
  /** By method, upper case. */
  readonly methods: ReadonlyMap<string, Target>;
  readonly parameters: PathParameters;
}

interface Node<Target> {
  readonly literals: Map<string, Node<Target>>;
  readonly templates: { readonly pattern: RegExp; readonly template: string; node: Node<Target> }[];
  /** Set where a path ends: its parameters' names in order, and its methods. */
  end: { readonly names: readonly string[]; readonly methods: Map<string, Target> } | undefined;
}

const NO_PARAMETERS: PathParameters = new Map();

/**
 * The paths of a document as a tree of segments, by OpenAPI's rules and not a web framework's
 * (OAS 3.1 §4.8.8): concrete before templated, a parameter never spans a slash, parts of a segment
 * may be literal (`/report/{id}.json`), and case counts.
 */
export class Routes<Target> {
  readonly #root: Node<Target> = createNode();
  /** Paths without parameters, as they are usually sent: one look-up. */
  readonly #plain = new Map<string, PathMatch<Target>>();

  /**
   * @param template a path of the document, such as `/plants/{plantId}`
   * @param method upper case
   * @returns the target that already stands there, if one does
   */
  add(template: string, method: string, target: Target): Target | undefined {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of template.split('/').slice(1)) {
      node = segment.includes('{') ? descendTemplate(node, segment) : descend(node, segment);
      for (const [, name] of segment.matchAll(/\{([^{}]*)\}/g)) names.push(name ?? '');
    }
    node.end ??= { names, methods: new Map() };
    const existing = node.end.methods.get(method);
    if (existing !== undefined) return existing;
    node.end.methods.set(method, target);
    if (names.length === 0) {
      this.#plain.set(template, { methods: node.end.methods, parameters: NO_PARAMETERS });
    }
    return undefined;
  }

  /** @returns true for a path without parameters, as the document writes it */
  isPlain(path: string): boolean {
    return this.#plain.has(path);
  }

  /**
   * @param path as it was sent, percent-encoded
   * @param method prefers a match that has it
   * @returns the first match that has the method, else the first match, else undefined
   */
  find(path: string, method: string): PathMatch<Target> | undefined {
    const plain = this.#plain.get(path);
    if (plain?.methods.has(method)) return plain;
    const segments = path.split('/').slice(1).map(decodePercent);
    if (segments.includes(undefined)) return undefined;
    let first: PathMatch<Target> | undefined;
    for (const match of findAll(this.#root, segments as string[], 0, [])) {
      if (match.methods.has(method)) return match;
      first ??= match;
    }
    return first;
  }
}

function createNode<Target>(): Node<Target> {
  return { literals: new Map(), templates: [], end: undefined };
}

function descend<Target>(node: Node<Target>, segment: string): Node<Target> {
  const literal = decodePercent(segment) ?? segment;
  const child = node.literals.get(literal) ?? createNode<Target>();
  node.literals.set(literal, child);
  return child;
}

function descendTemplate<Target>(node: Node<Target>, segment: string): Node<Target> {
  // Two templates that differ only in their parameters' names are one path.
  const template = segment.replaceAll(/\{[^{}]*\}/g, '{}');
  const known = node.templates.find((entry) => entry.template === template);
  if (known !== undefined) return known.node;
  const source = template.split('{}').map(escapeForPattern).join('(.+?)');
  const entry = {
    template,
    pattern: new RegExp(`^${source}$`, 's'),
    node: createNode<Target>(),
  };
  node.templates.push(entry);
  // More literal text is more concrete: `{id}.json` before `{id}`.
  node.templates.sort((a, b) => b.template.length - a.template.length);
  return entry.node;
}

function* findAll<Target>(
  node: Node<Target>,
  segments: readonly string[],
  depth: number,
  values: readonly string[],
): Generator<PathMatch<Target>> {
  const segment = segments[depth];
  if (segment === undefined) {
    if (node.end !== undefined) {
      const pairs = node.end.names.map((name, index) => [name, values[index] ?? ''] as const);
      yield { methods: node.end.methods, parameters: new Map(pairs) };
    }
    return;
  }
  const literal = node.literals.get(segment);
  if (literal !== undefined) yield* findAll(literal, segments, depth + 1, values);
  for (const { pattern, node: child } of node.templates) {
    const match = pattern.exec(segment);
    if (match !== null) {
      yield* findAll(child, segments, depth + 1, [...values, ...match.slice(1)]);
    }
  }
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
