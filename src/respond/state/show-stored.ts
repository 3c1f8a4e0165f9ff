import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import { type Collection, identityIn, SINGLETON_KEY } from '../../resources/collections.ts';
import type { Resources } from '../../resources/meaning.ts';
import { createResourceFacts } from '../../resources/resource-facts.ts';
import { unwrap, wrap } from '../../resources/wrapping.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { Stored } from '../../state/store.ts';
import { fitValue } from '../conform/repair.ts';
import { findExample } from '../example.ts';
import { contentOf, placeholderIn } from './placeholder.ts';

interface ShowMaterial {
  readonly contract: Contract;
  readonly resources: Resources;
  readonly generator: Generator;
  readonly hasExamples: boolean;
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

/**
 * Returns what a read shows of a singleton that was never written; undefined if no operation shows
 * it.
 *
 * @param seed the random seed of the session
 */
export type ShowSingleton = (singleton: Collection, seed: string) => JsonObject | undefined;

/**
 * Returns the functions that show stored resources, and singletons before they are stored. Generated
 * members are the same as in a request.
 */
export function createShow(material: ShowMaterial) {
  const factsOf = createResourceFacts(material.contract.schemas.nodes, material.resources);
  const showStored: ShowStored = ({ type, name }, { key, resource }, seed) => {
    const identity = identityIn(seed, name, key);
    const fit = (schema: Schema | undefined, value: JsonValue, example?: JsonValue) =>
      fitValue({ material, schema, example, identity }, value);
    const { read } = factsOf(type);
    const content = contentOf(read);
    // The members that only a create mentions stay.
    if (content === undefined || read?.shown === undefined) {
      const whole = fit(type.schema, resource);
      return isJsonObject(whole) ? { ...resource, ...whole } : resource;
    }
    const body = content.project(wrap(resource, read.shown, type));
    const shown = fit(content.schema, body, findExample(content)?.value);
    return { ...resource, ...unwrap(shown, read.shown, type) };
  };
  const showSingleton: ShowSingleton = ({ type, name }, seed) =>
    placeholderIn(material, factsOf(type).read, identityIn(seed, name, SINGLETON_KEY));
  return { showStored, showSingleton };
}
