import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import { type Collection, SINGLETON_KEY } from '../../resources/collections.ts';
import type { Resources } from '../../resources/meaning.ts';
import { createResourceFacts } from '../../resources/resource-facts.ts';
import { unwrap, wrap } from '../../resources/wrapping.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { Stored } from '../../state/store.ts';
import { fitValue } from '../conform/repair.ts';
import { findExample } from '../example.ts';
import { identityIn, placeholderBody } from './placeholder.ts';

interface ShowMaterial {
  readonly contract: Contract;
  readonly resources: Resources;
  readonly generator: Generator;
  /** False where responses leave out the document's examples. */
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

/** Returns the functions that show stored resources, and singletons before they are stored. */
export function createShow(material: ShowMaterial): {
  readonly showStored: ShowStored;
  readonly showSingleton: ShowSingleton;
} {
  const factsOf = createResourceFacts(material.contract.schemas.nodes, material.resources);
  return {
    showStored: createShowStored(material, factsOf),
    showSingleton({ type, name }, seed) {
      const { read } = factsOf(type);
      const content = read?.operation.responses.success?.response.contents[0];
      if (content === undefined || read?.shown === undefined) return undefined;
      // As in a request.
      const identity = identityIn(seed, name, SINGLETON_KEY);
      const body = placeholderBody(material, content, identity)?.value;
      return body === undefined ? undefined : unwrap(body, read.shown, type);
    },
  };
}

/** Returns the function that shows stored resources outside of a request. */
function createShowStored(
  material: ShowMaterial,
  factsOf: ReturnType<typeof createResourceFacts>,
): ShowStored {
  return ({ type, name }, { key, resource }, seed) => {
    // The same as in a request, so that generated members are the same.
    const identity = identityIn(seed, name, key);
    const fit = (schema: Schema | undefined, value: JsonValue, example?: JsonValue) =>
      fitValue({ material, schema, example, identity }, value);
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
