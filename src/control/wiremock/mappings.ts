import { isEqual } from '../../base/json/equal.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { createUniqueName } from '../../base/random.ts';
import { quote } from '../../base/words.ts';
import type { Diagnostic } from '../../document/diagnostic.ts';
import type { Rule } from '../../rules/rule.ts';
import { addRules, type CompiledRules, compileFile } from '../body-rules.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  jsonResponse,
} from '../call.ts';
import { flagOf, listOf, objectOf, textOf } from '../members.ts';
import { omitNulls, unsupported } from './refuse.ts';
import { mappingOf, translateMapping } from './translate-mapping.ts';
import { matchesMetadata } from './translate-request.ts';

/** Stub mappings: rules in WireMock's format. */
export const mappingOperations: ControlOperations = {
  listStubMappings(call) {
    const offset = call.number('offset') ?? 0;
    const end = offset + (call.number('limit') ?? Number.POSITIVE_INFINITY);
    const mapped = listMappings(call);
    return answerMappings(mapped, mapped.slice(offset, end));
  },
  addStubMapping(call) {
    const given = compileMappings(call, [call.members]);
    refuseTaken(call, given);
    return jsonResponse(add(call, given)[0] ?? {}, 201);
  },
  removeStubMappings(call) {
    remove(call, listMappings(call));
    return EMPTY_JSON;
  },
  /** WireMock's Java client sends a new id with the request of a mapping that it does not know. */
  removeEqualStubMapping(call) {
    const { members } = call;
    const id = idOf(members);
    const all = listMappings(call);
    const request = omitNulls(objectOf(members, 'request') ?? {});
    const found =
      all.find(({ rule }) => rule.name === id) ??
      all.find(({ mapping }) => isEqual(omitNulls(objectOf(mapping, 'request') ?? {}), request));
    if (found !== undefined) remove(call, [found]);
    return EMPTY_JSON;
  },
  resetStubMappings(call) {
    const { fixtures } = call.session;
    fixtures.removeAdded(({ origin }) => mappingOf(origin.definition) !== undefined);
    fixtures.resetScenarios();
    return call.publish('fixtures', { change: 'removed' }, EMPTY_JSON);
  },
  /** Imports all stub mappings, or none. */
  importStubMappings(call) {
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
    const rules = given.rules.filter(({ name }) => !keepsKnown || !known.has(name));
    add(call, { ...given, rules });
    return answerMappings(listMappings(call));
  },
  findStubMappingsByMetadata: (call) => answerMappings(findByMetadata(call)),
  removeStubMappingsByMetadata(call) {
    const found = findByMetadata(call);
    remove(call, found);
    return answerMappings(found);
  },
  listUnmatchedStubMappings: (call) => answerMappings(listUnmatched(call)),
  removeUnmatchedStubMappings(call) {
    remove(call, listUnmatched(call));
    return EMPTY_JSON;
  },
  getStubMapping: (call) => jsonResponse(findMapping(call).mapping),
  putStubMapping(call) {
    const { rule } = findMapping(call);
    const mapping = { ...call.members, id: rule.name };
    return jsonResponse(add(call, compileMappings(call, [mapping]))[0] ?? {});
  },
  removeStubMapping(call) {
    remove(call, [findMapping(call)]);
    return EMPTY_JSON;
  },
};

/** WireMock's clients expect JSON even where there is no result. */
export const EMPTY_JSON: ControlResponse = Object.freeze(jsonResponse({}));

export interface StubMapping {
  readonly rule: Rule;
  readonly mapping: JsonObject;
  readonly matched: number;
}

/** Returns the stub mappings by priority, the newest first where it is equal. */
export function listMappings({ session }: ControlCall): readonly StubMapping[] {
  return session.fixtures.list().flatMap(({ rule, matched }) => {
    const mapping = mappingOf(rule.origin.definition);
    return mapping === undefined ? [] : [{ rule, mapping, matched }];
  });
}

function listUnmatched(call: ControlCall): readonly StubMapping[] {
  return listMappings(call).filter(({ matched }) => matched === 0);
}

export function findByMetadata(call: ControlCall): readonly StubMapping[] {
  const matches = matchesMetadata(call);
  return listMappings(call).filter(({ mapping }) => matches(objectOf(mapping, 'metadata')));
}

function findMapping(call: ControlCall): StubMapping {
  const id = call.path('id');
  const found = listMappings(call).find(({ rule }) => rule.name === id);
  if (found !== undefined) return found;
  throw new Problem('UNKNOWN_STUB_MAPPING', `the session has no stub mapping ${quote(id)}`);
}

/** WireMock's clients send null for an id that is not set. */
export function idOf(mapping: JsonObject): string | undefined {
  return textOf(mapping, 'id') ?? textOf(mapping, 'uuid');
}

function answerMappings(mapped: readonly StubMapping[], shown = mapped): ControlResponse {
  const mappings = shown.map(({ mapping }) => mapping);
  return jsonResponse({ mappings, meta: { total: mapped.length } });
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

function compileMappings(call: ControlCall, mappings: readonly JsonObject[]): CompiledRules {
  const rules = mappings.map((mapping) => {
    const id = idOf(mapping) ?? createUniqueName();
    if (!ID.test(id)) throw unsupported([`the id ${quote(id)} is invalid`]);
    return translateMapping(mapping, id, call.pipeline.contract);
  });
  return compileFile(call.session.fixtures, { rules }, ({ diagnostics }) =>
    unsupported(diagnostics.map(describeFault)),
  );
}

/** Returns a fault of the rule with the member names of the stub mapping. */
export function describeFault({ pointer, message, remedy }: Diagnostic): string {
  const place = pointer
    .replace(/^\/rules\/\d+\/?/, '')
    .replace(/^answer/, 'response')
    .replace(/^match/, 'request')
    .replace(/^response\/bodyFile$/, 'response/bodyFileName')
    .replaceAll('/', '.');
  const what = place === '' ? message : `${place}: ${message}`;
  if (remedy === undefined) return what;
  const own = remedy.replace('offContract: true', 'metadata {"coldframe": {"offContract": true}}');
  return `${what}. ${own}`;
}

/** Stub mappings replace one another, but no other rule. */
function refuseTaken({ session }: ControlCall, { rules }: CompiledRules): void {
  for (const { name } of rules) {
    const rule = session.fixtures.find(name);
    if (rule === undefined || mappingOf(rule.origin.definition) !== undefined) continue;
    throw new Problem(
      'FIXTURE_EXISTS',
      `a rule that is not a stub mapping has the name ${name} already`,
    );
  }
}

function add(call: ControlCall, given: CompiledRules): readonly JsonObject[] {
  addRules(call, given);
  return given.rules
    .map(({ origin }) => mappingOf(origin.definition))
    .filter((mapping) => mapping !== undefined);
}

function remove(call: ControlCall, mapped: readonly StubMapping[]): void {
  const names = mapped.map(({ rule }) => rule.name);
  for (const name of names) call.session.fixtures.remove(name);
  call.publish('fixtures', { change: 'removed', names });
}
