import { remember } from '../base/remember.ts';
import { decodePercent } from '../http/query.ts';
import { TemplateSegment } from './path-template.ts';

/** The decoded path parameters of a match, by name. */
export type PathParameters = ReadonlyMap<string, string>;

/** A path of the document that a request's path matches. */
export interface PathMatch<Target> {
  /** By method, upper case. */
  readonly methods: ReadonlyMap<string, Target>;
  readonly parameters: PathParameters;
  /** The same as they were sent: an encoded delimiter is data. */
  readonly rawParameters: PathParameters;
}

/** The node of a whole path. */
interface PathEnd<Target> {
  /** The names of its parameters in order, for each template of the path. */
  readonly names: (readonly string[])[];
  /** The segments with parameters, by index. */
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

const NO_VALUES: PathParameters = new Map();

/**
 * The paths of a document as a tree of segments. It follows OpenAPI's rules and not those of a web
 * framework (OAS 3.1 §4.8.8): concrete before templated, a parameter never spans a slash, parts of a
 * segment may be literal (`/report/{id}.json`), and paths are case-sensitive.
 */
export class Routes<Target> {
  readonly #root: Node<Target> = createNode();
  /** The segments with parameters, by their text: most paths share some. */
  readonly #segments = new Map<string, TemplateSegment>();
  /** Paths without parameters, for a single look-up. */
  readonly #plain = new Map<string, PathMatch<Target>>();

  /**
   * Adds a target for a template such as `/plants/{plantId}` and a method in upper case; returns the
   * one that they have already, which stays.
   */
  add(template: string, method: string, target: Target): Target | undefined {
    let node = this.#root;
    const names: string[] = [];
    const templates: (TemplateSegment | undefined)[] = [];
    for (const text of template.split('/').slice(1)) {
      const segment = text.includes('{') ? this.#segmentOf(text) : undefined;
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
      const { methods } = node.end;
      this.#plain.set(template, { methods, parameters: NO_VALUES, rawParameters: NO_VALUES });
    }
    return undefined;
  }

  #segmentOf(text: string): TemplateSegment {
    return remember(this.#segments, text, () => new TemplateSegment(text));
  }

  *targets(): Generator<Target> {
    const nodes = [this.#root];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      yield* node.end?.methods.values() ?? [];
      nodes.push(...node.literals.values(), ...node.templates.map((entry) => entry.node));
    }
  }

  /** Returns true for a path without parameters, spelled as in the document. */
  isPlain(path: string): boolean {
    return this.#plain.has(path);
  }

  /** Returns the first match of an encoded path that has the method, otherwise the first match. */
  find(path: string, method: string): PathMatch<Target> | undefined {
    const plain = this.#plain.get(path);
    if (plain?.methods.has(method)) return plain;
    const raw = splitPath(path);
    const segments = path.includes('%') ? decodeAll(raw) : raw;
    if (segments === undefined) return undefined;
    const end = findEnd(this.#root, segments, 0, method) ?? this.#findBeside(segments, method);
    return end && toMatch(end, raw, segments);
  }

  /** Of documents with `POST /plants` and `GET /plants/`, both are what `/plants` means. */
  #findBeside(segments: Segments, method: string): PathEnd<Target> | undefined {
    const end = findEnd(this.#root, segments, 0);
    return end && (findEnd(this.#root, [...segments, ''], 0, method) ?? end);
  }
}

function createNode<Target>(): Node<Target> {
  return { literals: new Map(), templates: [], end: undefined };
}

function descend<Target>(node: Node<Target>, segment: string): Node<Target> {
  return remember(node.literals, decodePercent(segment) ?? segment, createNode<Target>);
}

function descendTemplate<Target>(node: Node<Target>, segment: TemplateSegment): Node<Target> {
  // Templates that differ only in the names of their parameters are one path.
  const known = node.templates.find((edge) => edge.segment.shape === segment.shape);
  if (known !== undefined) return known.node;
  const edge = { segment, node: createNode<Target>() };
  node.templates.push(edge);
  // More literal text is more concrete: `{id}.json` before `{id}`.
  node.templates.sort((a, b) => b.segment.shape.length - a.segment.shape.length);
  return edge.node;
}

function decodeAll(raw: readonly string[]): readonly string[] | undefined {
  const segments = raw.map(decodePercent);
  return segments.every((segment) => segment !== undefined) ? segments : undefined;
}

type Segments = readonly string[];

/** Returns the segments of a path. `split` costs twice as much for a few. */
function splitPath(path: string): Segments {
  const segments: string[] = [];
  let from = 1;
  for (let end = path.indexOf('/', from); end >= 0; end = path.indexOf('/', from)) {
    segments.push(path.slice(from, end));
    from = end + 1;
  }
  segments.push(path.slice(from));
  return segments;
}

function toMatch<Target>(end: PathEnd<Target>, raw: Segments, segments: Segments) {
  const { methods } = end;
  const parameters = nameValues(end, segments, NOTHING);
  if (raw === segments) return { methods, parameters, rawParameters: parameters };
  // If the literal parts were sent encoded, the values are captured from the decoded segment and
  // encoded so that decoding returns them.
  return { methods, parameters, rawParameters: nameValues(end, raw, segments) };
}

const NOTHING: Segments = [];

/**
 * Returns the values of all segments by the names of their parameters.
 *
 * @param decoded has the values of a segment whose literal parts are encoded
 */
function nameValues({ names, templates }: PathEnd<unknown>, segments: Segments, decoded: Segments) {
  let values = NOTHING;
  for (let index = 0; index < templates.length; index++) {
    const template = templates[index];
    const captured =
      template?.capture(segments[index] ?? '') ??
      template?.capture(decoded[index] ?? '')?.map((value) => value.replaceAll('%', '%25'));
    if (captured !== undefined) values = values === NOTHING ? captured : [...values, ...captured];
  }
  const named = new Map<string, string>();
  for (const list of names) {
    for (let index = 0; index < list.length; index++) {
      named.set(list[index] ?? '', values[index] ?? '');
    }
  }
  return named;
}

/** Returns the most concrete path that the segments match; with a method, of those that have it. */
function findEnd<Target>(
  { literals, templates, end }: Node<Target>,
  segments: Segments,
  depth: number,
  method?: string,
): PathEnd<Target> | undefined {
  const segment = segments[depth];
  if (segment === undefined) {
    return method === undefined || end?.methods.has(method) ? end : undefined;
  }
  const literal = literals.get(segment);
  const found = literal && findEnd(literal, segments, depth + 1, method);
  if (found !== undefined) return found;
  for (const edge of templates) {
    if (!edge.segment.matches(segment)) continue;
    const inner = findEnd(edge.node, segments, depth + 1, method);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
