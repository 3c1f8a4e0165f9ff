import { type Awaitable, after } from '../../base/awaitable.ts';
import { stringifyJson } from '../../base/json/stringify.ts';
import {
  copyJson,
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../../base/json/value.ts';
import type { Random } from '../../base/random.ts';
import { plain } from '../../base/words.ts';
import { identityOf, keyIn, SINGLETON_KEY } from '../../resources/collections.ts';
import { renew } from '../../resources/initial-value.ts';
import type { LoginMeaning, MemberPath } from '../../resources/meaning.ts';
import { valueAt, wrapAlone } from '../../resources/wrapping.ts';
import type { Change } from '../../state/store.ts';
import { negotiate } from '../negotiate.ts';
import { type Outcome, toCandidate } from '../response.ts';
import { placeholderBody, placeholderResource } from './placeholder.ts';
import { canShow } from './show.ts';
import type { StateRequest } from './state-request.ts';

type LoginRequest = StateRequest<LoginMeaning>;

/** `POST /login`: responds with a token. The user that the body names is the one of `GET /me`. */
export function login(request: LoginRequest): Awaitable<Outcome> {
  const declared = request.operation.responses.success;
  if (declared === undefined || declared.status >= 300) return undefined;
  const content = negotiate(request, declared);
  if (content === undefined || !canShow(content)) return undefined;
  return after(findUser(request), ({ user, isChanged }) => {
    const identity = identityOf(request, 'login');
    const imagined = placeholderBody(request.material, content, identity);
    const body = imagined?.value;
    if (!isJsonObject(body)) return undefined;
    const isGiven = typeof imagined?.from !== 'string';
    const allows = (one: JsonValue) => content.schema?.accepts(one) === true;
    const tokened = setTokens(request, body, isGiven, user);
    const value = [showUser(request, tokened, user), tokened].find(allows);
    if (value === undefined) return undefined;
    const { collection } = request;
    const changes: Change[] = [];
    if (isChanged)
      changes.push({ collection, key: SINGLETON_KEY, expected: 'any', resource: user });
    const { users, isNew } = request.meaning;
    const key = users && user && keyIn(users, user);
    if (isNew && isChanged && users !== undefined && key !== undefined) {
      changes.push({ collection: users.name, key, expected: 'any', resource: user });
    }
    const candidate = toCandidate('state', declared, { kind: 'value', content, value });
    return { candidate, effect: { changes: () => changes } };
  });
}

/** The resource of a user; undefined if the document has none. */
type User = JsonObject | undefined;

const MOST_USERS = 1000;

/** Finds the user that the body names, else a new one; says if that changes the caller. */
function findUser(request: LoginRequest) {
  const { meaning, store, collection } = request;
  const { type, users } = meaning;
  const names = namesIn(request.body?.value);
  const isOf = (user: JsonObject) =>
    names.some(([, value]) => Object.values(user).some((member) => member === value));
  const isOne = type.kind === 'singleton';
  return after(isOne ? store.get(collection, SINGLETON_KEY) : undefined, (known) => {
    const me: User = known?.resource;
    if (names.length === 0 || (me !== undefined && isOf(me))) return { user: me, isChanged: false };
    const listed = users && store.list(users.name, { offset: 0, limit: MOST_USERS });
    return after(listed, (all = []) => {
      const found = all.find(({ resource }) => isOf(resource))?.resource;
      const isMe = isOne && type.schema !== undefined;
      return { user: isMe ? describeMe(request, names, found) : found, isChanged: isMe };
    });
  });
}

type Named = readonly (readonly [name: string, value: string])[];

/** Returns the members of a body that say who logs in. */
function namesIn(body: JsonValue | undefined): Named {
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    if (isJsonObject(value)) return namesIn(value);
    const isName = typeof value === 'string' && value !== '' && NAMING.test(plain(name));
    return isName ? [[name, value] as const] : [];
  });
}

const NAMING =
  /^(?:user|username|login|loginname|email|emailaddress|mail|handle|nickname|phone|phonenumber|identifier|(?:first|last|full|display|given|family)?name)$/;

/** Returns the resource of the caller with the members of the user, and with what the body says. */
function describeMe(request: LoginRequest, names: Named, found: JsonObject | undefined) {
  const { material, meaning, facts } = request;
  const { type } = meaning;
  const { schemas } = material.contract;
  const { properties } = facts;
  const usual = renew(
    placeholderResource(request, names.map(([, value]) => value).join('\n')),
    schemas.nodes.at(type.schema?.pointer),
  );
  const me: JsonObject = isJsonObject(usual) ? { ...usual } : {};
  const set = (name: string, value: JsonValue): boolean => {
    const property = properties.get(name);
    const schema = property && schemas.schemaAt(property.pointer, 'response');
    if (schema === undefined || !schema.accepts(value)) return false;
    setMember(me, name, value);
    return true;
  };
  const given = found ?? nameParts(names, [...properties.keys()]);
  for (const [name, value] of Object.entries(given)) set(name, value);
  for (const [name, value] of names) {
    const alike = value.includes('@') ? ADDRESSES : ACCOUNTS;
    const wanted = [
      plain(name),
      ...(/name$/.test(plain(name)) && plain(name) !== 'username' ? [] : alike),
    ];
    for (const word of wanted) {
      const property = [...properties.keys()].find((one) => plain(one) === word);
      if (property !== undefined && set(property, value)) break;
    }
  }
  return me;
}

