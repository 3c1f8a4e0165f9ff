import { applicableSchemas } from '../contract/applicable-schemas.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Schema } from '../contract/schema-compiler.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { stringifyJson } from '../json/stringify.ts';
import { getMember, isJsonObject, type JsonObject } from '../json/value.ts';
import type { Collection } from './store.ts';

/** What an operation does to the state, as its path, method and schemas say. */
export interface CreateAction {
  readonly kind: 'create';
  /** The last segment of the path. */
  readonly collection: string;
  /** The property that names a resource; undefined when the schema has none that does. */
  readonly key: string | undefined;
  /** What a stored resource conforms to: the request body's schema. */
  readonly schema: Schema;
}

/** The resources of a contract: what each operation means, and the collections there are. */
export interface Resources {
  actionOf(operation: Operation): CreateAction | undefined;
  /** The action that fills the collection; undefined for a name that no operation uses. */
  collection(name: string): CreateAction | undefined;
  readonly names: readonly string[];
}

/** Infers the resources from the document alone, each when it is first asked for. */
export function inferResources(contract: Contract): Resources {
  const actions = new Map<Operation, CreateAction | undefined>();
  const actionOf = (operation: Operation): CreateAction | undefined => {
    if (actions.has(operation)) return actions.get(operation);
    const action = inferCreate(contract, operation);
    actions.set(operation, action);
    return action;
  };
  let collections: ReadonlyMap<string, CreateAction> | undefined;
  const allCollections = (): ReadonlyMap<string, CreateAction> => {
    collections ??= collect(contract, actionOf);
    return collections;
  };
  return Object.freeze({
    actionOf,
    collection: (name: string) => allCollections().get(name),
    get names() {
      return [...allCollections().keys()];
    },
  });
}

function collect(
  contract: Contract,
  actionOf: (operation: Operation) => CreateAction | undefined,
): ReadonlyMap<string, CreateAction> {
  const collections = new Map<string, CreateAction>();
  for (const operation of contract.operations) {
    const action = operation.fault === undefined ? actionOf(operation) : undefined;
    if (action !== undefined && !collections.has(action.collection)) {
      collections.set(action.collection, action);
    }
  }
  return collections;
}

/**
 * The key of a resource as JSON text: `1`, `1.0` and `1e0` are one key, as they are one number, and
 * `"1"` is another.
 *
 * @param collection gives a resource without a key the next free number
 */
export function keyOf(resource: JsonObject, action: CreateAction, collection: Collection): string {
  const value = action.key === undefined ? undefined : getMember(resource, action.key);
  if (value !== undefined) return stringifyJson(value);
  let number = collection.size + 1;
  while (collection.has(String(number))) number++;
  return String(number);
}

/** A POST of an object to a path that ends in a name creates a resource of that name. */
function inferCreate(contract: Contract, operation: Operation): CreateAction | undefined {
  if (operation.method !== 'POST') return undefined;
  const collection = operation.path.split('/').at(-1) ?? '';
  if (collection === '' || collection.includes('{')) return undefined;
  const schema = operation.body?.contents.find(({ isJson }) => isJson)?.schema;
  if (schema === undefined) return undefined;
  const properties = propertiesOf(contract.document, schema.pointer);
  if (properties.size === 0) return undefined;
  const key = keyCandidates(contract, operation.path, collection).find((name) =>
    properties.has(name),
  );
  return Object.freeze({ kind: 'create', collection, key, schema });
}

/** The item path's parameter, `id`, then names such as `plantId`. */
function keyCandidates(contract: Contract, path: string, collection: string): string[] {
  const singular = collection.replace(/ies$/, 'y').replace(/s$/, '');
  const itemParameters = contract.operations.flatMap((operation) => {
    const rest = operation.path.startsWith(`${path}/`) ? operation.path.slice(path.length + 1) : '';
    return /^\{([^{}/]+)\}$/.exec(rest)?.[1] ?? [];
  });
  return [...itemParameters, 'id', `${singular}Id`, `${singular}_id`];
}

/** Names of the properties that a schema declares, through references and combinations. */
function propertiesOf(document: OpenAPIDocument, pointer: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { value } of applicableSchemas(document, pointer)) {
    const properties = value['properties'];
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  return names;
}
