import { isNumber } from '../../base/json/number.ts';
import {
  isJsonObject,
  type JsonNumber,
  type JsonObject,
  type JsonValue,
} from '../../base/json/value.ts';
import { describeValue } from '../../schema/violations.ts';
import type { FormMember, FormReader } from '../form-reader.ts';

/** A value matcher as a file has it, by WireMock's names. */
export type MatcherDefinition =
  | {
      readonly kind: 'equalTo';
      readonly text: string;
      readonly isCaseInsensitive: boolean;
    }
  | TextDefinition
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'equalToJson';
      readonly pointer: string;
      readonly expected: JsonValue;
      readonly ignoresArrayOrder: boolean;
      readonly ignoresExtraElements: boolean;
    }
  | {
      readonly kind: 'matchesJsonPath';
      /** Of the expression. */
      readonly pointer: string;
      readonly expression: string;
      /** Undefined where it is enough that something is found. */
      readonly found: MatcherDefinition | undefined;
    }
  | {
      readonly kind: 'matchesJsonSchema';
      readonly pointer: string;
      /** A text is a schema written in JSON. */
      readonly schema: JsonObject | boolean | string;
    }
  | { readonly kind: NumberKind; readonly number: JsonNumber }
  | { readonly kind: 'and' | 'or'; readonly matchers: readonly MatcherDefinition[] }
  | { readonly kind: 'not'; readonly matcher: MatcherDefinition };

/** The definition of one kind of matcher. */
export type DefinitionOf<Kind extends MatcherDefinition['kind']> = MatcherDefinition & {
  readonly kind: Kind;
};

type TextKind = (typeof textKinds)[number];

type TextDefinition = {
  [Kind in TextKind]: { readonly kind: Kind; readonly pointer: string; readonly text: string };
}[TextKind];

export type NumberKind = (typeof numberKinds)[number];

const textKinds = [
  'contains',
  'doesNotContain',
  'matches',
  'doesNotMatch',
  'before',
  'after',
  'equalToDateTime',
  'binaryEqualTo',
] as const;

const numberKinds = [
  'equalToNumber',
  'greaterThanNumber',
  'greaterThanEqualNumber',
  'lessThanNumber',
  'lessThanEqualNumber',
] as const;

/** Matches everything: stands where what is written is not of the right form. */
const NO_MATCHER: MatcherDefinition = { kind: 'and', matchers: [] };

/** Reads a value matcher: an object of one or more of them, all of which must hold. */
function readMatcher(form: FormReader): MatcherDefinition {
  const matcher = readMembers(form);
  form.refuseOthers();
  return matcher;
}

/** @returns a matcher for a member that is a text, to the letter, or a value matcher */
export function readTextOrMatcher(form: FormReader, name: string): MatcherDefinition | undefined {
  if (!form.has(name)) return undefined;
  const value = form.any(name);
  if (typeof value === 'string') return equalTo(value);
  return readMatcher(form.object(name));
}

/** @returns the matchers of a list */
export function readMatchers(form: FormReader, name: string): readonly MatcherDefinition[] {
  return form.list(name).map(readMatcher);
}

export function equalTo(text: string): MatcherDefinition {
  return { kind: 'equalTo', text, isCaseInsensitive: false };
}

function readMembers(form: FormReader): MatcherDefinition {
  refuseXml(form);
  const matchers = [
    ...readTexts(form),
    ...readNumbers(form),
    ...readJson(form),
    ...readPath(form),
    ...readSchema(form),
    ...readCombined(form),
  ];
  const [first = NO_MATCHER, ...others] = matchers;
  if (!MATCHERS.some((name) => form.has(name))) {
    form.note(undefined, 'must have a value matcher', `One of ${MATCHERS.join(', ')}.`);
  }
  return others.length === 0 ? first : { kind: 'and', matchers };
}

const MATCHERS = [
  'equalTo',
  ...textKinds,
  ...numberKinds,
  'absent',
  'equalToJson',
  'matchesJsonPath',
  'matchesJsonSchema',
  'and',
  'or',
  'not',
];

function* readTexts(form: FormReader): Generator<MatcherDefinition> {
  const text = form.text('equalTo');
  const isCaseInsensitive = form.flag('caseInsensitive') ?? false;
  refuseAlone(form, 'caseInsensitive', 'equalTo');
  if (text !== undefined) yield { kind: 'equalTo', text, isCaseInsensitive };
  for (const kind of textKinds) {
    const operand = form.text(kind);
    if (operand !== undefined) yield { kind, pointer: form.pointerOf(kind), text: operand };
  }
  const absent = form.any('absent');
  if (absent === true) yield { kind: 'absent' };
  else if (absent !== undefined) form.note('absent', `must be true, got ${describeValue(absent)}`);
}

