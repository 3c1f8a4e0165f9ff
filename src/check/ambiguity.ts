import type { Contract, Operation } from '../contract/contract.ts';
import { createFinding, type Finding } from './finding.ts';
import type { Inspector } from './inspector.ts';

/**
 * Finds pairs of paths that match the same request where neither is more concrete than the other:
 * OpenAPI leaves to the tool which one is meant (OAS 3.1 §4.8.8.2).
 */
export function createAmbiguityInspector(contract: Contract): Inspector {
  return {
    *conclude(): Generator<Finding> {
      for (const group of groupBySize(contract.operations)) {
        for (const [index, one] of group.entries()) {
          for (const other of group.slice(index + 1)) {
            const sample = one.root === other.root && findAmbiguity(one.segments, other.segments);
            if (sample) yield* tell(contract, one, other, sample);
          }
        }
      }
    },
  };
}

/** A path with its operations by method. */
interface Template {
  readonly path: string;
  readonly root: string;
  readonly segments: readonly Segment[];
  readonly operations: Map<string, Operation>;
}

/** A part of a path: a literal has no parameters and so no pattern. */
interface Segment {
  readonly text: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly pattern: RegExp | undefined;
  /** How many characters of it are literal; more are more concrete. */
  readonly weight: number;
}

/** @returns the paths in lists of those with as many segments as each other */
function groupBySize(operations: readonly Operation[]): Iterable<readonly Template[]> {
  const templates = new Map<string, Template>();
  const groups = new Map<number, Template[]>();
  for (const operation of operations) {
    const { path, root, method } = operation;
    const key = `${root} ${path}`;
    const known = templates.get(key);
    if (known !== undefined) {
      known.operations.set(method, operation);
      continue;
    }
    const segments = path.split('/').slice(1).map(readSegment);
    const template = { path, root, segments, operations: new Map([[method, operation]]) };
    templates.set(key, template);
    groups.set(segments.length, [...(groups.get(segments.length) ?? []), template]);
  }
  return groups.values();
}

function readSegment(text: string): Segment {
  const literals = text.split(/\{[^{}]*\}/);
  const prefix = literals[0] ?? '';
  if (literals.length === 1) {
    return { text, prefix, suffix: text, pattern: undefined, weight: Number.POSITIVE_INFINITY };
  }
  const escaped = literals.map((literal) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return {
    text,
    prefix,
    suffix: literals.at(-1) ?? '',
    pattern: new RegExp(`^${escaped.join('.+?')}$`, 's'),
    weight: literals.join('').length,
  };
}

/** @returns a path that both match; undefined when there is none, or one is more concrete */
function findAmbiguity(
  left: readonly Segment[],
  right: readonly Segment[],
): readonly string[] | undefined {
  const sample: string[] = [];
  let isLeftCloser = false;
  let isRightCloser = false;
  for (const [index, one] of left.entries()) {
    const other = right[index];
    const common = other && findCommon(one, other);
    if (common === undefined) return undefined;
    sample.push(common);
    isLeftCloser ||= one.weight > (other?.weight ?? 0);
    isRightCloser ||= one.weight < (other?.weight ?? 0);
  }
  return isLeftCloser && isRightCloser ? sample : undefined;
}

/** @returns a text that both segments match; undefined when they have none in common */
function findCommon(one: Segment, other: Segment): string | undefined {
  if (one.pattern === undefined) {
    const isMatch = other.pattern?.test(one.text) ?? other.text === one.text;
    return isMatch ? one.text : undefined;
  }
  if (other.pattern === undefined) return findCommon(other, one);
  const longer = (a: string, b: string): string => (a.length > b.length ? a : b);
  const text = `${longer(one.prefix, other.prefix)}x${longer(one.suffix, other.suffix)}`;
  return one.pattern.test(text) && other.pattern.test(text) ? text : undefined;
}

function* tell(
  { document, route }: Contract,
  one: Template,
  other: Template,
  sample: readonly string[],
): Generator<Finding> {
  const methods = [...one.operations.keys()].filter((method) => other.operations.has(method));
  const [method = ''] = methods;
  const path = `/${sample.join('/')}`;
  const taken = route(path, method)?.methods.get(method);
  if (taken?.path !== one.path && taken?.path !== other.path) return;
  const loser = taken.path === one.path ? other : one;
  const operation = loser.operations.get(method);
  if (operation === undefined) return;
  yield createFinding(
    document,
    'ambiguous-route',
    operation.pointer,
    `${methods.join(', ')} ${loser.path} and ${taken.path} both match ${path}, and neither is ` +
      `more concrete: ${taken.path} is taken`,
  );
}
