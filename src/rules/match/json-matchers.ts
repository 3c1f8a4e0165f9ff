import { stringifyJson } from '../../base/json/stringify.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import { parseSource } from '../../document/source.ts';
import { SourceDocument } from '../../document/source-document.ts';
import { tryJson } from '../../media/json-codec.ts';
import { SchemaCompiler } from '../../schema/schema-compiler.ts';
import { distanceOf } from '../text-distance.ts';
import { isEqualBut } from './json-equality.ts';
import { compileJsonPath } from './json-path.ts';
import type { DefinitionOf } from './matcher-form.ts';
import {
  ABSENT,
  quoteValue,
  type Subject,
  type ValueMatcher,
  valueSubject,
} from './value-matcher.ts';

export function matchJson(
  file: SourceDocument,
  definition: DefinitionOf<'equalToJson'>,
): ValueMatcher {
  const expected = readExpected(file, definition);
  const wanted = stringifyJson(expected);
  return {
    complain: () => `not ${quoteValue(expected)}`,
    matches: ({ value }) => value !== undefined && isEqualBut(value, expected, definition),
    distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, wanted) || 1),
  };
}

/** As WireMock has it, a text is JSON; a text that is meant as one stands in quotes of its own. */
function readExpected(
  file: SourceDocument,
  { pointer, expected: written }: DefinitionOf<'equalToJson'>,
): JsonValue {
  const expected = typeof written === 'string' ? tryJson(written) : written;
  if (expected === undefined) {
    throw file.fail(pointer, 'this text is not JSON', `Write the value itself, or '"a text"'.`);
  }
  if (!/[$#]\{json-unit\./.test(stringifyJson(expected))) return expected;
  throw file.fail(
    pointer,
    'the placeholders of json-unit are not known here',
    'Use bodySchema, matchesJsonSchema or matchesJsonPath.',
  );
}

/** @param inner what is found must match; undefined where it is enough that something is */
export function matchPath(
  file: SourceDocument,
  { pointer, expression }: DefinitionOf<'matchesJsonPath'>,
  inner: ValueMatcher | undefined,
): ValueMatcher {
  const path = compileJsonPath(file, pointer, expression);
  const quoted = quoteValue(expression);
  if (inner === undefined) {
    return {
      complain: () => `in which ${quoted} finds nothing`,
      matches: ({ value }) => value !== undefined && path.find(value).length > 0,
      distance: () => 1,
    };
  }
  const subjectsOf = ({ value }: Subject): readonly Subject[] =>
    value === undefined ? [ABSENT] : subjectsAt(path.find(value));
  return {
    complain: (subject) => `in which ${describeFound(quoted, subjectsOf(subject), inner)}`,
    matches: (subject) => subjectsOf(subject).some((found) => inner.matches(found)),
    distance: (subject) =>
      Math.min(
        ...subjectsOf(subject)
          .slice(0, 100)
          .map((found) => inner.distance(found)),
      ),
  };
}

function describeFound(path: string, found: readonly Subject[], inner: ValueMatcher): string {
  const [first = ABSENT] = found;
  if (first.text === undefined) return `${path} finds nothing`;
  return `${path} finds ${quoteValue(first.text)}, ${inner.complain(first)}`;
}

/** Of a list that is found, each item may be what is looked for, as in WireMock. */
function subjectsAt(values: readonly JsonValue[]): readonly Subject[] {
  if (values.length === 0) return [ABSENT];
  return values
    .flatMap((value) => [value, ...(Array.isArray(value) ? value : [])])
    .map(valueSubject);
}

export function matchSchema(
  file: SourceDocument,
  definition: DefinitionOf<'matchesJsonSchema'>,
): ValueMatcher {
  const { pointer, schema: written } = definition;
  const schema =
    typeof written === 'string'
      ? readSchemaText(file, pointer, written)
      : new SchemaCompiler(file).schemaAt(pointer);
  // Compiled now, so that a schema that cannot be compiled is told at load.
  schema.check(null, 'body');
  return {
    complain: () => 'which breaks the JSON Schema that is wanted',
    matches: ({ value }) => value !== undefined && schema.check(value, 'body').length === 0,
    distance: () => 1,
  };
}

/** A schema written in JSON, in a text: its own faults have no place in the file but the text's. */
function readSchemaText(file: SourceDocument, pointer: string, text: string) {
  try {
    const schema = new SchemaCompiler(new SourceDocument(parseSource(file.file, text))).schemaAt(
      '',
    );
    schema.check(null, 'body');
    return schema;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    throw file.fail(pointer, `this text is no JSON Schema: ${first?.message ?? ''}`);
  }
}
