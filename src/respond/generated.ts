import { type Awaitable, after } from '../base/awaitable.ts';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';
import { createRandom, type Random } from '../base/random.ts';
import { plain } from '../base/words.ts';
import { type Content, validateBody } from '../contract/content.ts';
import type { Declared } from '../contract/responses.ts';
import type { Generator } from '../generate/generator.ts';
import type { GenerateValue } from '../generate/prism.ts';
import type { Known } from '../generate/value-builder.ts';
import { isSecretName } from '../journal/redact/secrets.ts';
import { readContentType } from '../media/content-type.ts';
import { sampleFile } from '../media/sample-files.ts';
import type { ValidRequest } from '../request/request.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import type { Call } from '../session/call.ts';
import { negotiate, readPreference } from './negotiate.ts';
import type { Reasons } from './nothing-found.ts';
import { type Candidate, nameSource, type ResponseSource, toCandidate } from './response.ts';

/** The content of a message, or a parameter, that a value is generated for. */
export type Described = Pick<Content, 'schema' | 'isJson' | 'project'>;

/**
 * How random a value is: `given` takes parts from the document's examples, defaults and constants,
 * and generates the rest; `free` generates everything.
 */
export type Manner = 'given' | 'free';

/**
 * Generates a value that keeps its schema. The same seed gives the same value.
 *
 * @returns undefined if none is found
 * @throws {DiagnosticError} for a schema that cannot be compiled
 */
export type DrawValue = (
  described: Described,
  chance: DrawChance,
  manner: Manner,
) => Awaitable<JsonValue | undefined>;

interface DrawMaterial {
  readonly generator: Generator;
  /** The second choice. Its values need not keep the schema. */
  readonly generateByPrism: GenerateValue;
  /** Schemas that contradict themselves are not tried again. */
  readonly reasons: Reasons;
}

export interface DrawChance {
  readonly seed: string;
  /** Milliseconds since 1970; generated dates are near it. */
  readonly now: number;
  /** The values of members that the request names. */
  readonly known?: Known;
  /** The approximate number of values in it; undefined for the usual one. */
  readonly room?: number;
}

/** A stream has something to tell: also the texts of lists in lists have room. */
const STREAMED_ROOM = 2_000;

const MOST_DRAWS = 3;

export function createDraw({ generator, generateByPrism, reasons }: DrawMaterial): DrawValue {
  return (described, { seed, now, known, room }, manner) => {
    const { schema, isJson } = described;
    if (schema === undefined) return isJson ? {} : '';
    // Throws at once if the schema cannot be compiled.
    schema.accepts(null);
    const chance = { random: createRandom(seed), now };
    const value = generator.generate(schema.pointer, chance, manner, known, room);
    if (value !== undefined || reasons.of(schema.pointer).length > 0) return value;
    return drawByPrism(generateByPrism, described, schema, seed);
  };
}

async function drawByPrism(
  generate: GenerateValue,
  content: Described,
  schema: Schema,
  seed: string,
) {
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    const drawn = await generate(schema.pointer, draw === 0 ? seed : `${seed}.${draw}`);
    if (drawn === undefined) return undefined;
    // Prism adds members that the schema merely does not forbid.
    const value = content.project(drawn);
    if (schema.accepts(value)) return value;
  }
  return undefined;
}

/** Generates the response of one status; undefined if no value conforms. */
export type GenerateResponse = (
  request: ValidRequest,
  declared: Declared,
  content: Content,
  wishes: { readonly seed: string | undefined; readonly manner: Manner },
  source: string,
  call: Call,
) => Awaitable<Candidate | undefined>;

