import { type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { ParameterLocation } from '../../contract/parameters.ts';
import { splitCookieLines } from '../../http/message.ts';
import { decodeForm, decodePercent, readCookies, readQuery } from '../../http/query.ts';
import type { RequestView } from '../../request/view.ts';
import type { Exchange } from '../exchange.ts';
import { beginShowing, parametersOf, type Redaction, type Showing } from './redaction.ts';
import { isSecretObject, REDACTED, redactUserInfo } from './secrets.ts';
import { redactMembers, redactValue } from './show-body.ts';

/** Fields with URIs, which may have a secret in their query. */
const URI_FIELDS = new Set([
  'content-location',
  'destination',
  'link',
  'location',
  'referer',
  'refresh',
  'x-forwarded-uri',
  'x-original-url',
  'x-rewrite-url',
]);

/** Cookies that only name a session of the mock. */
const OPEN_COOKIES = new Set(['mock-session']);

export function showFields(
  fields: Iterable<readonly [name: string, value: string]>,
  showing: Showing,
): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of fields) setMember(shown, name, showField(name, value, showing));
  return shown;
}

function showField(name: string, value: string, showing: Showing): string {
  if (showing.redaction.showsSecrets) return splitCookieLines(value).join(', ');
  const isSecret =
    showing.redaction.redactsField(name) ||
    showing.redaction.redactsParameter('header', name, showing.operation);
  if (!isSecret) return redactUserInfo(URI_FIELDS.has(name) ? showUri(value, showing) : value);
  showing.secrets.push(...secretsIn(name, value));
  return REDACTED;
}

/** Returns the secrets in the value of a field, as sent and as decoded. */
function secretsIn(name: string, value: string): readonly string[] {
  switch (name) {
    case 'cookie':
      return value.split(';').flatMap(cookieIn);
    case 'set-cookie':
      return splitCookieLines(value).flatMap((line) => cookieIn(line.split(';', 1)[0] ?? ''));
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

/** Characters of a target that has more than a path. */
const BEYOND_PATH = /[?;#@]/;

/** Returns the request target of an exchange that is not kept yet, redacted, for a line of the log. */
export function showTargetOf(
  { request: { target }, operationId }: Exchange,
  contract: Contract,
  redaction: Redaction,
  createView: () => RequestView,
): string {
  if (redaction.showsSecrets) return target;
  const operation = operationId === undefined ? undefined : contract.operation(operationId);
  if (operation === undefined || redaction.secretsInPath(operation).length > 0) {
    return showTarget(beginShowing(redaction, createView()));
  }
  if (!BEYOND_PATH.test(target) || isOpen(target, redaction, operation)) return target;
  return showParts(target, { redaction, operation, secrets: [] }, (path) => path);
}

/** A path with a query of plain names and values, which is what most queries are. */
const PLAIN_QUERY = /^[^?&;#@]*\?[\w.~-]+=[\w.~-]*(?:&[\w.~-]+=[\w.~-]*)*$/;

/** Returns true for a target with a plain query whose names are not those of secrets. */
function isOpen(target: string, redaction: Redaction, operation: Operation): boolean {
  if (!PLAIN_QUERY.test(target)) return false;
  for (let begin = target.indexOf('?') + 1; begin > 0; ) {
    const end = target.indexOf('=', begin);
    if (redaction.redactsPair(target.slice(begin, end), operation)) return false;
    begin = target.indexOf('&', end) + 1;
  }
  return true;
}

export function showTarget(showing: Showing): string {
  const { target } = showing.view.request;
  if (showing.redaction.showsSecrets) return target;
  return showParts(target, showing, (path) => showPath(path, showing));
}

/** @param show returns a path redacted */
function showParts(target: string, showing: UriShowing, show: (path: string) => string): string {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  const query = end < 0 ? '' : target.slice(end);
  return show(showUri(path, showing)) + showUri(query, showing);
}

/** Returns a text without the secrets of the URIs in it, such as that of a callback. */
export function redactUris(text: string, redaction: Redaction): string {
  if (redaction.showsSecrets) return text;
  const shown = showUri(text, { redaction, operation: undefined, secrets: [] });
  return shown.replaceAll(/\/\/[^\s/?#@]*@/g, () => `//${REDACTED}@`);
}

type UriShowing = Pick<Showing, 'redaction' | 'operation' | 'secrets'>;

/** Returns a URI with its user information and the secrets of its query redacted. */
function showUri(uri: string, showing: UriShowing): string {
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

function showPair(name: string, sign: string, value: string, showing: UriShowing): string {
  const decodedName = decodeForm(name) ?? name;
  const decoded = decodeForm(value) ?? value;
  // A whole query as one JSON value has no name.
  if (sign === '' && isSecretObject(decodedName)) return REDACTED;
  const { redaction, operation, secrets } = showing;
  const isHidden = redaction.redactsPair(decodedName, operation);
  if (!isHidden && !isSecretObject(decoded)) return name + sign + value;
  secrets.push(value, decoded);
  return `${name}${sign}${REDACTED}`;
}

export function showPath(path: string, { redaction, operation, view, secrets }: Showing): string {
  const found =
    operation === undefined
      ? redaction.secretsInUnknownPath(view.path)
      : redaction.secretsInPath(operation).flatMap((name) => view.texts('path', name));
  const hidden = found.filter((text) => text !== '');
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
export function showParameters(showing: Showing): JsonObject {
  const { view } = showing;
  const shown: JsonObject = {};
  for (const location of LOCATIONS) {
    const values: JsonObject = {};
    for (const name of namesOf(location, showing)) {
      const value = view.value(location, name);
      if (value !== undefined)
        setMember(values, name, showParameter(location, name, value, showing));
    }
    if (Object.keys(values).length > 0) shown[location] = values;
  }
  return shown;
}

function namesOf(location: ParameterLocation, { view, operation }: Showing): ReadonlySet<string> {
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
  showing: Showing,
): JsonValue {
  const { redaction, operation, secrets } = showing;
  if (redaction.redactsParameter(location, name, operation)) return redactValue(value, secrets);
  if (typeof value === 'string' && !redaction.showsSecrets && isSecretObject(value))
    return REDACTED;
  return redactMembers(showing, value, redaction.schemaOf(location, name, operation));
}
