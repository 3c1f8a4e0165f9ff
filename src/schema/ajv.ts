import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { internationalFormats, numberFormats } from './formats.ts';
import type { Pattern } from './pattern/pattern.ts';

const require = createRequire(import.meta.url);

/** Returns an Ajv for JSON Schema 2020-12 with every format of OpenAPI's registry. */
export function createAjv(allErrors: boolean, patternOf: (text: string) => Pattern): Ajv2020 {
  // Loaded when the first schema is used: a health check does not need it.
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
  addFormats(ajv);
  for (const [name, accepts] of internationalFormats) ajv.addFormat(name, accepts);
  for (const [name, format] of numberFormats) {
    ajv.addFormat(name, { type: 'number', validate: format.accepts });
  }
  ajv.addFormat('byte', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
  ajv.addFormat('binary', true);
  ajv.addFormat('password', true);
  return ajv;
}

function addFormats(ajv: Ajv2020): void {
  const { fullFormats } = require('ajv-formats/dist/formats.js') as {
    fullFormats: Record<string, Parameters<Ajv2020['addFormat']>[1]> & {
      readonly 'date-time': { readonly validate: (text: string) => boolean };
    };
  };
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format);
  // The package accepts a space for the T, and an offset without minutes (RFC 3339 §5.6 does not).
  const { validate } = fullFormats['date-time'];
  ajv.addFormat('date-time', (text: string) => DATE_TIME.test(text) && validate(text));
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
