import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseJson } from '../../src/base/json/parse.ts';
import { stringifyJson } from '../../src/base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { type DocumentFile, OpenAPIDocument } from '../../src/document/document.ts';
import { parseSource } from '../../src/document/source.ts';
import { type Schema, SchemaCompiler } from '../../src/schema/schema-compiler.ts';

const SUITE_HOST = 'http://localhost:1234';
const TESTED = 'https://tested.invalid/schema';

/** One test of the suite. */
export interface SuiteTest {
  /** File, group and test. */
  readonly title: string;
  readonly schema: JsonValue;
  readonly data: JsonValue;
  readonly isValid: boolean;
}

/** The tests of draft 2020-12 in a copy of JSON-Schema-Test-Suite. */
export interface Suite {
  readonly required: readonly SuiteTest[];
  readonly formats: readonly SuiteTest[];
  /** Texts of the schemas that tests refer to, by URI. */
  readonly remotes: ReadonlyMap<string, string>;
}

/** Returns whether an instance is valid; throws when a schema cannot be compiled. */
export type Validate = (test: SuiteTest) => boolean;

/** @param folder a copy of https://github.com/json-schema-org/JSON-Schema-Test-Suite */
export function readSuite(folder: string): Suite {
  const draft = join(folder, 'tests/draft2020-12');
  const formats = join(draft, 'optional/format');
  return {
    required: readTests(draft),
    formats: readTests(formats),
    remotes: readRemotes(join(folder, 'remotes')),
  };
}

function readTests(folder: string): SuiteTest[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => {
      const groups = parseJson(readFileSync(join(folder, name), 'utf8'));
      if (!Array.isArray(groups)) return [];
      return groups.filter(isJsonObject).flatMap((group) => readGroup(name, group));
    });
}

function readGroup(file: string, { description, schema = true, tests }: JsonObject): SuiteTest[] {
  return (Array.isArray(tests) ? tests.filter(isJsonObject) : []).map((test) => ({
    title: `${file}: ${description}: ${test['description']}`,
    schema,
    data: test['data'] ?? null,
    isValid: test['valid'] === true,
  }));
}

function readRemotes(folder: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file);
    const isOtherDraft = /^(?:draft(?!2020-12)|v\d)/.test(path);
    if (!entry.isFile() || !file.endsWith('.json') || isOtherDraft) continue;
    texts.set(`${SUITE_HOST}/${path}`, readFileSync(file, 'utf8'));
  }
  return texts;
}

/** Returns the titles of the tests that fail, each with what happened instead. */
export function findFailures(tests: readonly SuiteTest[], validate: Validate): string[] {
  return tests.flatMap((test) => {
    const outcome = describeOutcome(validate, test);
    return outcome === undefined ? [] : [`${test.title}: ${outcome}`];
  });
}

/** @returns undefined for a test that passes */
function describeOutcome(validate: Validate, test: SuiteTest): string | undefined {
  try {
    const isValid = validate(test);
    return isValid === test.isValid ? undefined : `taken as ${isValid ? 'valid' : 'invalid'}`;
  } catch (error) {
    return `throws: ${String(error).split('\n')[0]?.slice(0, 160)}`;
  }
}

/**
 * Validates by the schema compiler: each schema is in an OpenAPI document, and remotes beside it.
 *
 * @param mostSteps 0 compiles each schema at once
 */
export function createValidate({ remotes }: Suite, mostSteps?: number): Validate {
  const beside = [...readMetaSchemas(), ...remotes].map(([uri, text]): DocumentFile => {
    return { source: parseSource(uri, text), uri, version: '3.1' };
  });
  const compile = (schema: JsonValue): Schema => {
    const tested = isJsonObject(schema) ? { $id: TESTED, ...schema } : schema;
    const text = stringifyJson({ openapi: '3.1.1', components: { schemas: { Tested: tested } } });
    const uri = 'https://tested.invalid/openapi.json';
    const file: DocumentFile = { source: parseSource('openapi.json', text), uri, version: '3.1' };
    const document = new OpenAPIDocument({
      files: [file, ...beside],
      entries: [],
      unread: new Map(),
      texts: new Map(),
    });
    return new SchemaCompiler(document, mostSteps).schemaAt('/components/schemas/Tested');
  };
  // The tests of a group share their schema.
  const compiled = new Map<JsonValue, Schema>();
  return ({ schema, data }) => {
    const known = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, known);
    return known.accepts(data);
  };
}

function readMetaSchemas(): [uri: string, text: string][] {
  const require = createRequire(import.meta.url);
  const vocabularies = [
    'core',
    'applicator',
    'unevaluated',
    'validation',
    'meta-data',
    'format-annotation',
    'content',
  ];
  return ['schema', ...vocabularies.map((name) => `meta/${name}`)].map((name) => {
    const path = require.resolve(`ajv/dist/refs/json-schema-2020-12/${name}.json`);
    return [`https://json-schema.org/draft/2020-12/${name}`, readFileSync(path, 'utf8')];
  });
}
