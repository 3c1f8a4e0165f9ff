import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { toPath, toPointer } from '../../base/json/pointer.ts';
import {
  containsExactNumber,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toDoubles,
} from '../../base/json/value.ts';
import { askMeant } from '../../base/nearest-name.ts';
import { packageFolder } from '../../base/package-folder.ts';
import type { Diagnostic } from '../../document/diagnostic.ts';
import { FilePlace, type SourceDocument } from '../../document/source-document.ts';
import { describeValue } from '../../schema/violations.ts';

const require = createRequire(import.meta.url);
const folder = join(packageFolder, 'fixtures');

/** Validates a whole file, or the `match` of a rule, by the published schema of fixture files. */
export function checkForm(place: FilePlace, form: 'file' | 'match'): readonly Diagnostic[] {
  const { file: document, pointer } = place;
  // Compiled from `fixtures.schema.json`, and loaded when the first file is read.
  const validators = require(join(folder, 'fixtures.schema.cjs')) as Record<
    typeof form,
    ValidateFunction
  >;
  const validate = validators[form];
  const value = document.at(pointer) ?? null;
  const exact = form === 'file' ? [...findExactNumbers(value, '')] : [];
  if (validate(toDoubles(value)) && exact.length === 0) return [];
  const errors = dropConsequences((validate.errors ?? []).slice(0, MOST_ERRORS));
  const diagnostics = errors.map((error) => toDiagnostic(error, place));
  for (const at of exact) diagnostics.push(tooExact(document, at));
  if ((validate.errors ?? []).length > MOST_ERRORS) {
    diagnostics.push(
      document.diagnose('error', pointer, 'there are more errors than can be shown'),
    );
  }
  // Several keywords of one schema are explained by the same sentence.
  return [...new Map(diagnostics.map((one) => [one.pointer + one.message, one])).values()];
}

/** More are of no use to a reader. */
const MOST_ERRORS = 1000;

/** Values of requests, bodies and resources keep all their digits. */
const KEEPS_DIGITS = /^\/resources$|^\/rules\/\d+\/(?:match|metadata|answer\/body)$/;

/** Finds the numbers of rules that no double holds: counts, times and statuses are doubles. */
function* findExactNumbers(value: JsonValue, pointer: string): Generator<string> {
  if (KEEPS_DIGITS.test(pointer) || !containsExactNumber(value)) return;
  if (!Array.isArray(value) && !isJsonObject(value)) yield pointer;
  else {
    for (const [name, one] of Object.entries(value)) {
      yield* findExactNumbers(one, pointer + toPointer([name]));
    }
  }
}

function tooExact(document: SourceDocument, pointer: string): Diagnostic {
  const got = describeValue(document.at(pointer) ?? null);
  const message = `${toPath(pointer).at(-1)} must be a number with at most 15 digits, got ${got}`;
  return document.diagnose('error', pointer, message);
}

/** Drops the errors that only follow from others. */
function dropConsequences(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf');
  return errors.filter((error) => {
    const { keyword, schemaPath, instancePath } = error;
    const isAlternative = choices.some(
      (choice) =>
        instancePath === choice.instancePath && schemaPath.startsWith(`${choice.schemaPath}/`),
    );
    if (keyword === 'if' || isAlternative) return false;
    // A member is unevaluated, too, if its own schema is violated.
    const name = unknownName(error);
    if (name !== undefined) return !knownNames(error.parentSchema).includes(name);
    // The member that is missing may be the one that has a wrong name.
    const isMisnamed = (other: ErrorObject): boolean =>
      other.instancePath === instancePath && other.keyword === 'unevaluatedProperties';
    return keyword !== 'anyOf' || !errors.some(isMisnamed);
  });
}

function unknownName({ params }: ErrorObject): string | undefined {
  return params['additionalProperty'] ?? params['unevaluatedProperty'];
}