function* readNumbers(form: FormReader): Generator<MatcherDefinition> {
  for (const kind of numberKinds) {
    const number = form.any(kind);
    if (number === undefined) continue;
    if (isNumber(number)) yield { kind, number };
    else form.note(kind, `must be a number, got ${describeValue(number)}`);
  }
}

function* readJson(form: FormReader): Generator<MatcherDefinition> {
  const expected = form.any('equalToJson');
  const ignoresArrayOrder = form.flag('ignoreArrayOrder') ?? false;
  const ignoresExtraElements = form.flag('ignoreExtraElements') ?? false;
  refuseAlone(form, 'ignoreArrayOrder', 'equalToJson');
  refuseAlone(form, 'ignoreExtraElements', 'equalToJson');
  if (expected === undefined) return;
  const pointer = form.pointerOf('equalToJson');
  yield { kind: 'equalToJson', pointer, expected, ignoresArrayOrder, ignoresExtraElements };
}

function* readPath(form: FormReader): Generator<MatcherDefinition> {
  const kind = 'matchesJsonPath';
  const value = form.any(kind);
  if (value === undefined) return;
  if (typeof value === 'string') {
    yield { kind, pointer: form.pointerOf(kind), expression: value, found: undefined };
    return;
  }
  const inner = form.object(kind);
  inner.require('expression');
  const expression = inner.text('expression') ?? '';
  yield { kind, pointer: inner.pointerOf('expression'), expression, found: readMatcher(inner) };
}

function* readSchema(form: FormReader): Generator<MatcherDefinition> {
  const kind = 'matchesJsonSchema';
  const value = form.any(kind);
  // The only version that there is here; WireMock's clients may say it.
  form.choice('schemaVersion', ['V202012']);
  refuseAlone(form, 'schemaVersion', kind);
  if (value === undefined) return;
  const schema = typeof value === 'string' ? value : form.schema(kind);
  if (schema !== undefined) yield { kind, pointer: form.pointerOf(kind), schema };
}

function* readCombined(form: FormReader): Generator<MatcherDefinition> {
  for (const kind of ['and', 'or'] as const) {
    if (form.has(kind)) yield { kind, matchers: readSeveral(form, kind) };
  }
  if (form.has('not')) yield { kind: 'not', matcher: readMatcher(form.object('not')) };
}

function readSeveral(form: FormReader, name: string): readonly MatcherDefinition[] {
  const matchers = readMatchers(form, name);
  if (matchers.length === 0) form.note(name, 'must be a list of at least one value matcher');
  return matchers;
}

function refuseAlone(form: FormReader, option: string, matcher: string): void {
  if (form.has(option) && !form.has(matcher)) form.note(option, `needs ${matcher} beside it`);
}

/** WireMock has them. What would be matched is not the text but what XML says, and XPath 1 or 2. */
const XML_MATCHERS = ['equalToXml', 'matchesXPath', 'matchesXPath2'];

function refuseXml(form: FormReader): void {
  form.refuse(
    XML_MATCHERS,
    'is not supported: XML is matched as the value that the document reads from it',
    'Use body, bodySchema, equalToJson or matchesJsonPath, which see that value.',
  );
}

/** What a parameter must be, as a file has it. */
export interface ParameterExpectation {
  readonly name: string;
  readonly pointer: string;
  readonly expected:
    | { readonly kind: 'value'; readonly value: JsonValue }
    | { readonly kind: 'matcher'; readonly matcher: MatcherDefinition }
    | { readonly kind: SeveralKind; readonly matchers: readonly MatcherDefinition[] };
}

export type SeveralKind = 'hasExactly' | 'includes';

/** @returns what is said of parameters, by their names */
export function readExpectations(form: FormReader): readonly ParameterExpectation[] {
  return form.members().map((member) => {
    const { name, pointer } = member;
    return { name, pointer, expected: readExpected(member) };
  });
}

function readExpected({ value, read }: FormMember): ParameterExpectation['expected'] {
  if (!isJsonObject(value)) return { kind: 'value', value };
  const form = read();
  for (const kind of ['hasExactly', 'includes'] as const) {
    if (!form.has(kind)) continue;
    const matchers = readSeveral(form, kind);
    form.refuseOthers();
    return { kind, matchers };
  }
  return { kind: 'matcher', matcher: readMatcher(form) };
}
