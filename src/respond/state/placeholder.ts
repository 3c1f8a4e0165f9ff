import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { createRandom } from '../../base/random.ts';
import type { Content } from '../../contract/content.ts';
import type { Example } from '../../contract/examples.ts';
import { mergeDeep } from '../../resources/mend.ts';
import { unwrap, wrap } from '../../resources/wrapping.ts';
import { findExample } from '../example.ts';
import { drawSeed } from '../generated.ts';
import { setKeyOfPath, setParents } from './path-keys.ts';
import type { Asked, StateMaterial } from './state-request.ts';

/** What a body would be that nobody has written. */
export interface Imagined {
  readonly value: JsonValue;
  /** Where it comes from: an example of the document, or the seed that it was drawn by. */
  readonly from: Example | string;
}

/** Made-up dates are about one moment: what is made up twice is the same. */
const MOMENT = Date.UTC(2026, 0, 1);

/**
 * @param of what it is a body of: the same gives the same
 * @returns the document's example, else a value that its schema allows; undefined for neither
 */
export function imagineBody(
  { generator, hasExamples }: StateMaterial,
  content: Content,
  of: string,
): Imagined | undefined {
  const example = hasExamples ? findExample(content) : undefined;
  if (example !== undefined) return { value: example.value, from: example };
  return imagineBySchema({ generator }, content, of);
}

/** As {@link imagineBody}, without regard to examples. */
export function imagineBySchema(
  { generator }: Pick<StateMaterial, 'generator'>,
  { schema }: Pick<Content, 'schema'>,
  of: string,
): Imagined | undefined {
  if (schema === undefined) return undefined;
  const seed = drawSeed(createRandom(of));
  const value = generator.generate(
    schema.pointer,
    { random: createRandom(seed), now: MOMENT },
    'given',
  );
  return value === undefined ? undefined : { value, from: seed };
}

/** @returns what tells the resource from all others, of all sessions of other seeds */
export function identityOf({ call, place }: Asked, key: string): string {
  return `${call.seed}\n${place}\n${key}`;
}

/**
 * The resource that a read of the path shows as long as nobody has written it: with it begins
 * whoever changes what was never made.
 *
 * @returns one that has its keys alone where no operation shows one, or none can be made up
 */
export function imagineResource(asked: Asked, key: string): JsonObject {
  const { material, meaning } = asked;
  const { resource } = meaning;
  const { read } = material.factsOf(resource);
  const content = read?.operation.responses.success?.response.contents[0];
  const identity = identityOf(asked, key);
  const body = content && imagineBody(material, content, identity)?.value;
  const shown =
    body === undefined || read?.shown === undefined
      ? undefined
      : unwrap(body, read.shown, resource);
  const { schema } = resource;
  const bare = shown ?? (schema && imagineBySchema(material, { schema }, identity)?.value);
  const thing = isJsonObject(bare) ? { ...bare } : {};
  setKeyOfPath(asked, thing);
  setParents(asked, thing);
  return thing;
}

/** @returns the resource of the document's example: of a read, else of the answer to this request */
export function exampleOf({ material, meaning }: Asked): JsonObject | undefined {
  if (!material.hasExamples) return undefined;
  for (const one of [material.factsOf(meaning.resource).read, meaning]) {
    const content = one?.operation.responses.success?.response.contents[0];
    const example = content && findExample(content);
    const thing =
      example === undefined || one?.shown === undefined
        ? undefined
        : unwrap(example.value, one.shown, meaning.resource);
    if (thing !== undefined) return thing;
  }
  return undefined;
}

/** @returns the body with the keys of the path in the resource that it shows */
export function withKeysOfPath(asked: Asked, body: JsonValue): JsonValue {
  const { shown, resource } = asked.meaning;
  const bare = shown === undefined ? undefined : unwrap(body, shown, resource);
  if (shown === undefined || bare === undefined) return body;
  const thing = { ...bare };
  setKeyOfPath(asked, thing);
  setParents(asked, thing);
  return mergeDeep(body, wrap(thing, shown, resource));
}
