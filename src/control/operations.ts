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
import { globalDelayOperations } from './wiremock/global-delay.ts';
import { mappingOperations } from './wiremock/mappings.ts';
import { nearMissOperations } from './wiremock/near-misses.ts';
import { refusedOperations } from './wiremock/refused.ts';
import { requestOperations } from './wiremock/requests.ts';

/** What the operations want of the journal that look at what was asked, by operationId. */
export const usesOfJournal: ReadonlyMap<string, 'read' | 'follow'> = new Map([
  ...Object.keys({ ...journalOperations, ...requestOperations, ...nearMissOperations }).map(
    (id) => [id, 'read'] as const,
  ),
  ['waitForExchanges', 'follow'],
]);

/** All that the control API's document declares, by operationId. */
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
    ...globalDelayOperations,
    ...refusedOperations,
  }),
);
