import { wordsOf } from '../../base/words.ts';
import type { Place } from '../../document/place.ts';
import { discriminatingProperty } from '../../schema/discriminator.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';

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

/** Returns the variants of a union, else the schema alone, as the items of a subject come. */
export function variantsOf(node: SchemaNode): readonly Variant[] {
  const property = discriminatingProperty(node.keyword('discriminator'));
  const names = [property ?? 'type', 'type', 'event', 'object', 'kind'];
  const variants = node.branches.map((branch) => {
    const name = nameOf(branch, names);
    return { node: branch, name, ...readName(name) };
  });
  return variants.sort((one, other) => rankOf(one) - rankOf(other));
}

/** @param properties whose constants are names */
function nameOf(node: SchemaNode, properties: readonly string[]): string {
  for (const name of properties) {
    const value = node.property(name)?.constant;
    if (value !== undefined) return value;
  }
  return node.constant ?? wordsOf(lastSegment(node.identity)).join('_');
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
