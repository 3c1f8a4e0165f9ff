import type { JsonObject } from '../base/json/value.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleStanding } from '../rules/session-fixtures.ts';
import { listOf, objectOf, textOf } from './members.ts';

/** A rule as one session has it. */
export function describeFixture({ rule, isOn, isAdded, matched, acted }: RuleStanding): JsonObject {
  const { name, description, priority, isOutage, origin } = rule;
  const operationIds = operationIdsOf(rule);
  return {
    name,
    ...(description !== undefined && { description }),
    enabled: isOn,
    priority,
    ...(operationIds.length > 0 && { operationIds: [...operationIds] }),
    origin: isAdded ? 'api' : 'file',
    ...(!isAdded && { source: { file: origin.file, line: origin.line } }),
    isOutage,
    matched,
    acted,
    rule: origin.definition,
  };
}

/** The operations that a rule names; none for a rule of all. */
function operationIdsOf({ pattern, origin }: Rule): readonly string[] {
  if (pattern.operation !== undefined) return [pattern.operation.id];
  const match = objectOf(origin.definition, 'match') ?? {};
  const one = textOf(match, 'operationId');
  if (one !== undefined) return [one];
  return (listOf(match, 'operationId') ?? []).filter((id) => typeof id === 'string');
}
