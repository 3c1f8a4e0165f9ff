import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem, type ProblemName } from '../base/problem.ts';
import type { Contract } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import { parseSource, type Source } from '../document/source.ts';
import { FilePlace, SourceDocument } from '../document/source-document.ts';
import { refuseCrowded } from '../media/crowding.ts';
import type { RequestPattern } from '../request/view.ts';
import { BODY_FILE } from '../rules/answer/rule-body.ts';
import { compileMatch, type MatchJson } from '../rules/match/compile-match.ts';
import type { FixtureFile } from '../rules/read-file.ts';
import type { Rule } from '../rules/rule.ts';
import { checkForm } from '../rules/schema/check-form.ts';
import type { SessionFixtures } from '../rules/session-fixtures.ts';
import type { ControlCall } from './call.ts';
import { listOf, textOf } from './members.ts';

/** Rules from a request body, compiled against the contract and not yet added to the session. */
export interface CompiledRules {
  readonly file: FixtureFile;
  readonly rules: readonly Rule[];
}

export function parseBody({ request, body }: ControlCall): Source {
  const isYaml = request.fields.get('content-type')?.includes('yaml') === true;
  const text = isYaml && typeof body === 'string' ? body : textOfJson(request, body);
  if (isYaml) refuseCrowded(text, 'yaml');
  return refuseDiagnostics(
    () => parseSource('body', text, !isYaml),
    (error) => refuseRule('MALFORMED_BODY', error, undefined),
  );
}

/** Runs a function and throws a problem in place of a `DiagnosticError`. */
export function refuseDiagnostics<Value>(
  run: () => Value,
  toProblem: (error: DiagnosticError) => Problem,
): Value {
  try {
    return run();
  } catch (error) {
    throw error instanceof DiagnosticError ? toProblem(error) : error;
  }
}

/** Returns the text as sent, to keep its lines; a compressed body is serialized again. */
function textOfJson(
  { rawBody, fields }: ControlCall['request'],
  value: JsonValue | undefined,
): string {
  const isPlain = rawBody !== 'too-large' && fields.get('content-encoding') === undefined;
  return isPlain ? Buffer.from(rawBody).toString('utf8') : stringifyJson(value ?? null);
}

/** Compiles a fixture file, or a single rule with `name`. Rules may omit their names. */
export function compileBody(
  fixtures: SessionFixtures,
  source: Source,
  name?: string,
): CompiledRules {
  const { value } = source;
  const isFile = isJsonObject(value) && getMember(value, 'rules') !== undefined;
  const whole = isFile && name === undefined ? value : { rules: [named(value, name)] };
  const toPointer = (pointer: string): string =>
    whole === value ? pointer : pointer.replace(/^\/rules\/0/, '');
  const compiled = compileFile(fixtures, withNames(whole, fixtures), (error) =>
    refuseRule('INVALID_FIXTURE', error, source, toPointer),
  );
  refuseDuplicates(compiled.rules);
  return compiled;
}

export function compileFile(
  fixtures: SessionFixtures,
  content: JsonObject,
  toProblem: (error: DiagnosticError) => Problem,
): CompiledRules {
  const file = { file: BODY_FILE, text: stringifyJson(content) };
  return { file, rules: refuseDiagnostics(() => fixtures.compile(file), toProblem) };
}

/** Adds rules to the session, and publishes it. Adds none if there is no room for all of them. */
export function addRules(call: ControlCall, { file, rules }: CompiledRules, change = 'added') {
  if (!call.session.fixtures.add(file, rules)) throw tooMany();
  call.publish('fixtures', { change, names: rules.map(({ name }) => name) });
}

function tooMany(): Problem {
  return new Problem('TOO_MANY_KEPT', 'the session holds the maximum of added rules; remove some');
}

function named(rule: JsonValue, name: string | undefined): JsonValue {
  return name === undefined || !isJsonObject(rule) ? rule : { ...rule, name };
}

/** Names rules without a name `rule-1`, `rule-2`… */
function withNames(file: JsonObject, fixtures: SessionFixtures): JsonObject {
  const rules = listOf(file, 'rules');
  if (rules === undefined) return file;
  if (rules.length > MOST_RULES) throw tooMany();
  const given = rules.map((rule) => (isJsonObject(rule) ? textOf(rule, 'name') : undefined));
  const names = freeNames('rule', fixtures, given);
  return {
    ...file,
    rules: rules.map((rule) => {
      const isNamed = !isJsonObject(rule) || getMember(rule, 'name') !== undefined;
      return isNamed ? rule : { name: names.next().value, ...rule };
    }),
  };
}

/** The maximum of added rules in a session: a longer list is refused unread. */
const MOST_RULES = 1000;

/** Yields those of `kind-1`, `kind-2`… that neither the session has nor `given`. */
function* freeNames(
  kind: string,
  fixtures: SessionFixtures,
  given: readonly (string | undefined)[] = [],
): Generator<string, never> {
  const taken = new Set([...given, ...fixtures.list().map(({ rule }) => rule.name)]);
  for (let number = 1; ; number++) {
    const name = `${kind}-${number}`;
    if (!taken.has(name)) yield name;
  }
}

export function freeName(kind: string, fixtures: SessionFixtures): string {
  return freeNames(kind, fixtures).next().value;
}

function refuseDuplicates(rules: readonly Rule[]): void {
  const names = new Set<string>();
  for (const { name } of rules) {
    if (names.has(name)) throw new Problem('FIXTURE_EXISTS', `two rules have the name ${name}`);
    names.add(name);
  }
}

/** Returns the problem for a rule or a match, whose pointers are mapped to those of the body. */
export function refuseRule(
  name: ProblemName,
  error: DiagnosticError,
  source: Source | undefined,
  toPointer: (pointer: string) => string = (pointer) => pointer,
): Problem {
  const diagnostics = error.diagnostics.map((diagnostic): Diagnostic => {
    const pointer = toPointer(diagnostic.pointer);
    const position = source?.locate(pointer) ?? { line: 1, column: 1 };
    return { ...diagnostic, file: 'body', pointer, position };
  });
  const messages = diagnostics.map(({ position, pointer, message, remedy }) => {
    const place = `body:${position.line}:${position.column}${pointer === '' ? '' : ` ${pointer}:`}`;
    return [`${place} ${message}`, ...(remedy === undefined ? [] : [remedy])].join('. ');
  });
  return new Problem(name, messages.join('; '), { cause: new DiagnosticError(diagnostics) });
}

/** Returns the diagnostics of a problem made by `refuseRule`; undefined for any other problem. */
export function describeRefusedRule({ cause }: Problem): JsonValue | undefined {
  if (!(cause instanceof DiagnosticError)) return undefined;
  return cause.diagnostics.map(({ message, pointer, position: { line, column }, remedy }) => ({
    message,
    pointer,
    line,
    column,
    ...(remedy !== undefined && { remedy }),
  }));
}

/** Compiles matches in a request body. A missing match matches every request. */
export function compileMatches(
  body: JsonValue,
  pointers: readonly string[],
  contract: Contract,
): readonly RequestPattern[] {
  // Serialized again because only values are at hand; `refuseRule` locates by pointers.
  const document = new SourceDocument(parseSource('body', stringifyJson(body), true));
  const present = pointers.filter((pointer) => document.at(pointer) !== undefined);
  const diagnostics = present.flatMap((pointer) =>
    checkForm(new FilePlace(document, pointer), 'match'),
  );
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
  return pointers.map((pointer) => {
    const match = (document.at(pointer) ?? {}) as MatchJson;
    return compileMatch(new FilePlace(document, pointer), match, contract);
  });
}