function toDiagnostic(error: ErrorObject, base: FilePlace): Diagnostic {
  const { keyword, params, schema, parentSchema, data } = error;
  const place = new FilePlace(base.file, base.pointer + error.instancePath);
  const subject = nameOf(place.pointer);
  const say = ({ file, pointer }: FilePlace, message: string, remedy?: string): Diagnostic =>
    file.diagnose('error', pointer, message, remedy);
  switch (keyword) {
    case 'required':
      return say(place, `${subject} must have the member "${params['missingProperty']}"`);
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownMember(place, unknownName(error) ?? '', knownNames(parentSchema));
    case 'dependentRequired': {
      const name = String(params['property']);
      return say(place.at(name), `${name} needs ${params['missingProperty']} beside it`);
    }
    case 'anyOf': {
      const names = requiredNames(schema);
      const [, dependent] = /dependentSchemas\/([^/]+)\/anyOf$/.exec(error.schemaPath) ?? [];
      if (dependent !== undefined) {
        return say(place.at(dependent), `${dependent} needs ${listWords(names)} beside it`);
      }
      const title = titleOf(parentSchema);
      return title === undefined
        ? say(place, `${subject} must have ${listWords(names)}`)
        : say(place, `${subject} must have ${title}`, `One of ${names.join(', ')}.`);
    }
    case 'not': {
      const [first = '', second = ''] = requiredNames([schema]);
      return say(place.at(second), `${second} cannot be combined with ${first}`);
    }
    case 'minProperties':
    case 'maxProperties':
      return say(place, `${subject} must have one of ${knownNames(parentSchema).join(', ')}`);
    default: {
      const expected = describeSchema(isJsonObject(parentSchema) ? parentSchema : {});
      const meant = Array.isArray(schema) ? askMeant(String(data), schema.map(String)).trim() : '';
      const message = `${subject} must be ${expected}, got ${describeValue(data as JsonValue)}`;
      return say(place, message, meant === '' ? undefined : meant);
    }
  }
}

/** Returns the last name of a pointer, with the index of an item: `query`, `rules/0`. */
function nameOf(pointer: string): string {
  const [last = 'the file', parent] = toPath(pointer).reverse();
  return parent !== undefined && /^\d+$/.test(last) ? `${parent}/${last}` : last;
}

/** WireMock has these. They see the text of XML, and need XPath 1 or 2. */
const XML_MATCHERS = ['equalToXml', 'matchesXPath', 'matchesXPath2'];

function unknownMember(object: FilePlace, name: string, known: readonly string[]): Diagnostic {
  const { file, pointer } = object.at(name);
  if (known.includes('matchesJsonPath') && XML_MATCHERS.includes(name)) {
    const message = `${name} is not supported: XML is matched as the value that the document reads from it`;
    const remedy = 'Use body, bodySchema, equalToJson or matchesJsonPath, which see that value.';
    return file.diagnose('error', pointer, message, remedy);
  }
  const remedy = `${askMeant(name, known)}Known here: ${known.join(', ')}.`;
  const diagnostic = file.diagnose('error', pointer, `"${name}" is not known here`, remedy);
  return { ...diagnostic, position: file.locate(pointer, 'key') };
}

/** Returns the names of the properties that a schema describes, by itself or by its `$ref`. */
function knownNames(schema: unknown): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { $ref: reference, properties } = schema;
  const own = isJsonObject(properties) ? Object.keys(properties) : [];
  if (typeof reference !== 'string') return own;
  const { $defs } = require(join(folder, 'fixtures.schema.json')) as { $defs: JsonObject };
  return [...own, ...knownNames(getMember($defs, reference.replace('#/$defs/', '')))];
}

function requiredNames(schemas: unknown): readonly string[] {
  if (!Array.isArray(schemas)) return [];
  return schemas.flatMap(
    (schema: { readonly required?: readonly string[] }) => schema.required ?? [],
  );
}

/** Returns the `title` of a schema in a file: it is a noun for the values that are expected. */
function titleOf(schema: unknown): string | undefined {
  if (!isJsonObject(schema) || schema['$schema'] !== undefined) return undefined;
  return typeof schema['title'] === 'string' ? schema['title'] : undefined;
}

/** Returns a noun for the values that a schema accepts: `a whole number from 200 to 599`. */
function describeSchema(schema: JsonObject): string {
  const title = titleOf(schema);
  if (title !== undefined) return title;
  const { enum: choices, const: constant, type } = schema;
  if (Array.isArray(choices)) return `one of ${choices.join(', ')}`;
  if (constant !== undefined) return String(constant);
  return listWords([type].flat().map((one) => describeType(one ?? '', schema)));
}

function describeType(type: JsonValue, { pattern, minimum, maximum }: JsonObject): string {
  const least = minimum === undefined ? '' : ` of at least ${String(minimum)}`;
  const bounds = maximum === undefined ? least : ` from ${String(minimum)} to ${String(maximum)}`;
  switch (type) {
    case 'integer':
      return `a whole number${bounds}`;
    case 'number':
      return `a number${bounds}`;
    case 'string':
      return pattern === undefined ? 'a string' : `a string that matches ${String(pattern)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    default:
      return 'an object';
  }
}

/** British English has no comma before the last word. */
function listWords(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
}
