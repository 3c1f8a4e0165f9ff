import type { Contract } from '../contract/contract.ts';
import type { Finding } from './finding.ts';
import { createFinding } from './finding.ts';
import type { Inspector } from './inspector.ts';
import { findParameterObjects } from './parameter-objects.ts';

/** Finds where a path and its declared parameters differ; what a path's operations share, once. */
export function createPathParameterInspector({ document }: Contract): Inspector {
  const told = new Set<string>();
  const isNews = (key: string): boolean => !told.has(key) && told.add(key).size > 0;
  return {
    *inspect(operation): Generator<Finding> {
      const { method, path, root, pointer } = operation;
      const named = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name));
      const declared = findParameterObjects(document, operation).filter(
        ({ value }) => value['in'] === 'path',
      );
      for (const name of named) {
        if (declared.some(({ value }) => value['name'] === name)) continue;
        if (!isNews(`${root} ${path} ${name}`)) continue;
        const message = `the path has {${name}}, which ${method} ${path} does not declare: any text is taken`;
        yield createFinding(document, 'path-parameter', pointer, message);
      }
      for (const { value, pointer: place } of declared) {
        const name = String(value['name']);
        if (named.has(name) || !isNews(`${place} ${path}`)) continue;
        const message = `the path parameter ${JSON.stringify(name)} is not in the path ${path}: it is not asked for`;
        yield createFinding(document, 'path-parameter', place, message);
      }
    },
  };
}
