import type { Contract, Operation } from '../contract/contract.ts';
import { parameterNames, splitPath } from '../contract/path-template.ts';
import type { Place } from '../document/place.ts';
import {
  createFinding,
  type Finding,
  findParameterObjects,
  type Inspector,
  Tally,
} from './finding.ts';

/** Finds paths that no request can match (OAS 3.1 §4.8.8). */
export function createPathInspector({ document }: Contract): Inspector {
  return {
    *conclude(): Generator<Finding> {
      for (const { place: root } of document.entries) {
        for (const [path, place] of pathsOf(document, root)) {
          const reason = whyUnreachable(path);
          const name = JSON.stringify(path);
          if (reason !== undefined) {
            const message = `no request leads to the path ${name}: ${reason}`;
            yield createFinding(document, 'unreachable-path', place, message);
          } else if (splitPath(path).path !== path) {
            const message = `the path ${name} has a query or a fragment: a request means it by a query parameter, a header field or a form field of that name`;
            yield createFinding(document, 'unsupported-feature', place, message, DECLARE_QUERY);
          }
        }
      }
    },
  };
}

const DECLARE_QUERY = 'OpenAPI has no such paths: other programs may not serve it.';

function pathsOf(document: Contract['document'], root: Place) {
  return document.members(`${root}/paths`).filter(([path]) => !path.startsWith('x-'));
}

/** Returns why no request can match a path; undefined when one can. */
export function whyUnreachable(path: string): string | undefined {
  if (!path.startsWith('/')) return 'it does not begin with a slash';
  if (!isBalanced(path)) return 'its braces do not match';
  const segments = splitPath(path).path.split('/');
  const isDotted = segments.some((segment) => segment === '.' || segment === '..');
  return isDotted ? 'clients resolve the segments "." and ".." before they send it' : undefined;
}

function isBalanced(path: string): boolean {
  return !/[{}]/.test(path.replaceAll(/\{[^{}/]*\}/g, ''));
}

/** Finds differences between a path and its declared parameters (OAS 3.1 §4.8.12). */
export function createPathParameterInspector({ document }: Contract): Inspector {
  const tally = new Tally(document);
  return {
    inspect(operation) {
      const { path, pointer } = operation;
      const named = new Set(parameterNames(path));
      const declared = new Map(
        findParameterObjects(document, operation)
          .filter(({ value }) => value['in'] === 'path')
          .map(({ value, pointer: place }) => [String(value['name']), place] as const),
      );
      for (const name of named) {
        if (declared.has(name)) continue;
        const message = `the path parameter {${name}} is not declared: any text is accepted`;
        tally.add('path-parameter', pointer, message);
      }
      for (const [name, place] of declared) {
        if (named.has(name)) continue;
        const message = `the path parameter ${JSON.stringify(name)} is not in the path ${path}: it is ignored`;
        tally.add('path-parameter', place, message, 'Remove it, or correct its name or the path.');
      }
    },
    conclude: () => tally.findings(),
  };
}

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
