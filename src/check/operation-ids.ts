import type { Contract, Operation } from '../contract/contract.ts';
import { createFinding, type Finding, type Inspector } from './finding.ts';

/** Finds an operationId that two operations of one document share (OAS 3.1 §4.8.10). */
export function createOperationIdInspector({ document, operations }: Contract): Inspector {
  return {
    *conclude(): Generator<Finding> {
      const first = new Map<string, Operation>();
      for (const operation of operations) {
        const id = document.at(`${operation.pointer}/operationId`);
        if (typeof id !== 'string') continue;
        const key = `${operation.root} ${id}`;
        const other = first.get(key);
        if (other === undefined) first.set(key, operation);
        else {
          yield createFinding(
            document,
            'duplicate-operation-id',
            `${operation.pointer}/operationId`,
            `the operationId ${JSON.stringify(id)} belongs to ${other.method} ${other.path} already`,
          );
        }
      }
    },
  };
}
