import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { createUniqueName } from '../../base/random.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import type { Rule } from '../../rules/rule.ts';
import type { RuleStanding } from '../../rules/session-fixtures.ts';
import {
  answerJson,
  type ControlAnswer,
  type ControlCall,
  type ControlOperations,
} from '../call.ts';
import { addGiven, type GivenRules } from '../given-rules.ts';
import { flagOf, listOf, objectOf, textOf } from '../members.ts';
import { BODY_FILE } from '../rule-problem.ts';
import { matchesMetadata } from './metadata.ts';
import { mappingOf, translateMapping } from './translate-mapping.ts';
import { unsupported } from './unsupported.ts';

/** Stub mappings: rules that were given in WireMock's words. */
export const mappingOperations: ControlOperations = {
  listStubMappings(call) {
    const offset = call.number('offset') ?? 0;
    const end = offset + (call.number('limit') ?? Number.POSITIVE_INFINITY);
    return answerMappings(listMappings(call), offset, end);
  },
  addStubMapping(call) {
    const given = compileMappings(call, [call.members]);
    refuseTaken(call, given);
    return answerJson(add(call, given)[0] ?? {}, 201);
  },
  removeStubMappings(call) {
    remove(call, listMappings(call));
    return DONE_AS_JSON;
  },
  resetStubMappings(call) {
    remove(call, listMappings(call));
    call.session.fixtures.resetScenarios();
    return DONE_AS_JSON;
  },
  importStubMappings,
  findStubMappingsByMetadata: (call) => answerMappings(findByMetadata(call)),
  removeStubMappingsByMetadata(call) {
    const found = findByMetadata(call);
    remove(call, found);
    return answerMappings(found);
  },
  listUnmatchedStubMappings: (call) => answerMappings(listUnmatched(call)),
  removeUnmatchedStubMappings(call) {
    remove(call, listUnmatched(call));
    return DONE_AS_JSON;
  },
  getStubMapping: (call) => answerJson(findMapping(call).mapping),
  putStubMapping(call) {
    const { rule } = findMapping(call);
    const mapping = { ...call.members, id: rule.name };
    return answerJson(add(call, compileMappings(call, [mapping]))[0] ?? {});
  },
  removeStubMapping(call) {
    remove(call, [findMapping(call)]);
    return DONE_AS_JSON;
  },
};

/** WireMock's clients read JSON even where there is nothing to say. */
export const DONE_AS_JSON: ControlAnswer = Object.freeze(answerJson({}));

/** A rule that was made of a mapping. */
export interface Mapped {
  readonly rule: Rule;
  readonly mapping: JsonObject;
  readonly matched: number;
}

/** In the order in which they are asked: of one priority the newest first. */
export function listMappings({ session }: ControlCall): readonly Mapped[] {
  return session.fixtures.list().flatMap(toMapped);
}

function toMapped({ rule, matched }: RuleStanding): readonly Mapped[] {
  const mapping = mappingOf(rule.origin.definition);
  return mapping === undefined ? [] : [{ rule, mapping, matched }];
}

function listUnmatched(call: ControlCall): readonly Mapped[] {
  return listMappings(call).filter(({ matched }) => matched === 0);
}

function findByMetadata(call: ControlCall): readonly Mapped[] {
  const matches = matchesMetadata(call, call.members);
  return listMappings(call).filter(({ mapping }) => matches(objectOf(mapping, 'metadata')));
}

/** @throws {Problem} UNKNOWN_STUB_MAPPING */
function findMapping(call: ControlCall): Mapped {
  const id = call.path('id');
  const found = listMappings(call).find(({ rule }) => rule.name === id);
  if (found !== undefined) return found;
  throw new Problem(
    'UNKNOWN_STUB_MAPPING',
    `the session has no stub mapping ${JSON.stringify(id.slice(0, 80))}`,
  );
}

function answerMappings(mapped: readonly Mapped[], from = 0, to = mapped.length): ControlAnswer {
  const mappings = mapped.slice(from, to).map(({ mapping }) => mapping);
  return answerJson({ mappings, meta: { total: mapped.length } });
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** @throws {Problem} UNSUPPORTED_STUB_MAPPING for what the contract does not allow */
function compileMappings(call: ControlCall, mappings: readonly JsonObject[]): GivenRules {
  const rules = mappings.map((mapping) => {
    const id = textOf(mapping, 'id') ?? textOf(mapping, 'uuid') ?? createUniqueName();
    if (!ID.test(id)) throw unsupported([`the id ${JSON.stringify(id.slice(0, 80))} is no UUID`]);
    return translateMapping(mapping, id, call.serving.contract);
  });
  const file = { file: BODY_FILE, text: stringifyJson({ rules }) };
  try {
    return { file, rules: call.session.fixtures.compile(file) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    throw unsupported(error.diagnostics.map(tellDiagnostic));
  }
}

/** Told in the words of the mapping, as far as they differ. */
function tellDiagnostic({
  pointer,
  message,
  remedy,
}: DiagnosticError['diagnostics'][number]): string {
  const place = pointer
    .replace(/^\/rules\/\d+\/?/, '')
    .replace(/^answer/, 'response')
    .replace(/^match/, 'request')
    .replaceAll('/', '.');
  const what = place === '' ? message : `${place}: ${message}`;
  if (remedy === undefined) return what;
  const own = remedy.replace('offContract: true', 'metadata {"coldframe": {"offContract": true}}');
  return `${what}. ${own}`;
}

/** @throws {Problem} FIXTURE_EXISTS where a rule that is no mapping has the id for its name */
function refuseTaken({ session }: ControlCall, { rules }: GivenRules): void {
  for (const { name } of rules) {
    const rule = session.fixtures.find(name);
    if (rule === undefined || mappingOf(rule.origin.definition) !== undefined) continue;
    throw new Problem(
      'FIXTURE_EXISTS',
      `the fixture ${name} is there already, and no stub mapping`,
    );
  }
}

/** @returns the mappings as they are kept */
function add(call: ControlCall, given: GivenRules): readonly JsonObject[] {
  addGiven(call.session.fixtures, given);
  const names = given.rules.map(({ name }) => name);
  call.publish('fixtures', () => ({ change: 'added', names }));
  return given.rules
    .map(({ origin }) => mappingOf(origin.definition))
    .filter((mapping) => mapping !== undefined);
}

function remove(call: ControlCall, mapped: readonly Mapped[]): void {
  const names = mapped.map(({ rule }) => rule.name);
  for (const name of names) call.session.fixtures.remove(name);
  call.publish('fixtures', () => ({ change: 'removed', names }));
}

/** Nothing is taken unless all of them can be. */
function importStubMappings(call: ControlCall): ControlAnswer {
  const options = objectOf(call.members, 'importOptions') ?? {};
  const known = new Set(listMappings(call).map(({ rule }) => rule.name));
  const mappings = (listOf(call.members, 'mappings') ?? []).filter(isJsonObject);
  const given = compileMappings(call, mappings);
  refuseTaken(call, given);
  if (flagOf(options, 'deleteAllNotInImport') === true) {
    const names = new Set(given.rules.map(({ name }) => name));
    const others = listMappings(call).filter(({ rule }) => !names.has(rule.name));
    remove(call, others);
  }
  const keepsKnown = textOf(options, 'duplicatePolicy') === 'IGNORE';
  const news = given.rules.filter(({ name }) => !keepsKnown || !known.has(name));
  add(call, { ...given, rules: news });
  return answerMappings(listMappings(call));
}
