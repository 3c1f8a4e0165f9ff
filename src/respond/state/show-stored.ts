import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import type { Collection } from '../../resources/collections.ts';
import type { Resources } from '../../resources/meaning.ts';
import { createResourceFacts } from '../../resources/resource-facts.ts';
import { unwrap, wrap } from '../../resources/wrapping.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { Stored } from '../../state/store.ts';
import { fitValue } from '../conform/repair.ts';
import { findExample } from '../example.ts';

interface ShowMaterial {
  readonly contract: Contract;
  readonly resources: Resources;
  readonly generator: Generator;
}

/**
 * Returns a stored resource with the members that a read adds to it.
 *
 * @param seed the random seed of the session
 */
export type ShowStored = (
  collection: Collection,
  stored: Pick<Stored, 'key' | 'resource'>,
  seed: string,
) => JsonObject;

/** Returns the function that shows stored resources outside of a request. */
export function createShowStored(material: ShowMaterial): ShowStored {
  const { contract, resources } = material;
  const factsOf = createResourceFacts(contract.schemas.nodes, resources);
  return ({ type, name }, { key, resource }, seed) => {
    // The same as in a request, so that generated members are the same.
    const identity = `${seed}\n${name}\n${key}`;
    const fit = (schema: Schema | undefined, value: JsonValue, example?: JsonValue) =>
      schema === undefined || schema.check(value, 'body').length === 0
        ? value
        : fitValue({ material, schema, example, identity }, value);
    const { read } = factsOf(type);
    const content = read?.operation.responses.success?.response.contents[0];
    const shownAt = read?.shown;
    if (content === undefined || shownAt === undefined) {
      return merge(resource, fit(type.schema, resource));
    }
    const body = content.project(wrap(resource, shownAt, type));
    const shown = fit(content.schema, body, findExample(content)?.value);
    return merge(resource, shown && unwrap(shown, shownAt, type));
  };
}

/** Keeps the members that only a create mentions. */
function merge(stored: JsonObject, shown: JsonValue | undefined): JsonObject {
  return isJsonObject(shown) ? { ...stored, ...shown } : stored;
}
