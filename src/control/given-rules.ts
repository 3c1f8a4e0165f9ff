import { stringifyJson } from '../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { parseSource, type Source } from '../document/source.ts';
import type { FixtureFile } from '../rules/fixture-set.ts';
import type { Rule } from '../rules/rule.ts';
import type { SessionFixtures } from '../rules/session-fixtures.ts';
import type { ControlCall } from './call.ts';
import { listOf, textOf } from './members.ts';
import { BODY_FILE, refuseRule } from './rule-problem.ts';

/** Rules that came as a body, held against the contract, not yet taken. */
export interface GivenRules {
  readonly file: FixtureFile;
  readonly rules: readonly Rule[];
}

/** A body and where in it its parts stand. */
export interface GivenBody {
  readonly value: JsonValue;
  readonly source: Source;
}

/**
 * @returns the body of a request that may be JSON or YAML
 * @throws {Problem} MALFORMED_BODY for YAML that is none
 */
export function readGivenBody({ request, body }: ControlCall): GivenBody {
  const isYaml = request.fields.get('content-type')?.includes('yaml') === true;
  try {
    const text = isYaml && typeof body === 'string' ? body : textOfJson(request, body);
    const source = parseSource('body', text, !isYaml);
    return { value: source.value, source };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw refuseRule('MALFORMED_BODY', error, undefined);
  }
}

/** The text as it came, for the sake of its lines; what came compressed is written anew. */
function textOfJson(
  { rawBody, fields }: ControlCall['request'],
  value: JsonValue | undefined,
): string {
  const isPlain = rawBody !== 'too-large' && fields.get('content-encoding') === undefined;
  return isPlain ? Buffer.from(rawBody).toString('utf8') : stringifyJson(value ?? null);
}

/**
 * Holds rules against the contract as those of a fixture file are.
 *
 * @param given what a fixture file holds, or a single rule; a rule may be without a name
 * @param name what a single rule is called, whatever it says itself
 * @throws {Problem} INVALID_FIXTURE with everything that is wrong
 */
export function compileGiven(
  fixtures: SessionFixtures,
  { value, source }: GivenBody,
  name?: string,
): GivenRules {
  const isFile = isJsonObject(value) && getMember(value, 'rules') !== undefined;
  const whole = isFile && name === undefined ? value : { rules: [named(value, name)] };
  const file = { file: BODY_FILE, text: stringifyJson(withNames(whole, fixtures)) };
  const toPointer = (pointer: string): string =>
    whole === value ? pointer : pointer.replace(/^\/rules\/0/, '');
  try {
    const rules = fixtures.compile(file);
    refuseTwice(rules);
    return { file, rules };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw refuseRule('INVALID_FIXTURE', error, source, toPointer);
  }
}

/**
 * Adds rules that were compiled.
 *
 * @throws {Problem} TOO_MANY_KEPT
 */
export function addGiven(fixtures: SessionFixtures, { file, rules }: GivenRules): void {
  if (!fixtures.add(file, rules)) throw tooMany();
}

function tooMany(): Problem {
  return new Problem('TOO_MANY_KEPT', 'the session has as many added rules as it may; remove some');
}

function named(rule: JsonValue, name: string | undefined): JsonValue {
  return name === undefined || !isJsonObject(rule) ? rule : { ...rule, name };
}

/** Rules without a name are called `rule-1` and so on. */
function withNames(file: JsonObject, fixtures: SessionFixtures): JsonObject {
  const rules = listOf(file, 'rules');
  if (rules === undefined) return file;
  if (rules.length > MOST_RULES) throw tooMany();
  const given = new Set(rules.flatMap((rule) => (isJsonObject(rule) ? textOf(rule, 'name') : [])));
  const names = freeNames('rule', fixtures);
  const nameNext = (): string => {
    for (;;) {
      const { value } = names.next();
      if (!given.has(value)) return value;
    }
  };
  return {
    ...file,
    rules: rules.map((rule) => {
      const isNamed = !isJsonObject(rule) || getMember(rule, 'name') !== undefined;
      return isNamed ? rule : { name: nameNext(), ...rule };
    }),
  };
}

/** As many as a session keeps: more need not be looked at. */
const MOST_RULES = 1000;

/** The names `kind-1`, `kind-2`… that no rule has. */
function* freeNames(kind: string, fixtures: SessionFixtures): Generator<string, never> {
  const taken = new Set(fixtures.list().map(({ rule }) => rule.name));
  for (let number = 1; ; number++) {
    const name = `${kind}-${number}`;
    if (!taken.has(name)) yield name;
  }
}

/** @returns the first of `kind-1`, `kind-2`… that no rule has */
export function freeName(kind: string, fixtures: SessionFixtures): string {
  return freeNames(kind, fixtures).next().value;
}

function refuseTwice(rules: readonly Rule[]): void {
  const names = new Set<string>();
  for (const { name } of rules) {
    if (names.has(name)) throw new Problem('FIXTURE_EXISTS', `two rules are called ${name}`);
    names.add(name);
  }
}
