/** The steps of a walk, in their order. */
export const steps = [
  'create',
  'read',
  'list',
  'change',
  'read again',
  'delete',
  'read after',
] as const;

export type Step = (typeof steps)[number];

/** The result of one step: done, not possible, or its failure. */
export type StepResult = 'ok' | 'none' | { readonly wrong: string };

/** The walk through one collection. */
export interface Walk {
  readonly resource: string;
  readonly results: { readonly [step in Step]?: StepResult };
}

/** The walks through one document. */
export interface DocumentWalks {
  readonly document: string;
  /** Why nothing was walked; undefined where something could be. */
  readonly fault: string | undefined;
  readonly operations: number;
  readonly meanings: number;
  readonly walks: readonly Walk[];
}

/** @returns how many walks took a step, of those that could */
export function countSteps(walks: readonly Walk[], step: Step) {
  const results = walks.flatMap(({ results }) => results[step] ?? []);
  const possible = results.filter((one) => one !== 'none');
  return { done: possible.filter((one) => one === 'ok').length, possible: possible.length };
}

/** @returns what went wrong in a walk, a line each */
export function wrongs({ resource, results }: Walk): readonly string[] {
  return Object.entries(results).flatMap(([step, result]) =>
    typeof result === 'object' ? [`${resource}: ${step}: ${result.wrong}`] : [],
  );
}
