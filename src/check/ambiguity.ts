import { groupBy } from '../base/remember.ts';
import { count } from '../base/words.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { TemplateSegment } from '../contract/path-template.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { createFinding, type Finding, type Inspector } from './finding.ts';

/**
 * Finds pairs of paths that match the same request where neither is more concrete than the other:
 * OpenAPI leaves the choice to the tool (OAS 3.1 §4.8.8.2).
 */
export function createAmbiguityInspector(contract: Contract): Inspector {
  return {
    *conclude(): Generator<Finding> {
      const whole = contract.operations.filter(({ selectors }) => selectors.length === 0);
      const collisions = [...pairsOf(whole)].flatMap(([one, other]) => [
        ...findCollisions(contract, one, other),
      ]);
      for (const group of groupByCause(collisions)) yield report(contract, group);
    },
  };
}

/** A request that matches two operations. */
interface Collision {
  readonly taken: Operation;
  readonly passedOver: Operation;
  readonly sample: string;
}

/** Groups collisions by the path that collides most, which is reported. */
function groupByCause(collisions: readonly Collision[]): Iterable<readonly Collision[]> {
  const counts = new Map<Operation, number>();
  for (const operation of collisions.flatMap(({ taken, passedOver }) => [taken, passedOver])) {
    counts.set(operation, (counts.get(operation) ?? 0) + 1);
  }
  const countOf = (operation: Operation): number => counts.get(operation) ?? 0;
  return groupBy(collisions, ({ taken, passedOver }) =>
    countOf(taken) >= countOf(passedOver) ? taken : passedOver,
  ).values();
}

type Template = ReturnType<typeof readTemplate>;
type Segment = ReturnType<typeof readSegment>;

/** The value of a parameter in a sample path. */
const FILLER = 'x';

/** Yields pairs of paths of one document with the same number of segments. */
function* pairsOf(operations: readonly Operation[]): Generator<readonly [Template, Template]> {
  const templates = groupBy(operations, ({ root, path }) => `${root} ${path}`);
  const alike = groupBy(templates.values(), ([first]) => {
    const { root = '', path = '' } = first ?? {};
    return `${root} ${path.split('/').length}`;
  });
  for (const group of alike.values()) {
    const read = group.map(readTemplate);
    for (const [index, one] of read.entries()) {
      for (const other of read.slice(index + 1)) yield [one, other];
    }
  }
}

/** Returns a path with its operations, all of one path, by method. */
function readTemplate(operations: readonly Operation[]) {
  const path = operations[0]?.path ?? '';
  const segments = path.split('/').slice(1).map(readSegment);
  return { path, segments, operations: new Map(operations.map((one) => [one.method, one])) };
}

/**
 * Reads a segment of a path: a literal has no parameters and so no template. The more literal
 * characters it has, its weight, the more concrete it is.
 */
function readSegment(text: string) {
  const template = new TemplateSegment(text);
  const { literals } = template;
  const [prefix = ''] = literals;
  if (literals.length === 1) {
    return { text, prefix, suffix: text, template: undefined, weight: Number.POSITIVE_INFINITY };
  }
  const weight = literals.join('').length;
  return { text, prefix, suffix: literals.at(-1) ?? '', template, weight };
}

/** Returns a path that both match; undefined when there is none, or one is more concrete. */
function findAmbiguity(left: Template, right: Template): readonly string[] | undefined {
  const sample: string[] = [];
  let isLeftCloser = false;
  let isRightCloser = false;
  for (const [index, one] of left.segments.entries()) {
    const other = right.segments[index];
    const common = other && findCommon(one, other);
    if (common === undefined) return undefined;
    sample.push(common);
    isLeftCloser ||= one.weight > (other?.weight ?? 0);
    isRightCloser ||= one.weight < (other?.weight ?? 0);
  }
  return isLeftCloser && isRightCloser ? sample : undefined;
}

/** Returns a text that both segments match; undefined when they have none in common. */
function findCommon(one: Segment, other: Segment): string | undefined {
  const matches = ({ template, text }: Segment, value: string): boolean =>
    template === undefined ? text === value : template.capture(value) !== undefined;
  if (one.template === undefined) return matches(other, one.text) ? one.text : undefined;
  if (other.template === undefined) return findCommon(other, one);
  const longer = (a: string, b: string): string => (a.length > b.length ? a : b);
  const text = `${longer(one.prefix, other.prefix)}${FILLER}${longer(one.suffix, other.suffix)}`;
  return matches(one, text) && matches(other, text) ? text : undefined;
}

function* findCollisions(contract: Contract, one: Template, other: Template): Generator<Collision> {
  const segments = findAmbiguity(one, other);
  if (segments === undefined) return;
  const sample = `/${segments.join('/')}`;
  for (const method of one.operations.keys()) {
    const taken =
      other.operations.has(method) && contract.route(sample, method)?.methods.get(method);
    // If neither is routed, a third path is more concrete than both.
    if (!taken || (taken.path !== one.path && taken.path !== other.path)) continue;
    const passedOver = (taken.path === one.path ? other : one).operations.get(method);
    if (passedOver === undefined || !admits(passedOver, segments)) continue;
    yield { taken, passedOver, sample };
  }
}

/** Returns false where the path's parameters refuse the literal segments of the other path. */
function admits({ fault, path, parameters }: Operation, sample: readonly string[]): boolean {
  const segments = path.split('/').slice(1);
  return segments.every((segment, index) => {
    const [, name] = /^\{([^{}]*)\}$/.exec(segment) ?? [];
    const value = sample[index] ?? '';
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    if (fault !== undefined || value === FILLER || parameter?.schema === undefined) return true;
    return isAdmitted(parameter.schema, value);
  });
}

/** Another inspector reports a schema that cannot be compiled. */
function isAdmitted(schema: Schema, text: string): boolean {
  try {
    const values = /^-?\d+$/.test(text) ? [text, Number(text)] : [text];
    return values.some((value) => schema.accepts(value));
  } catch (error) {
    if (error instanceof DiagnosticError) return true;
    throw error;
  }
}

function report({ document }: Contract, collisions: readonly Collision[]): Finding {
  const [first, second] = collisions as readonly [Collision, ...Collision[]];
  const { taken, passedOver, sample } = first;
  const more = collisions.length - 1;
  // Either one operation takes all requests, or the requests of one operation are all taken.
  const isOfTaken = second === undefined || second.taken === taken;
  const others = more === 0 ? '' : ` and ${count(more, 'other path')}`;
  const message = isOfTaken
    ? `${taken.method} ${taken.path} takes requests for ${passedOver.path}${others}`
    : `requests for ${passedOver.method} ${passedOver.path} are taken by ${taken.path}${others}`;
  return createFinding(
    document,
    'ambiguous-route',
    (isOfTaken ? taken : passedOver).pointer,
    `${message}, such as ${sample}: neither is more concrete`,
  );
}
