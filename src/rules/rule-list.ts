import { once, remember } from '../base/remember.ts';
import type { RequestView, RequiredText } from '../request/view.ts';
import type { Rule } from './rule.ts';

/** So few rules are asked one after the other. */
const FEW = 16;

/** The enabled rules of an operation, in the order in which they are applied. */
export class RuleList {
  readonly all: readonly Rule[];
  readonly #finders: { readonly outage: FindRules; readonly valid: FindRules };

  constructor(all: readonly Rule[]) {
    this.all = all;
    this.#finders = {
      outage: createFinder(all.filter(({ isOutage }) => isOutage)),
      valid: createFinder(all.filter(({ isOutage }) => !isOutage)),
    };
  }

  /** Returns the rules of a phase without some that do not match the request. */
  find(phase: 'outage' | 'valid', view: RequestView): readonly Rule[] {
    return this.#finders[phase](view);
  }
}

type FindRules = (view: RequestView) => readonly Rule[];

/** Looks rules up by the text that they require of a request, where there are many. */
function createFinder(rules: readonly Rule[]): FindRules {
  if (rules.length <= FEW) return () => rules;
  const grouped = once(() => groupByText(rules));
  return (view) => {
    const { groups, others } = grouped();
    if (groups.length === 0) return rules;
    const places = others.slice();
    for (const { textsIn, placesOf } of groups) {
      for (const text of new Set(textsIn(view))) {
        for (const place of placesOf.get(text) ?? []) places.push(place);
      }
    }
    return places.sort((left, right) => left - right).flatMap((place) => rules[place] ?? []);
  };
}

function groupByText(rules: readonly Rule[]) {
  const groups = new Map<string, Pick<RequiredText, 'textsIn'> & { placesOf: Places }>();
  const others: number[] = [];
  for (const [place, { pattern }] of rules.entries()) {
    const { subject = '', text = '', textsIn } = pattern.requires ?? {};
    if (textsIn === undefined) {
      others.push(place);
      continue;
    }
    const { placesOf } = remember(groups, subject, () => ({ textsIn, placesOf: new Map() }));
    remember(placesOf, text, () => []).push(place);
  }
  return { groups: [...groups.values()], others };
}

/** The places of rules among all, by the text that they require. */
type Places = Map<string, number[]>;
