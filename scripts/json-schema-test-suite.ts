// Runs the JSON-Schema-Test-Suite for draft 2020-12 through the mock's schema compiler and through
// plain Ajv, and lists what fails in each.
//
//   npx tsx scripts/json-schema-test-suite.ts [DIR]
//
// DIR is a copy of https://github.com/json-schema-org/JSON-Schema-Test-Suite; without one, the copy
// in test/schema/ is run.

import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { stringifyJson } from '../src/base/json/stringify.ts';
import type { JsonValue } from '../src/base/json/value.ts';
import { createValidate, findFailures, readSuite, type Validate } from './json-schema/suite.ts';

const copy = fileURLToPath(new URL('../test/schema/json-schema-test-suite', import.meta.url));
const suite = readSuite(process.argv[2] ?? copy);
const validators: readonly (readonly [string, Validate])[] = [
  ['Coldframe', createValidate(suite)],
  ['plain Ajv', createAjvValidate(suite.remotes)],
];
for (const kind of ['required', 'formats'] as const) {
  const tests = suite[kind];
  for (const [name, validate] of validators) {
    const failures = findFailures(tests, validate);
    console.log(`${name}, ${kind}: ${tests.length - failures.length} of ${tests.length} pass`);
    for (const line of failures) console.log(`  ${line}`);
    console.log();
  }
}

function createAjvValidate(remotes: ReadonlyMap<string, string>): Validate {
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
