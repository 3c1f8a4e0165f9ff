// Runs the JSON-Schema-Test-Suite for draft 2020-12 through the mock's own schema compiler and
// through plain Ajv, and lists what fails in each.
//
//   npx tsx scripts/json-schema-test-suite.ts DIR
//
// DIR is a copy of https://github.com/json-schema-org/JSON-Schema-Test-Suite.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { parseJson } from '../src/base/json/parse.ts';
import { stringifyJson } from '../src/base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/base/json/value.ts';
import { type DocumentFile, OpenAPIDocument } from '../src/document/document.ts';
import { parseSource } from '../src/document/source.ts';
import { SchemaCompiler } from '../src/schema/schema-compiler.ts';

const SUITE_HOST = 'http://localhost:1234';
const TESTED = 'https://tested.invalid/schema';
/** Formats that OAS 3.1 §4.4 and its registry share with JSON Schema. */
const FORMATS = [
  'date', 'date-time', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname',
  'ipv4', 'ipv6', 'uri', 'uri-reference', 'iri', 'iri-reference', 'uri-template', 'uuid',
  'json-pointer', 'relative-json-pointer', 'regex', 'ecmascript-regex', 'unknown',
]; // biome-ignore format: a list of names

interface Test {
  readonly title: string;
  readonly schema: JsonValue;
  readonly data: JsonValue;
  readonly valid: boolean;
}

/** Says whether an instance is valid; throws when it cannot. */
type Run = (test: Test) => boolean;

const [suite] = process.argv.slice(2);
if (suite === undefined) {
  console.error('Usage: npx tsx scripts/json-schema-test-suite.ts DIR');
  process.exit(2);
}
const draft = join(suite, 'tests/draft2020-12');
const remotes = readRemotes(join(suite, 'remotes'));
const runs: readonly (readonly [string, Run])[] = [
  ['Coldframe', createOwnRun(remotes)],
  ['plain Ajv', createAjvRun(remotes)],
];
report('required', readTests(readdirSync(draft).map((name) => join(draft, name))));
report('formats', readTests(FORMATS.map((name) => join(draft, 'optional/format', `${name}.json`))));

function report(what: string, tests: readonly Test[]): void {
  for (const [name, run] of runs) {
    const failed = tests.flatMap((test) => {
      const said = tryRun(run, test);
      return said === undefined ? [] : [`${test.title}: ${said}`];
    });
    console.log(`${name}, ${what}: ${tests.length - failed.length} of ${tests.length} pass`);
    for (const line of failed) console.log(`  ${line}`);
    console.log();
  }
}

function tryRun(run: Run, test: Test): string | undefined {
  try {
    const isValid = run(test);
    return isValid === test.valid ? undefined : `taken as ${isValid ? 'valid' : 'invalid'}`;
  } catch (error) {
    return `throws: ${String(error).split('\n')[0]?.slice(0, 160)}`;
  }
}

function readTests(files: readonly string[]): Test[] {
  return files
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const groups = parseJson(readFileSync(file, 'utf8'));
      if (!Array.isArray(groups)) return [];
      return groups
        .filter(isJsonObject)
        .flatMap((group) => readGroup(relative(draft, file), group));
    });
}

function readGroup(file: string, { description, schema = true, tests }: JsonObject): Test[] {
  return (Array.isArray(tests) ? tests.filter(isJsonObject) : []).map((test) => ({
    title: `${file}: ${description}: ${test['description']}`,
    schema,
    data: test['data'] ?? null,
    valid: test['valid'] === true,
  }));
}

/** @returns texts by URI, with the meta-schemas that tests refer to */
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

/** Each schema stands in a small OpenAPI document; what is remote is a file beside it. */
function createOwnRun(remotes: ReadonlyMap<string, string>): Run {
  const meta = readMetaSchemas();
  const beside = [...meta, ...remotes].map(([uri, text]): DocumentFile => {
    return { source: parseSource(uri, text), uri, version: '3.1' };
  });
  return ({ schema, data }) => {
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
    const compiled = new SchemaCompiler(document).schemaAt('/components/schemas/Tested');
    return compiled.check(data, 'body').length === 0;
  };
}

function readMetaSchemas(): [string, string][] {
  const require = createRequire(import.meta.url);
  const base = 'ajv/dist/refs/json-schema-2020-12';
  const parts = [
    'core',
    'applicator',
    'unevaluated',
    'validation',
    'meta-data',
    'format-annotation',
    'content',
  ];
  return ['schema', ...parts.map((part) => `meta/${part}`)].map((name) => {
    const text = readFileSync(require.resolve(`${base}/${name}.json`), 'utf8');
    return [`https://json-schema.org/draft/2020-12/${name}`, text];
  });
}

function createAjvRun(remotes: ReadonlyMap<string, string>): Run {
  return ({ schema, data }) => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    ajvFormats.default(ajv);
    for (const [uri, text] of remotes) ajv.addSchema(JSON.parse(text), uri);
    // A fresh copy as doubles: plain Ajv knows no others.
    return ajv.validate(toPlain(schema) as object, toPlain(data)) === true;
  };
}

function toPlain(value: JsonValue): unknown {
  return JSON.parse(stringifyJson(value));
}
