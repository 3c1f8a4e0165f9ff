import { aboutOperations } from './about.ts';
import type { ControlOperation } from './call.ts';
import { clockOperations } from './clock.ts';
import { eventOperations } from './events.ts';
import { failOperations } from './fail.ts';
import { fixtureOperations } from './fixtures.ts';
import { journalOperations } from './journal.ts';
import { scenarioOperations } from './scenarios.ts';
import { sessionOperations } from './sessions.ts';
import { snapshotOperations } from './state/snapshots.ts';
import { stateOperations } from './state/state.ts';
import { mappingOperations } from './wiremock/mappings.ts';
import { nearMissOperations } from './wiremock/near-misses.ts';
import { requestOperations } from './wiremock/requests.ts';
import { serverOperations } from './wiremock/server.ts';

/**
 * How operations use the journal, by operationId: `read` needs its exchanges, `follow` also those
 * that arrive later. All others need only its counts.
 */
export const journalUses: ReadonlyMap<string, 'read' | 'follow'> = new Map([
  ...Object.keys({ ...journalOperations, ...requestOperations, ...nearMissOperations }).map(
    (id) => [id, 'read'] as const,
  ),
  ['waitForExchanges', 'follow'],
]);

/** Every operation of `spec/control-api.openapi.yaml`, by operationId. */
export const operations: ReadonlyMap<string, ControlOperation> = new Map(
  Object.entries({
    ...aboutOperations,
    ...fixtureOperations,
    ...failOperations,
    ...scenarioOperations,
    ...sessionOperations,
    ...journalOperations,
    ...stateOperations,
    ...snapshotOperations,
    ...clockOperations,
    ...eventOperations,
    ...mappingOperations,
    ...requestOperations,
    ...nearMissOperations,
    ...serverOperations,
  }),
);
