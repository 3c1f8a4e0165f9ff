import type { JsonValue } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { SourceDocument } from '../document/source-document.ts';
import type { ReadMeaning, Resources } from './meaning.ts';
import type { Resource } from './resource.ts';
import { assumedValues, declaredProperties } from './shape/declared-properties.ts';

/** What the operations on a resource say of it together. */
export interface ResourceFacts {
  /** The operation that shows one; undefined where none does. */
  readonly read: ReadMeaning | undefined;
  /** Template of the path of one; undefined where one has no path. */
  readonly itemPath: string | undefined;
  /** True where something is shown of it after it was made: then it must be whole. */
  readonly isShown: boolean;
  /** True where an operation tells of what was deleted, by 410. */
  readonly declaresGone: boolean;
  /** Properties that a read declares, and the pointers of their schemas. */
  readonly properties: ReadonlyMap<string, string>;
  /** What stands in it where nobody says anything else. */
  readonly assumed: readonly (readonly [name: string, value: JsonValue])[];
}

/** @returns what finds the facts of a resource, each worked out when it is first asked for */
export function createResourceFacts(
  document: SourceDocument,
  resources: Resources,
): (resource: Resource) => ResourceFacts {
  const known = new WeakMap<Resource, ResourceFacts>();
  return (resource) => {
    const facts = known.get(resource);
    if (facts !== undefined) return facts;
    const gathered = gather(document, resources, resource);
    known.set(resource, gathered);
    return gathered;
  };
}

function gather(document: SourceDocument, resources: Resources, resource: Resource): ResourceFacts {
  const meanings = resources
    .explain()
    .flatMap(({ meaning }) => (meaning?.resource.name === resource.name ? [meaning] : []));
  // Of one resource at two paths, that at the same path knows best.
  const own = meanings.filter(({ resource: { path } }) => path === resource.path);
  const ordered = [...own, ...meanings.filter((one) => !own.includes(one))];
  const read = ordered.find((one): one is ReadMeaning => one.kind === 'read');
  const ofItem = ordered.find(({ kind }) => ITEM_KINDS.has(kind));
  const pointer = resource.schema?.pointer;
  let declaresGone: boolean | undefined;
  return {
    read,
    itemPath: (read ?? ofItem)?.operation.path,
    isShown: ordered.some(({ kind }) => kind === 'read' || kind === 'list'),
    get declaresGone() {
      declaresGone ??= ordered.some(({ operation }) => tellsGone(operation));
      return declaresGone;
    },
    properties: declaredProperties(document, pointer),
    assumed: assumedValues(document, pointer),
  };
}

function tellsGone(operation: Operation): boolean {
  if (operation.fault !== undefined) return false;
  return operation.responses.all.some(({ key }) => key === '410');
}

const ITEM_KINDS: ReadonlySet<string> = new Set(['replace', 'patch', 'delete']);
