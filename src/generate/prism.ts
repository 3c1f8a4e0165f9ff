import { createRequire } from 'node:module';
import type { IHttpConfig } from '@stoplight/prism-http';
import { toPointer } from '../base/json/pointer.ts';
import {
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
} from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Contract } from '../contract/contract.ts';

const require = createRequire(import.meta.url);

type Prism = typeof import('@stoplight/prism-http');
type PrismOperations = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>;

/** Generates a value for the schema at a pointer from a seed; undefined when it cannot. */
export type GenerateValue = (
  schema: string | undefined,
  seed: string,
) => Promise<JsonValue | undefined>;

/**
 * Returns a generator that uses Prism. Prism reads schemas as draft 7, and its values do not always
 * conform: the caller must validate them. It is loaded at the first call, as that takes a second,
 * and gets one schema at a time, as large documents take it minutes.
 */
export function createPrismGenerator(contract: Contract): GenerateValue {
  const prepared = new Map<string, Promise<PrismOperations>>();
  return async (schema, seed) => {
    const known = await remember(prepared, schema ?? '', () => prepare(contract, schema));
    return known.length === 0 ? undefined : callPrism(known, seed);
  };
}

function loadPrism(): Prism {
  return require('@stoplight/prism-http') as Prism;
}

/** Reads a schema by Prism; returns no operations for a schema that Prism cannot read. */
async function prepare(contract: Contract, schema: string | undefined): Promise<PrismOperations> {
  try {
    return await loadPrism().getHttpOperationsFromSpec(wrap(contract, schema));
  } catch {
    // Prism throws errors of many kinds about schemas that it cannot read.
    return [];
  }
}

async function callPrism(operations: PrismOperations, seed: string) {
  const instance = loadPrism().createInstance(createConfig(seed), { logger: createLogger() });
  const request = { method: 'get', url: { path: '/' }, headers: {} } as const;
  // Prism changes its configuration: each call needs its own.
  const result = await instance.request(request, operations, createConfig(seed))();
  if (result._tag === 'Left') return undefined;
  const text = JSON.stringify(result.right.output.body);
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
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

/** Returns a logger that drops everything: Prism's messages do not help a user. */
function createLogger(): Logger {
  const silent = (): void => {};
  const logger = Object.fromEntries(
    ['info', 'debug', 'warn', 'error', 'trace', 'fatal', 'success'].map((level) => [level, silent]),
  );
  return Object.assign(logger, { child: () => logger }) as unknown as Logger;
}

/** More schemas take Prism seconds. */
const MOST_SCHEMAS = 50;

/**
 * Returns a document with one operation that responds with the schema, and all that it refers to.
 */
function wrap(contract: Contract, schema: string | undefined): JsonObject {
  const names = new Map<string, string>();
  const schemas: JsonObject = {};
  const copyAt = (pointer: string): JsonValue => copy(contract.document.at(pointer) ?? {}, pointer);
  const open = new Set<string>();
  const nameOf = (pointer: string): string => {
    // Prism takes seconds or forever for a recursive schema.
    if (open.has(pointer)) throw new RangeError('Prism cannot read a recursive schema');
    const known = names.get(pointer);
    if (known !== undefined) return known;
    if (names.size >= MOST_SCHEMAS) throw new RangeError('Prism cannot read so many schemas');
    const name = `S${names.size}`;
    names.set(pointer, name);
    open.add(pointer);
    schemas[name] = copyAt(pointer);
    open.delete(pointer);
    return name;
  };
  const copy = (value: JsonValue, pointer: string): JsonValue => {
    // Limits of int64 and the like become the nearest double.
    if (typeof value === 'bigint' || value instanceof Decimal) return Number(value);
    if (Array.isArray(value)) return value.map((item, index) => copy(item, `${pointer}/${index}`));
    if (!isJsonObject(value)) return value;
    return mapMembers(value, (member, keyword) =>
      keyword === '$ref' && typeof member === 'string'
        ? `#/components/schemas/${nameOf(contract.document.pointerOf(member, pointer))}`
        : copy(member, pointer + toPointer([keyword])),
    );
  };
  const answer = schema === undefined ? {} : copyAt(schema);
  const content = { 'application/json': { schema: answer } };
  return {
    openapi: '3.1.0',
    info: { title: 'one schema', version: '1' },
    paths: { '/': { get: { responses: { 200: { description: '', content } } } } },
    components: { schemas },
  };
}