/** Creates the generator of responses. The same calls get the same responses. */
export function createGeneration(draw: DrawValue): GenerateResponse {
  return (request, declared, content, wishes, source, call) => {
    const seed = wishes.seed ?? drawSeed(call.random);
    const file = findFile(content);
    if (file !== undefined) return toCandidate(nameSource(source, 'seed', seed), declared, file);
    const isStreamed = declared.response.streams.length > 0;
    const chance = {
      seed,
      now: call.now(),
      known: knownFrom(request, declared, wishes.manner),
      ...(isStreamed && { room: STREAMED_ROOM }),
    };
    const drawn = drawReadable(draw, content, chance, wishes.manner);
    return after(drawn, (value) => {
      if (value === undefined) return undefined;
      // What is drawn is checked there.
      const payload = { kind: 'value', content, value, isConforming: true } as const;
      return toCandidate(nameSource(source, 'seed', seed), declared, payload);
    });
  };
}

/**
 * Draws again where a client cannot read the value that was drawn: XML has no types, so a number
 * that keeps a value from matching two schemas of `oneOf` arrives as a text that matches both.
 */
function drawReadable(
  draw: DrawValue,
  content: Content,
  chance: DrawChance,
  manner: Manner,
  attempt = 1,
): Awaitable<JsonValue | undefined> {
  return after(draw(content, chance, manner), (value) => {
    const isLast = value === undefined || content.isJson || attempt === MOST_DRAWS;
    if (isLast || validateBody(content, content.encode(value)).length === 0) return value;
    const seed = `${chance.seed}.${attempt}`;
    return drawReadable(draw, content, { ...chance, seed }, manner, attempt + 1);
  });
}

/** Returns what the request says of a success: the pet of `/pets/7` has the `id` 7. */
function knownFrom(
  { parameters, operation, body }: ValidRequest,
  { status }: Declared,
  manner: Manner,
): Known {
  const ofWhole = new Map<string, JsonValue>();
  const ofItems = new Map<string, JsonValue>();
  if (status >= 300) return { ofWhole, ofItems, isFailure: status >= 400 };
  for (const { name, in: location, value } of parameters) {
    if (value === undefined || (location !== 'path' && location !== 'query')) continue;
    ofWhole.set(plain(name), value);
    if (location === 'query' && !/^(?:id|q|search|sort)$/.test(name))
      ofItems.set(plain(name), value);
    const isKey = location === 'path' && operation.path.endsWith(`{${name}}`) && /id$/i.test(name);
    if (isKey && !ofWhole.has('id')) ofWhole.set('id', value);
  }
  // Who asks for something random knows the body.
  const ofBody = manner === 'free' ? [] : knownFromBody(body?.value);
  return { ofWhole: new Map([...ofBody, ...ofWhole]), ofItems };
}

/** Returns the members of the body, but no secret: a response is kept and shown. */
function knownFromBody(body: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  const members = isJsonObject(body) ? Object.entries(body) : [];
  return members.flatMap(([name, value]) =>
    isSecretName(name) ? [] : [[plain(name), value] as const],
  );
}

function findFile(content: Content) {
  const { sentAs: mediaType } = content;
  const file = content.isJson ? undefined : sampleFile(readContentType(mediaType).type);
  if (file === undefined || validateBody(content, file).length > 0) return undefined;
  return { kind: 'text', mediaType, text: file } as const;
}

/** Returns a random seed for one value. `Mock-Source` shows it, and `Prefer: seed` repeats it. */
export function drawSeed(random: Random): string {
  return String(Math.floor(random.next() * 2 ** 32));
}

/**
 * Generates a value that depends only on the schema, the identity, and what is known of its
 * members. Returns it with its seed.
 */
export function generateFor(
  generator: Generator,
  { pointer }: Schema,
  identity: string,
  known?: Known,
) {
  const seed = drawSeed(createRandom(identity));
  const value = generator.generateSeeded(pointer, seed, known);
  return value === undefined ? undefined : { value, seed };
}

export function generatedSource(generate: GenerateResponse, manner: Manner): ResponseSource {
  return (request, call) => {
    const declared = request.operation.responses.success;
    if (declared === undefined) return undefined;
    const content = negotiate(request, declared);
    if (content === undefined) return undefined;
    const { seed } = readPreference(request);
    return generate(request, declared, content, { seed, manner }, 'generated', call);
  };
}
