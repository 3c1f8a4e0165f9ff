import { groupBy } from '../../base/group-by.ts';
import type { KeptExchange } from '../../journal/exchange.ts';
import { isFailure } from '../attempts/outcome.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Asks whether something has changed, and not for all of it again. */
export const conditional = defineRule({
  name: 'conditional',
  definition: 'A GET of a target whose last response had an ETag has If-None-Match.',
  source: 'RFC 9110 §13.1.2',
  isOptional: true,
  thresholds: {},
  judge({ exchanges, cite, name }) {
    const reads = exchanges.filter(({ request }) => request.method === 'GET');
    const pairs = [...groupBy(reads, ({ request }) => request.target).values()].flatMap(
      findRepeats,
    );
    const isConditional = ({ next }: Repeat): boolean =>
      next.request.fields.get('if-none-match') !== undefined;
    const evidence = pairs
      .filter((pair) => !isConditional(pair))
      .map(({ before, next }) => {
        const message = `${name(next)} does not send the ETag that #${before.number} has got`;
        return cite(message, [before, next]);
      });
    const number = pairs.length - evidence.length;
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'request')} did not send the known ETag`,
      keeps: number > 0 && `${count(number, 'request')} sent the known ETag`,
      missing: 'no target with an ETag was read twice',
    });
  },
});

/** A read of a target that the client knows. */
interface Repeat {
  readonly before: KeptExchange;
  readonly next: KeptExchange;
}

function findRepeats(reads: readonly KeptExchange[]): readonly Repeat[] {
  let known: KeptExchange | undefined;
  return reads.flatMap((next) => {
    const before = known !== undefined && known.readyAt <= next.at ? known : undefined;
    if (!isFailure(next) && next.responseFields['etag'] !== undefined) known = next;
    return before === undefined ? [] : [{ before, next }];
  });
}
