import type { Contract } from '../contract/contract.ts';
import { parameterNames } from '../contract/template-segment.ts';
import { type Inspector, Tally } from './finding.ts';
import { findParameterObjects } from './operation-parts.ts';

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
      return undefined;
    },
    conclude: () => tally.findings(),
  };
}
