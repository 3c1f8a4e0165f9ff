import { createRequire } from 'node:module';
import type { IHttpConfig } from '@stoplight/prism-http';
import { toPointer } from '../base/json/pointer.ts';
import {
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import type { Contract } from '../contract/contract.ts';
import { isDocumentFault } from '../document/diagnostic.ts';

const require = createRequire(import.meta.url);

type Prism = typeof import('@stoplight/prism-http');
type PrismOperations = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>;

/** Makes a value for the schema at a pointer from a seed; undefined when it cannot. */
export type GenerateValue = (
  schema: string | undefined,
  seed: string,
) => Promise<JsonValue | undefined>;

/**
 * Generates values by Prism, which reads schemas as draft 7 and does not always keep them: whoever
 * calls this checks what comes. It is loaded on the first call, as that takes a second or so, and
 * is handed one schema at a time, as it takes minutes over large documents.
 */
export function createPrismGenerator(contract: Contract): GenerateValue {
  const prepared = new Map<string, Promise<PrismOperations>>();
  return async (schema, seed) => {
    const key = schema ?? '';
    const operations = prepared.get(key) ?? prepare(contract, schema);
    prepared.set(key, operations);
    const known = await operations;
    return known.length === 0 ? undefined : callPrism(loadPrism(), known, seed);
  };
}

function loadPrism(): Prism {
  return require('@stoplight/prism-http') as Prism;
}

/** A schema that Prism cannot read gives no operation, and so no value; it is read only once. */
async function prepare(contract: Contract, schema: string | undefined): Promise<PrismOperations> {
  let document: JsonObject;
  try {
    document = wrap(contract, schema);
  } catch (error) {
    if (isDocumentFault(error)) return [];
    throw error;
  }
  try {
    return await loadPrism().getHttpOperationsFromSpec(document);
  } catch {
    // Prism throws errors of many kinds about schemas that it cannot read.
    return [];
  }
}

async function callPrism(
  prism: Prism,
  operations: PrismOperations,
  seed: string,
): Promise<JsonValue | undefined> {
  const instance = prism.createInstance(createConfig(seed), { logger: createLogger() });
  const request = { method: 'get', url: { path: '/' }, headers: {} } as const;
  // The config is a fresh one each time, as Prism changes what it is given.
  const result = await instance.request(request, operations, createConfig(seed))();
  if (result._tag === 'Left') return undefined;
  const body: unknown = result.right.output.body;
  return body === undefined ? undefined : toJsonValue(body);
}

function createConfig(seed: string): IHttpConfig {
  return {
    isProxy: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: true, code: 200, mediaTypes: ['application/json'], seed },
  };
}

type Logger = Parameters<Prism['createInstance']>[1]['logger'];

/** Prism wants pino's whole interface; nothing that it says is of use to a user here. */
function createLogger(): Logger {
  const silent = (): void => {};
  const logger = Object.fromEntries(
    ['info', 'debug', 'warn', 'error', 'trace', 'fatal', 'success'].map((level) => [level, silent]),
  );
  return Object.assign(logger, { child: () => logger }) as unknown as Logger;
}

/** Prism works in plain JavaScript values: what it makes is brought into JSON's own. */
function toJsonValue(body: unknown): JsonValue | undefined {
  const text = JSON.stringify(body);
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}

/** It takes seconds over more. */
const MOST_SCHEMAS = 50;

/** A document of one operation whose answer is the schema, with all that the schema refers to. */
function wrap(contract: Contract, schema: string | undefined): JsonObject {
  const names = new Map<string, string>();
  const schemas: JsonObject = {};
  const copyAt = (pointer: string): JsonValue => copy(contract.document.at(pointer) ?? {}, pointer);
  const open = new Set<string>();
  const nameOf = (pointer: string): string => {
    // Prism does not find the end of a schema that comes back to itself, for seconds or for ever.
    if (open.has(pointer)) throw new RangeError('a recursive schema is none for Prism');
    const known = names.get(pointer);
    if (known !== undefined) return known;
    if (names.size >= MOST_SCHEMAS) throw new RangeError('so many schemas are none for Prism');
    const name = `S${names.size}`;
    names.set(pointer, name);
    open.add(pointer);
    schemas[name] = copyAt(pointer);
    open.delete(pointer);
    return name;
  };
  const copy = (value: JsonValue, pointer: string): JsonValue => {
    // Limits of int64 and the like: as near as a double comes.
    if (typeof value === 'bigint' || value instanceof Decimal) return Number(value);
    if (Array.isArray(value)) return value.map((item, index) => copy(item, `${pointer}/${index}`));
    if (!isJsonObject(value)) return value;
    const object: JsonObject = {};
    for (const [keyword, member] of Object.entries(value)) {
      const place = pointer + toPointer([keyword]);
      const isReference = keyword === '$ref' && typeof member === 'string';
      const copied = isReference
        ? `#/components/schemas/${nameOf(contract.document.pointerOf(member, pointer))}`
        : copy(member, place);
      setMember(object, keyword, copied);
    }
    return object;
  };
  const answer = schema === undefined ? {} : copyAt(schema);
  return {
    openapi: '3.1.0',
    info: { title: 'one schema', version: '1' },
    paths: {
      '/': {
        get: {
          responses: {
            200: { description: '', content: { 'application/json': { schema: answer } } },
          },
        },
      },
    },
    components: { schemas },
  };
}
