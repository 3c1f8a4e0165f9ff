import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { wordsOf } from '../../base/words.ts';
import type { Place } from '../../document/place.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import { subschemasUnder } from '../../schema/subschemas.ts';

/** One of the schemas that the items of a stream may have. */
export interface Variant {
  readonly node: SchemaNode;
  /** The type of its items: `response.output_text.delta`, `content_block_start`. */
  readonly name: string;
  /** The name without its stage: `response.output_text`, `content_block`. */
  readonly subject: string;
  readonly stage: Stage;
}

/** When in the life of its subject an item comes. */
type Stage = 'start' | 'middle' | 'end' | 'failure';

/** The words that end a name, by the stage they mean; in the order in which the items come. */
const STAGES = {
  start:
    /(?:^|[._:\-/ ])(?:create|created|queued|pending|accepted|submitted|start|started|begin|began|open|opened|added|in[._-]?progress|processing|running)$/,
  end: /(?:^|[._:\-/ ])(?:done|complete|completed|success|succeeded|finish|finished|stop|stopped|end|ended|close|closed|final|result|\[done\])$/,
} as const;

const FAILURE = /(?:fail|error|cancel|abort|incomplete|expire|reject|timed?[._-]?out)/;

/**
 * Returns the variants of a schema that is a union, else the schema alone, in the order in which
 * the items of one subject come.
 */
export function variantsOf(nodes: SchemaNodes, node: SchemaNode): readonly Variant[] {
  const discriminator = node.keyword('discriminator');
  const property = isJsonObject(discriminator) ? discriminator['propertyName'] : undefined;
  const names = [String(property ?? 'type'), 'type', 'event', 'object', 'kind'];
  const variants = branchesOf(nodes, node).map((branch) => {
    const name = nameOf(branch, names);
    return { node: branch, name, ...readName(name) };
  });
  return variants.sort((one, other) => rankOf(one) - rankOf(other));
}

/** Returns the branches of a union and of unions in it, without null; else the node alone. */
export function branchesOf(nodes: SchemaNodes, node: SchemaNode, depth = 0): readonly SchemaNode[] {
  const owner = node.certain.find(({ value }) => value['oneOf'] ?? value['anyOf']);
  if (owner === undefined || depth > DEEPEST) return [node];
  return subschemasUnder(owner, ['oneOf', 'anyOf'])
    .flatMap(({ pointer }) => nodes.at(pointer) ?? [])
    .filter((branch) => branch.keyword('type') !== 'null')
    .flatMap((branch) => branchesOf(nodes, branch, depth + 1));
}

const DEEPEST = 4;

/** @param properties whose constants are names */
function nameOf(node: SchemaNode, properties: readonly string[]): string {
  for (const name of properties) {
    const value = constantOf(node.property(name));
    if (value !== undefined) return value;
  }
  return constantOf(node) ?? wordsOf(lastSegment(node.identity)).join('_');
}

/** Returns the only string that a schema allows. */
export function constantOf(node: SchemaNode | undefined): string | undefined {
  const constant = node?.keyword('const') ?? onlyOf(node?.keyword('enum'));
  return typeof constant === 'string' ? constant : undefined;
}

function onlyOf(list: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(list) && list.length === 1 ? list[0] : undefined;
}

function lastSegment(place: Place): string {
  return place.slice(place.lastIndexOf('/') + 1);
}

function readName(given: string): Pick<Variant, 'subject' | 'stage'> {
  const name = given.toLowerCase();
  const subjectOf = (end: RegExp) => name.replace(end, '');
  if (FAILURE.test(name)) return { subject: name, stage: 'failure' };
  for (const stage of ['start', 'end'] as const) {
    if (STAGES[stage].test(name)) return { subject: subjectOf(STAGES[stage]), stage };
  }
  const lastWord = name.includes('.') ? /\.[^.]*$/ : /(?:^|[_:\-/ ])[^_:\-/ ]*$/;
  return { subject: subjectOf(lastWord), stage: 'middle' };
}

/** Returns how early an item comes among those of its subject. */
function rankOf({ name, stage }: Variant): number {
  if (stage === 'end') return RANKS.length + 1;
  const rank = stage === 'start' ? RANKS.findIndex((one) => one.test(name.toLowerCase())) : -1;
  return rank === -1 ? RANKS.length : rank;
}

const RANKS = [
  /creat|submit|accept/,
  /queue|pending/,
  /start|begin|began|open|added/,
  /progress|process|running/,
];
