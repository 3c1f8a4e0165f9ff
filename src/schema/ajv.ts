import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { AddedFormat } from 'ajv/dist/types/index.js';
import { internationalFormats, numberFormats } from './formats.ts';
import type { Pattern } from './pattern/pattern.ts';

const require = createRequire(import.meta.url);

/** Returns an Ajv for JSON Schema 2020-12. */
export function createAjv(
  allErrors: boolean,
  patternOf: (text: string) => Pattern,
  formats = createFormats(),
): Ajv2020 {
  // Loaded when the first schema is compiled: most tests are over before.
  const library = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const ajv = new library.Ajv2020({
    allErrors,
    strict: false,
    verbose: true,
    // `toString` and `constructor` are members only if they are in the value.
    ownProperties: true,
    validateSchema: false,
    // Meta-schemas validate schemas, and adding them takes longer than compiling a schema.
    meta: false,
    validateFormats: true,
    addUsedSchema: false,
    logger: false,
    // A schema is compiled while a request waits, and optimizing would take a third of that.
    // It requires a name for the function, for code that it would generate.
    code: { regExp: Object.assign(patternOf, { code: 'compilePattern' }), optimize: false },
  });
  for (const [name, format] of formats) ajv.addFormat(name, format);
  return ajv;
}

/** Returns every format of OpenAPI's registry. */
export function createFormats(): ReadonlyMap<string, AddedFormat> {
  const { fullFormats } = require('ajv-formats/dist/formats.js') as {
    fullFormats: Record<string, AddedFormat> & {
      readonly uri: AddedFormat;
      readonly 'date-time': { readonly validate: (text: string) => boolean };
    };
  };
  const formats = new Map<string, AddedFormat>(Object.entries(fullFormats));
  // The package accepts a space for the T, and an offset without minutes (RFC 3339 §5.6 does not).
  const { validate } = fullFormats['date-time'];
  formats.set('date-time', (text: string) => DATE_TIME.test(text) && validate(text));
  for (const [name, accepts] of internationalFormats) formats.set(name, accepts);
  for (const [name, format] of numberFormats) {
    formats.set(name, { type: 'number', validate: format.accepts });
  }
  // The registry has it as a URL of any host; Ajv's own admits no `http://localhost`.
  formats.set('url', fullFormats.uri);
  formats.set('byte', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
  formats.set('binary', true);
  formats.set('password', true);
  return formats;
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
