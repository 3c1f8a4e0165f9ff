import type { Contract } from '../contract/contract.ts';
import type { Place } from '../document/place.ts';
import { createFinding, type Finding } from './finding.ts';
import type { Inspector } from './inspector.ts';

/** Finds paths that no request leads to, by how they are written (OAS 3.1 §4.8.8). */
export function createPathInspector({ document }: Contract): Inspector {
  return {
    *conclude(): Generator<Finding> {
      for (const { place: root } of document.entries) {
        for (const [path, place] of pathsOf(document, root)) {
          const reason = whyUnreachable(path);
          if (reason === undefined) continue;
          const message = `no request leads to the path ${JSON.stringify(path)}: ${reason}`;
          yield createFinding(document, 'unreachable-path', place, message);
        }
      }
    },
  };
}

function pathsOf(document: Contract['document'], root: Place) {
  return document.members(`${root}/paths`).filter(([path]) => !path.startsWith('x-'));
}

/** @returns why no request leads to a path, by how it is written; undefined when one does */
export function whyUnreachable(path: string): string | undefined {
  if (!path.startsWith('/')) return 'it does not begin with a slash';
  if (!isBalanced(path)) return 'its braces do not match';
  const literal = path.replaceAll(/\{[^{}]*\}/g, '');
  if (literal.includes('?')) return 'what follows the "?" is the query, and no part of a path';
  if (literal.includes('#')) return 'what follows the "#" is never sent';
  if (/\{\}/.test(path)) return 'a parameter has no name';
  const isDotted = path.split('/').some((segment) => segment === '.' || segment === '..');
  return isDotted ? 'clients resolve the segments "." and ".." before they send it' : undefined;
}

function isBalanced(path: string): boolean {
  return !/[{}]/.test(path.replaceAll(/\{[^{}/]*\}/g, ''));
}
