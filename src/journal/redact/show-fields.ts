import { type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { readCookies } from '../../http/cookies.ts';
import { decodePercent, decodeQueryPart } from '../../http/percent.ts';
import { readQuery } from '../../http/query.ts';
import type { RequestView } from '../../request/view.ts';
import { parametersOf, type Showing } from './redaction.ts';
import { isSecretObject, REDACTED } from './secrets.ts';
import { redactMembers, redactValue } from './show-body.ts';

/** Fields with a URI, which may have a secret in its query. */
const URI_FIELDS = new Set(['referer', 'location', 'content-location']);

/** Cookies that only name a session of the mock. */
const OPEN_COOKIES = new Set(['mock-session']);

/** Returns the fields of a message by their names, redacted. */
export function showFields(
  fields: Iterable<readonly [name: string, value: string]>,
  showing: Showing,
): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of fields) setMember(shown, name, showField(name, value, showing));
  return shown;
}

function showField(name: string, value: string, showing: Showing): string {
  if (URI_FIELDS.has(name)) return showUri(value, showing);
  if (!showing.redaction.redactsField(name)) return value;
  showing.secrets.push(...secretsIn(name, value));
  return REDACTED;
}

/** Returns the secrets in the value of a field, as sent and as decoded. */
function secretsIn(name: string, value: string): readonly string[] {
  switch (name) {
    case 'cookie':
      return value.split(';').flatMap(cookieIn);
    case 'set-cookie':
      return cookieIn(value.split(';', 1)[0] ?? '');
    case 'authorization':
    case 'proxy-authorization':
      return credentialsIn(value);
    default:
      return [value];
  }
}

/** @param pair `name=value` */
function cookieIn(pair: string): readonly string[] {
  const end = pair.indexOf('=');
  if (OPEN_COOKIES.has(pair.slice(0, end).trim())) return [];
  const value = pair.slice(end + 1).trim();
  return [value, decodePercent(value) ?? value];
}

/** Returns the credential after the scheme, and of `Basic` also its decoded parts (RFC 7617 §2). */
function credentialsIn(value: string): readonly string[] {
  const end = value.indexOf(' ');
  const credential = value.slice(end + 1).trim();
  if (value.slice(0, end).toLowerCase() !== 'basic') return [credential];
  const userPass = Buffer.from(credential, 'base64').toString('utf8');
  return [credential, userPass, userPass.slice(userPass.indexOf(':') + 1)];
}

/** Returns the request target as it was sent, redacted. */
export function showTarget(target: string, view: RequestView, showing: Showing): string {
  if (showing.redaction.showsSecrets) return target;
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  const query = end < 0 ? '' : target.slice(end);
  return showPath(showUri(path, showing), view, showing) + showUri(query, showing);
}

/** Returns a URI with its user information and the secrets of its query redacted. */
function showUri(uri: string, showing: Showing): string {
  if (showing.redaction.showsSecrets) return uri;
  return uri
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)@/i, (_, scheme: string = '', user: string) => {
      const password = user.slice(user.indexOf(':') + 1);
      showing.secrets.push(user, password, decodePercent(password) ?? password);
      return `${scheme}//${REDACTED}@`;
    })
    .replaceAll(
      /([?&;#])([^=?&;#]*)(=?)([^&;#]*)/g,
      (_, mark: string, name: string, sign: string, value: string) =>
        mark + showPair(name, sign, value, showing),
    );
}

function showPair(name: string, sign: string, value: string, showing: Showing): string {
  const decodedName = decodeQueryPart(name) ?? name;
  const decoded = decodeQueryPart(value) ?? value;
  // A whole query as one JSON value has no name.
  if (sign === '' && isSecretObject(decodedName)) return REDACTED;
  const { redaction, operation, secrets } = showing;
  const isHidden = redaction.redactsParameter('query', decodedName, operation);
  if (!isHidden && !isSecretObject(decoded)) return name + sign + value;
  if (isHidden) secrets.push(value, decoded);
  return `${name}${sign}${REDACTED}`;
}

function showPath(path: string, view: RequestView, { redaction, operation, secrets }: Showing) {
  const hidden = parametersOf(operation)
    .filter(({ in: location }) => location === 'path')
    .filter(({ name }) => redaction.redactsParameter('path', name, operation))
    .flatMap(({ name }) => view.texts('path', name))
    .filter((text) => text !== '');
  if (hidden.length === 0) return path;
  secrets.push(...hidden);
  const isHidden = (segment: string): boolean => {
    const decoded = decodePercent(segment) ?? segment;
    return hidden.some((text) => decoded.includes(text));
  };
  return path
    .split('/')
    .map((segment) => (isHidden(segment) ? REDACTED : segment))
    .join('/');
}

const LOCATIONS: readonly ParameterLocation[] = [
  'path',
  'query',
  'querystring',
  'header',
  'cookie',
];

/**
 * Returns the parameters of a request as values, by location and name: those that the document
 * declares, and all of the query and the cookies. Locations without parameters are left out.
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

/** Leaves out members of declared parameters, such as `filter[tag]`: their parameter has them. */
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
  if (redaction.redactsParameter(location, name, operation)) return redactValue(value, secrets);
  if (typeof value === 'string' && !redaction.showsSecrets && isSecretObject(value))
    return REDACTED;
  const declared = parametersOf(operation).find((one) => one.in === location && one.name === name);
  const redacted = redactMembers(redaction, value, redaction.schemaAt(declared?.schema?.pointer));
  secrets.push(...redacted.secrets);
  return redacted.value;
}
