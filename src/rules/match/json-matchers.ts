import { tryParseJson } from '../../base/json/parse.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { distanceOf } from '../../base/nearest-name.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import { parseSource } from '../../document/source.ts';
import { FilePlace, SourceDocument } from '../../document/source-document.ts';
import type { RequestView } from '../../request/view.ts';
import { type Schema, SchemaCompiler } from '../../schema/schema-compiler.ts';
import { isEqualBut } from './compare-json.ts';
import { compileJsonPath } from './json-path.ts';
import { type Steps, withinSteps } from './steps.ts';
import {
  ABSENT,
  type MatcherKind,
  noNearer,
  quoteValue,
  type Subject,
  type ValueMatcher,
  valueSubject,
} from './value-matcher.ts';

export const equalToJson: MatcherKind = (written, { place, options }) => {
  const expected = readExpected(place, written);
  const wanted = stringifyJson(expected);
  const ignoresExtra = options['ignoreExtraElements'] === true;
  const leniency = {
    ignoresArrayOrder: options['ignoreArrayOrder'] === true,
    ignoresExtraMembers: ignoresExtra,
    ignoresExtraItems: ignoresExtra,
  };
  return {
    explain: () => `not ${quoteValue(expected)}`,
    matches({ value, steps }) {
      if (value === undefined) return false;
      const compare = (counted: Steps) => isEqualBut(value, expected, leniency, counted);
      return withinSteps(value, steps, compare) === true;
    },
    distance: ({ text }) => (text === undefined ? 1 : distanceOf(text, wanted) || 1),
  };
};

/** As in WireMock, a string is parsed as JSON; a string that is meant as one has its own quotes. */
function readExpected(place: FilePlace, written: JsonValue): JsonValue {
  const expected = typeof written === 'string' ? tryParseJson(written) : written;
  if (expected === undefined) {
    throw place.fail('this text is not JSON', `Write the value itself, or '"a text"'.`);
  }
  if (!/[$#]\{json-unit\./.test(stringifyJson(expected))) return expected;
  throw place.fail(
    'the placeholders of json-unit are not supported',
    'Use bodySchema, matchesJsonSchema or matchesJsonPath.',
  );
}

/** Matches where a path finds a value; with further matchers, where it finds one that matches. */
export const matchesJsonPath: MatcherKind<PathOperand> = (operand, { place, compile }) => {
  if (typeof operand === 'string') return matchPath(place, operand, IS_FOUND);
  return matchPath(place.at('expression'), operand.expression, compile(operand, place));
};

/** `$[?(@.size > 2)]` */
const ROOT_FILTER = /^\s*\$\s*\[\s*\?/;

type PathOperand = string | (JsonObject & { readonly expression: string });

const IS_FOUND: ValueMatcher = {
  explain: () => 'which is not found',
  matches: (found) => found !== ABSENT,
  distance: noNearer,
};

function matchPath(place: FilePlace, expression: string, inner: ValueMatcher): ValueMatcher {
  const path = compileJsonPath(place, expression);
  const quoted = quoteValue(expression);
  const isRootFilter = ROOT_FILTER.test(expression);
  const find = (value: JsonValue, steps: Steps): readonly JsonValue[] => {
    const found = path.find(value, steps);
    // In WireMock, such a filter looks at the object itself, not at its members.
    if (found.length > 0 || !isRootFilter || !isJsonObject(value)) return found;
    return path.find([value], steps);
  };
  /** Reads what the path finds; returns undefined if that takes too many steps. */
  const search = <Result>(
    { value, steps, view }: Subject,
    read: (found: readonly Subject[]) => Result,
  ): Result | undefined => {
    if (value === undefined) return read([ABSENT]);
    return withinSteps(value, steps, (counted) =>
      read(subjectsAt(find(value, counted), view, counted)),
    );
  };
  const isOther = (found: Subject): boolean => !inner.matches(found);
  return {
    explain: (subject) =>
      `in which ${quoted} ` +
      (search(subject, (found) => describeFound(found.filter(isOther), inner)) ??
        'takes too many steps'),
    matches: (subject) =>
      search(subject, (found) => found.some((one) => inner.matches(one))) === true,
    distance: (subject) =>
      search(subject, (found) =>
        Math.min(...found.slice(0, 100).map((one) => inner.distance(one))),
      ) ?? 1,
  };
}

function describeFound([first = ABSENT]: readonly Subject[], inner: ValueMatcher): string {
  if (first.text === undefined) return 'finds nothing';
  return `finds ${quoteValue(first.text)}, ${inner.explain(first)}`;
}

/** A list is a subject, and so is each of its items, as in WireMock. */
function subjectsAt(
  values: readonly JsonValue[],
  view: RequestView | undefined,
  steps: Steps,
): readonly Subject[] {
  if (values.length === 0) return [ABSENT];
  return values
    .flatMap((value) => [value, ...(Array.isArray(value) ? value : [])])
    .map((value) => valueSubject(value, view, steps));
}

export const matchesJsonSchema: MatcherKind<JsonObject | boolean | string> = (written, at) => {
  const { place } = at;
  const schema =
    typeof written === 'string' ? readSchemaText(place, written) : compileSchema(place);
  return {
    explain: () => 'which breaks the JSON Schema that is wanted',
    matches: ({ value }) => value !== undefined && schema.accepts(value),
    distance: noNearer,
  };
};

/** Compiles a schema of a rule, and tries it: a schema is compiled when it is first used. */
export function compileSchema({ file, pointer }: FilePlace): Schema {
  const schema = new SchemaCompiler(file).schemaAt(pointer);
  schema.accepts(null);
  return schema;
}

/** Compiles a schema that is a text of JSON: its errors are reported at the text. */
function readSchemaText(place: FilePlace, text: string): Schema {
  try {
    const source = parseSource(place.file.file, text);
    return compileSchema(new FilePlace(new SourceDocument(source)));
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    throw place.fail(`this text is not a JSON Schema: ${first?.message ?? ''}`);
  }
}
