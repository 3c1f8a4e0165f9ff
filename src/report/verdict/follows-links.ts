import { groupBy } from '../../base/group-by.ts';
import { listPages, normalTarget } from './pages.ts';
import { conclude, count, defineRule } from './rule.ts';

/** Takes the next page from the link to it. */
export const followsLinks = defineRule({
  name: 'follows-links',
  definition:
    'After a page with a link to the next one, the further pages of the list are those that its responses link to.',
  source: 'RFC 8288 §3 and the relation "next"',
  thresholds: {},
  judge(material) {
    const pages = listPages(material);
    const lists = [...groupBy(pages, ({ list }) => list.replace(/\?.*/s, '')).values()];
    const further = lists.flatMap((list) => {
      const links = new Set<string>();
      return list.flatMap(({ exchange, position, next }) => {
        const target = normalTarget(exchange.request.target) ?? '';
        const judged =
          position === '' || links.size === 0 ? [] : [{ exchange, isLinked: links.has(target) }];
        if (next !== undefined) links.add(next);
        return judged;
      });
    });
    const evidence = further
      .filter(({ isLinked }) => !isLinked)
      .map(({ exchange }) => {
        const message = `${material.name(exchange)} asks for a page that no response links to`;
        return material.cite(message, [exchange]);
      });
    return conclude({
      evidence,
      breaks: `${count(evidence.length, 'page')} came without a link`,
      keeps: further.length > 0 && `${count(further.length, 'page')} came by the links`,
      missing: 'no page came after one with a link to the next',
    });
  },
});
