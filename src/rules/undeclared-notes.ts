import type { Contract, Operation } from '../contract/contract.ts';
import type { Diagnostic } from '../document/diagnostic.ts';
import type { Rule } from './rule.ts';

/** Returns a note about each rule that fails with a status that operations do not declare. */
export function noteUndeclared(
  rules: readonly Rule[],
  { operations }: Contract,
): readonly Diagnostic[] {
  return rules.flatMap((rule): readonly Diagnostic[] => {
    const { action, origin } = rule;
    if (action?.kind !== 'answer') return [];
    const answers = (rule.operations.length > 0 ? rule.operations : operations)
      .map((operation) => ({ operation, answer: action.answerOf(operation) }))
      .filter(({ answer }) => answer?.undeclared !== undefined);
    const [first] = answers;
    if (first?.answer === undefined) return [];
    const named = nameOperations(answers.map(({ operation }) => operation));
    return [
      {
        severity: 'note',
        file: origin.file,
        position: { line: origin.line, column: 1 },
        pointer: '',
        message: `${rule.name}: ${named} no ${first.answer.status}; clients may still meet one from a gateway`,
      },
    ];
  });
}

const MOST_NAMED = 3;

function nameOperations(operations: readonly Operation[]): string {
  const names = operations.slice(0, MOST_NAMED).map(({ id }) => id);
  if (operations.length === 1) return `${names.join()} declares`;
  const more = operations.length > MOST_NAMED ? ', …' : '';
  return `${operations.length} operations (${names.join(', ')}${more}) declare`;
}
