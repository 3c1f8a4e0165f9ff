import { isJsonObject } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import type { Contract } from '../../contract/contract.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import type { LoginMeaning, MemberPath } from '../meaning.ts';
import { NOBODY, type ResourceType } from '../resource.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { lastName } from '../shape/path-shape.ts';
import { ALIKE, findAmong } from '../shape/wrapping.ts';

/** Returns the meaning of an operation whose name and response say that it gives a token. */
export function inferLogin(shape: OperationShape, people: () => People): LoginMeaning | undefined {
  if (!givesTokens(shape)) return undefined;
  const tokens = findTokens(shape.success?.node);
  const reason = `POST to ${lastName(shape.path)}, and the response has ${tokens[0]?.join('.')}`;
  return { ...loginMeaning(shape, people()), tokens, reason, source: 'inferred' };
}

/** Returns true for an operation that gives a token, as its name and response say. */
export function givesTokens({ operation, path, success }: OperationShape): boolean {
  if (operation.method !== 'POST' || !LOGIN.test(plain(lastName(path)))) return false;
  return findTokens(success?.node).length > 0;
}

/** Returns the meaning of an operation that is known to give a token. */
export function loginMeaning({ operation, path, success }: OperationShape, people: People) {
  const { me, users } = people;
  const name = lastName(path);
  const node = success?.node;
  const user = me?.node ?? users?.node;
  const inner = user && findAmong(node, 'users', user);
  const isShown = inner !== undefined && inner.wrapping.path.length > 0;
  const shown = isShown && likeness(inner.node, user) >= ALIKE ? inner.wrapping : undefined;
  return {
    kind: 'login',
    operation,
    type: me?.type ?? users?.type ?? NOBODY,
    users: users?.type,
    isNew: /^(?:register|registration|signup)/.test(plain(name)),
    isJwt: people.isJwt,
    tokens: findTokens(node),
    shown,
  } as const;
}

/** Who may log in, as the resources of a document say. */
export interface People {
  /** The one resource of the caller: `/me`. */
  readonly me: Person | undefined;
  readonly users: Person | undefined;
  /** True if the document says that its bearer tokens are JSON Web Tokens. */
  readonly isJwt: boolean;
}

interface Person {
  readonly type: ResourceType;
  readonly node: SchemaNode | undefined;
}

export function findPeople(contract: Contract, types: readonly ResourceType[]): People {
  const { document, schemas } = contract;
  const find = (kind: ResourceType['kind'], names: readonly string[]): Person | undefined => {
    const [type] = names.flatMap(
      (name) => types.find((one) => one.kind === kind && nameOf(one) === name) ?? [],
    );
    return type && { type, node: schemas.nodes.at(type.schema?.pointer) };
  };
  const declared = document.entries
    .flatMap(({ place }) => document.members(`${place}/components/securitySchemes`))
    .map(([, pointer]) => document.resolveObject(pointer)?.value);
  return {
    me: find('singleton', ME),
    users: find('collection', USERS),
    isJwt: declared.some((one) => isJsonObject(one) && /^jwt$/i.test(String(one['bearerFormat']))),
  };
}

function nameOf({ path }: ResourceType): string {
  return plain(path.split('/').at(-1) ?? '');
}

/** Names of the resource of the caller, and of all users, the likelier first. */
const ME = ['me', 'self', 'myself', 'whoami', 'currentuser', 'user', 'account', 'profile'];
const USERS = ['users', 'accounts', 'members', 'customers', 'people'];

const LOGIN =
  /^(?:(?:user)?(?:login|signin)|register|registration|signup|authenticate|auth|authentication|tokens?|accesstoken|refresh|refreshtoken|tokenrefresh|sessions?)$/;
const TOKEN = /^(?:(?:access|auth|id|bearer|session|refresh|jwt|api|user)?token|jwt)$/;

/** Returns the members of a response that are tokens, at up to three levels. */
function findTokens(node: SchemaNode | undefined, path: MemberPath = []): readonly MemberPath[] {
  if (node === undefined || path.length > 2) return [];
  return [...node.properties].flatMap(([name, property]) => {
    const here = [...path, name];
    if (property.isObject && !property.isArray) return findTokens(property, here);
    return TOKEN.test(plain(name)) && property.types.has('string') ? [here] : [];
  });
}
