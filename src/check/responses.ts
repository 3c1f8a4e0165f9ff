import { remember } from '../base/remember.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { chooseRefusal, type Undeclared } from '../contract/error-response.ts';
import type { Place } from '../document/place.ts';
import { createFinding, type Finding, type Inspector } from './finding.ts';

/** Finds operations that declare no response, or no success. */
export function createResponseInspector({ document }: Contract): Inspector {
  return {
    *inspect({ method, path, pointer, responses }): Generator<Finding> {
      const { success, all } = responses;
      if (success !== undefined && success.status < 400) return;
      const answer = success === undefined ? '200 without content' : String(success.status);
      const hasFinal = all.some(({ key }) => !key.startsWith('1'));
      const none = all.length === 0 ? 'no response' : 'no response but of 1xx';
      const message = `${method} ${path} declares ${hasFinal ? 'no success' : none}: a valid request is answered by ${answer}`;
      yield hasFinal
        ? createFinding(document, 'missing-success', `${pointer}/responses`, message)
        : createFinding(document, 'missing-response', pointer, message);
    },
  };
}

/** A cause for which the mock may refuse a request. */
interface Cause {
  readonly status: number;
  /** Statuses of which one must be declared. */
  readonly statuses: readonly number[];
  /** The refused request, as the subject of a sentence. */
  readonly what: string;
  mayHappen(operation: Operation): boolean;
}

const CAUSES: readonly Cause[] = [
  {
    status: 401,
    statuses: [401],
    what: 'a request without a good credential',
    mayHappen: ({ security }) =>
      security.length > 0 && security.every((schemes) => schemes.length > 0),
  },
  {
    status: 404,
    statuses: [404],
    what: 'a request for what does not exist',
    mayHappen: ({ path, method }) =>
      path.endsWith('}') && ['GET', 'PUT', 'PATCH', 'DELETE'].includes(method),
  },
  {
    status: 422,
    statuses: [400, 422],
    what: 'a request that breaks the document',
    mayHappen: ({ parameters, body }) => parameters.length > 0 || body !== undefined,
  },
];

/** Counts of operations that do not declare a status, by the status that the refusal takes. */
interface Lack {
  readonly cause: Cause;
  readonly first: Place;
  readonly counts: Map<string, number>;
}

/** Reports, for each document and cause, the statuses that refusals take instead. */
export function createRefusalInspector({ document }: Contract, undeclared: Undeclared): Inspector {
  const lacks = new Map<string, Lack>();
  return {
    inspect(operation) {
      for (const cause of CAUSES) {
        const { statuses } = cause;
        if (!cause.mayHappen(operation)) continue;
        if (statuses.some((status) => operation.responses.find(status) !== undefined)) continue;
        const key = `${cause.status} ${operation.root}`;
        const first = operation.pointer;
        const { counts } = remember(lacks, key, () => ({ cause, first, counts: new Map() }));
        const taken = describeTaken(cause, operation, undeclared);
        counts.set(taken, (counts.get(taken) ?? 0) + 1);
      }
    },
    *conclude(): Generator<Finding> {
      for (const lack of lacks.values()) {
        const place = `${lack.first}/responses`;
        yield createFinding(document, 'undeclared-refusal', place, describeLack(lack));
      }
    },
  };
}

function describeTaken({ status }: Cause, operation: Operation, undeclared: Undeclared): string {
  const taken = chooseRefusal(status, operation, undeclared);
  return taken === undefined
    ? `by ${status} as application/problem+json, which is not declared`
    : `by ${taken.status}`;
}

function describeLack({ cause: { statuses, what }, counts }: Lack): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const subject = total === 1 ? '1 operation declares' : `${total} operations declare`;
  const taken = [...counts].map(([how, count]) => (counts.size > 1 ? `${how} (${count})` : how));
  return `${subject} no ${statuses.join(' or ')}: ${what} is refused ${taken.join(', ')}`;
}
