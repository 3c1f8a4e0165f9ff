import { decodePercent } from '../http/percent.ts';
import { TemplateSegment } from './template-segment.ts';

/** The decoded path parameters of a match, by name. */
export type PathParameters = ReadonlyMap<string, string>;

/** What a path leads to. */
export interface PathMatch<Target> {
  /** By method, upper case. */
  readonly methods: ReadonlyMap<string, Target>;
  readonly parameters: PathParameters;
  /** The same as they were sent: an encoded delimiter in them is data. */
  readonly rawParameters: PathParameters;
}

/** Stands where a path ends. */
interface PathEnd<Target> {
  /** The names of its parameters in their order, as each spelling of the path has them. */
  readonly names: (readonly string[])[];
  /** Of each segment that has parameters. */
  readonly templates: readonly (TemplateSegment | undefined)[];
  readonly methods: Map<string, Target>;
}

interface TemplateEdge<Target> {
  readonly segment: TemplateSegment;
  readonly node: Node<Target>;
}

interface Node<Target> {
  readonly literals: Map<string, Node<Target>>;
  readonly templates: TemplateEdge<Target>[];
  end: PathEnd<Target> | undefined;
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
    const templates: (TemplateSegment | undefined)[] = [];
    for (const text of template.split('/').slice(1)) {
      const segment = text.includes('{') ? new TemplateSegment(text) : undefined;
      templates.push(segment);
      node = segment === undefined ? descend(node, text) : descendTemplate(node, segment);
      names.push(...(segment?.names ?? []));
    }
    node.end ??= { names: [], templates, methods: new Map() };
    if (!node.end.names.some((known) => known.join() === names.join())) node.end.names.push(names);
    const existing = node.end.methods.get(method);
    if (existing !== undefined) return existing;
    node.end.methods.set(method, target);
    if (names.length === 0) {
      this.#plain.set(template, {
        methods: node.end.methods,
        parameters: NO_PARAMETERS,
        rawParameters: NO_PARAMETERS,
      });
    }
    return undefined;
  }

  /** @returns every target that was added, in no order that means anything */
  *targets(): Generator<Target> {
    const nodes = [this.#root];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      yield* node.end?.methods.values() ?? [];
      nodes.push(...node.literals.values(), ...node.templates.map((entry) => entry.node));
    }
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
    const raw = path.split('/').slice(1);
    const segments = path.includes('%') ? raw.map(decodePercent) : raw;
    if (segments.includes(undefined)) return undefined;
    let first: PathMatch<Target> | undefined;
    for (const found of findAll(this.#root, segments as string[], 0, [])) {
      const match = toMatch(found, raw, segments as string[]);
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

function descendTemplate<Target>(node: Node<Target>, segment: TemplateSegment): Node<Target> {
  // Two templates that differ only in their parameters' names are one path.
  const shape = shapeOf(segment);
  const known = node.templates.find((edge) => shapeOf(edge.segment) === shape);
  if (known !== undefined) return known.node;
  const edge = { segment, node: createNode<Target>() };
  node.templates.push(edge);
  // More literal text is more concrete: `{id}.json` before `{id}`.
  node.templates.sort((a, b) => shapeOf(b.segment).length - shapeOf(a.segment).length);
  return edge.node;
}

function shapeOf({ literals }: TemplateSegment): string {
  return literals.join('{}');
}

/** A path's end, and the values of the parameters on the way to it. */
interface Found<Target> {
  readonly end: PathEnd<Target>;
  readonly values: readonly string[];
}

function toMatch<Target>(
  { end, values }: Found<Target>,
  raw: readonly string[],
  segments: readonly string[],
): PathMatch<Target> {
  const parameters = nameValues(end.names, values);
  const rawParameters =
    raw === segments ? parameters : nameValues(end.names, captureRaw(end, raw, segments));
  return { methods: end.methods, parameters, rawParameters };
}

function nameValues(
  names: PathEnd<unknown>['names'],
  values: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    names.flatMap((list) => list.map((name, index) => [name, values[index] ?? ''] as const)),
  );
}

function captureRaw(
  { templates }: PathEnd<unknown>,
  raw: readonly string[],
  segments: readonly string[],
): readonly string[] {
  return templates.flatMap((template, index) => {
    if (template === undefined) return [];
    // What is literal in the segment was sent encoded: its values are taken decoded, and written
    // so that decoding them once more changes nothing.
    const decoded = () => template.capture(segments[index] ?? '') ?? [];
    return (
      template.capture(raw[index] ?? '') ?? decoded().map((value) => value.replaceAll('%', '%25'))
    );
  });
}

function* findAll<Target>(
  node: Node<Target>,
  segments: readonly string[],
  depth: number,
  values: readonly string[],
): Generator<Found<Target>> {
  const segment = segments[depth];
  if (segment === undefined) {
    if (node.end !== undefined) yield { end: node.end, values };
    return;
  }
  const literal = node.literals.get(segment);
  if (literal !== undefined) yield* findAll(literal, segments, depth + 1, values);
  for (const { segment: template, node: child } of node.templates) {
    const found = template.capture(segment);
    if (found !== undefined) yield* findAll(child, segments, depth + 1, [...values, ...found]);
  }
}
