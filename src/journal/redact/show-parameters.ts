import { type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { readCookies } from '../../http/cookies.ts';
import { readQuery } from '../../http/query.ts';
import type { RequestView } from '../../request/view.ts';
import { hide, redactMembers } from './redact-members.ts';
import { parametersOf, REDACTED } from './redaction.ts';
import { isSecretObject } from './secret-names.ts';
import type { Showing } from './showing.ts';

const LOCATIONS: readonly ParameterLocation[] = [
  'path',
  'query',
  'querystring',
  'header',
  'cookie',
];

/**
 * The parameters of a request as values: those that the document declares, and of the query and
 * the cookies all that came.
 *
 * @returns by place, then by name; places without any are left out
 */
export function showParameters(view: RequestView, showing: Showing): JsonObject {
  const shown: JsonObject = {};
  for (const location of LOCATIONS) {
    const values: JsonObject = {};
    for (const name of namesOf(location, view, showing)) {
      const value = view.value(location, name);
      if (value !== undefined)
        setMember(values, name, showParameter(location, name, value, showing));
    }
    if (Object.keys(values).length > 0) shown[location] = values;
  }
  return shown;
}

function namesOf(
  location: ParameterLocation,
  view: RequestView,
  { operation }: Showing,
): ReadonlySet<string> {
  const declared = parametersOf(operation)
    .filter((one) => one.in === location)
    .map(({ name }) => name);
  switch (location) {
    case 'query':
      return new Set([...declared, ...undeclaredInQuery(view, declared)]);
    case 'cookie':
      return new Set([...declared, ...readCookies(view.request.fields.get('cookie')).keys()]);
    default:
      return new Set(declared);
  }
}

/** A member of a parameter, as in `filter[tag]`, is shown in its parameter. */
function undeclaredInQuery(view: RequestView, declared: readonly string[]): readonly string[] {
  return readQuery(view.query)
    .map(([name]) => name)
    .filter((name) => !isSecretObject(name))
    .filter((name) => !declared.includes(name.split('[', 1)[0] ?? name));
}

function showParameter(
  location: ParameterLocation,
  name: string,
  value: JsonValue,
  { redaction, operation, secrets }: Showing,
): JsonValue {
  if (redaction.hidesParameter(location, name, operation)) return hide(value, secrets);
  if (typeof value === 'string' && !redaction.showsSecrets && isSecretObject(value))
    return REDACTED;
  const declared = parametersOf(operation).find((one) => one.in === location && one.name === name);
  const redacted = redactMembers(redaction, value, redaction.schemaAt(declared?.schema?.pointer));
  secrets.push(...redacted.secrets);
  return redacted.value;
}