/** Returns the properties that an account or an address tells: `ada.byron@example.com`. */
function nameParts(names: Named, properties: readonly string[]): JsonObject {
  const [, account = ''] = names.find(([name]) => !/phone/i.test(name)) ?? [];
  const local = account.replace(/@.*/, '');
  if (!/^\p{L}+(?:[._-]\p{L}+)?$/u.test(local)) return {};
  const [first = '', last] = local.split(/[._-]/).map(capitalize);
  const full = last === undefined ? first : `${first} ${last}`;
  const known = new Map([
    ...['firstname', 'givenname'].map((name) => [name, first] as const),
    ...['lastname', 'familyname', 'surname'].map((name) => [name, last] as const),
    ...['name', 'displayname', 'fullname'].map((name) => [name, full] as const),
    ...ADDRESSES.map((name) => [name, `${local}@example.com`] as const),
    ['username', local] as const,
  ]);
  return Object.fromEntries(
    properties.flatMap((name) => {
      const value = known.get(plain(name));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Properties with the address of a user, and with the name of an account. */
const ADDRESSES = ['email', 'emailaddress', 'mail'];
const ACCOUNTS = ['username', 'login', 'handle', 'nickname', 'name', 'displayname'];

/**
 * Sets the tokens, and what is beside them.
 *
 * @param isGiven true if the body is an example of the document
 */
function setTokens(request: LoginRequest, body: JsonObject, isGiven: boolean, user: User) {
  const copy = copyJson(body);
  for (const path of request.meaning.tokens) {
    const owner = valueAt(copy, path.slice(0, -1));
    const name = path.at(-1) ?? '';
    if (!isJsonObject(owner)) continue;
    const before = getMember(owner, name);
    if (typeof before !== 'string') continue;
    setMember(owner, name, tokenFor(request, path, isGiven ? before : '', user));
    for (const [other, value] of BESIDE_TOKENS) {
      const isKept = isGiven || !Object.hasOwn(owner, other);
      if (!isKept) setMember(owner, other, value);
    }
  }
  return copy;
}

/** RFC 6749 §5.1. */
const BESIDE_TOKENS = [
  ['token_type', 'Bearer'],
  ['tokenType', 'Bearer'],
  ['expires_in', 3600],
  ['expiresIn', 3600],
] as const;

/** Returns the token of the document's example if it can be sent; else a new one. */
function tokenFor(request: LoginRequest, path: MemberPath, example: string, user: User): string {
  const { call, material, meaning } = request;
  const [listed] = material.tokens;
  if (listed !== undefined) return listed;
  // The example of a JSON Web Token has expired.
  if (/^[A-Za-z0-9._~+/-]+=*$/.test(example) && !example.startsWith('ey')) return example;
  const random = call.chanceOf(`token ${path.join('.')}`);
  const isJwt = meaning.isJwt || /jwt|^id_?token/i.test(path.at(-1) ?? '');
  return isJwt ? makeJwt(request, user, random) : draw(random, 40);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function draw(random: Random, length: number): string {
  const digits = Array.from({ length }, () => DIGITS[Math.floor(random.next() * DIGITS.length)]);
  return digits.join('');
}

/** Returns a JSON Web Token (RFC 7519) for an hour, whose signature is of no key. */
function makeJwt({ call }: LoginRequest, user: User, random: Random): string {
  const seconds = Math.floor(call.now() / 1000);
  const known = ['email', 'name'].flatMap((name) => {
    const value = user && getMember(user, name);
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const id = user && (getMember(user, 'id') ?? getMember(user, 'uuid'));
  const claims = {
    sub: String(id ?? known[0]?.[1] ?? 'user'),
    ...Object.fromEntries(known),
    iat: seconds,
    exp: seconds + 3600,
  };
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(stringifyJson(part)).toString('base64url'),
  );
  return [...parts, draw(random, 43)].join('.');
}

/** Puts the user where the response has it, and the user's members among those of the body. */
function showUser({ meaning }: LoginRequest, body: JsonValue, user: User) {
  if (user === undefined) return body;
  const { shown, type } = meaning;
  const copy = copyJson(body);
  const owner = shown && valueAt(copy, shown.path.slice(0, -1));
  if (shown !== undefined && isJsonObject(owner)) {
    setMember(owner, shown.path.at(-1) ?? '', wrapAlone(user, shown, type));
  }
  if (!isJsonObject(copy)) return body;
  for (const name of Object.keys(copy)) {
    const of = /^user_?id$/i.test(name) ? 'id' : name;
    const value = OWN.test(plain(name)) ? getMember(user, of) : undefined;
    if (value !== undefined && typeof value !== 'object') setMember(copy, name, value);
  }
  return copy;
}

const OWN = /^(?:userid|email|username|login|name|role)$/;
