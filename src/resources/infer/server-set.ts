import type { JsonValue } from '../../base/json/value.ts';
import { plain, singularName } from '../../base/words.ts';
import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import { eventOf, findBeginning, findInitial, isOwnStatus } from '../initial-value.ts';
import { type Fact, inferred, type ServerSetProperty, type ServerSetRole } from '../resource.ts';
import { identifies, isCountOf } from '../shape/words.ts';
import { ALIKE } from '../shape/wrapping.ts';
import type { Draft } from './draft.ts';

/** Facts about a resource from before its properties are read. */
interface Known {
  /** The property with the key. */
  readonly key: string | undefined;
  /** The properties that come from the path. */
  readonly parents: readonly string[];
  /** Returns the schema of the caller. */
  readonly caller: () => SchemaNode | undefined;
}

/**
 * Returns the properties of a resource that the service sets.
 *
 * @param findOverride returns the role that an override gives to a property
 */
export function findServerSet(
  { family, shown, written }: Draft,
  { key, parents, caller }: Known,
  findOverride: (name: string, node: SchemaNode) => RoleOverride | undefined,
): readonly ServerSetProperty[] {
  const one = singularName(family.name);
  const ofOwner = DESCRIBING.flatMap((owner) =>
    setInside(owner, shown?.property(owner), {
      written: written.map((given) => given.property(owner)).filter((node) => node !== undefined),
      apart: [...parents, ...(key === undefined ? [] : [key])],
    }),
  );
  const own = [...(shown?.properties ?? [])].flatMap(
    ([name, node]): readonly ServerSetProperty[] => {
      if (parents.includes(name) || node.keyword('writeOnly') === true) return [];
      const { pointer } = node;
      const given = howGiven(name, node, written);
      const isNew = given === 'never' || (given === 'perhaps' && isOwnStatus(name, one));
      const initial = isNew ? initialOf({ family, written }, name, node) : undefined;
      const isRequired = shown?.required.has(name) === true;
      const override = findOverride(name, node);
      const role =
        override ??
        (given === 'always' ? undefined : likelyRole(name, node, key)) ??
        roleOfCaller(name, node, { given, caller }) ??
        roleOf(name, node, { given, initial, isRequired, collection: family.name, shown });
      if (role === undefined || role.value === 'nothing') return [];
      return [
        {
          name,
          role: { value: role.value, reason: role.reason, source: role.source },
          pointer,
          mayBeGiven: given !== 'never',
          initial: override?.initial ?? initial?.value,
        },
      ];
    },
  );
  // Links may have parts of the caller, as `/repos/{owner}/{repo}` has.
  const isOfCaller = ({ role }: ServerSetProperty) => role.value === 'caller';
  return [...own.filter(isOfCaller), ...own.filter((each) => !isOfCaller(each)), ...ofOwner];
}

/** Objects in a resource that say when it was made, and in which version it is. */
const DESCRIBING = ['metadata', 'meta'];

/** Returns what the service sets inside such an object: `metadata.uid`. */
function setInside(
  owner: string,
  node: SchemaNode | undefined,
  { written, apart }: { written: Draft['written']; apart: readonly string[] },
): readonly ServerSetProperty[] {
  return [...(node?.properties ?? [])].flatMap(([member, inner]): readonly ServerSetProperty[] => {
    const name = `${owner}.${member}`;
    const word = plain(member);
    if (apart.includes(name) || howGiven(member, inner, written) === 'always') return [];
    const isOfText = isText(inner);
    const role =
      likelyRole(member, inner, undefined) ??
      (isOfText && word === 'resourceversion'
        ? inferred('revision' as const, NAMED_SO)
        : undefined) ??
      (isOfText && /^u?uid$/.test(word) ? inferred('given' as const, NAMED_SO) : undefined);
    if (role === undefined) return [];
    // A client sends the version back that it has read.
    const mayBeGiven = role.value === 'given';
    return [{ name, role, pointer: inner.pointer, mayBeGiven, initial: undefined }];
  });
}

const NAMED_SO = 'its name says so';

/**
 * Returns the first value of a property; of a status without an enum, by that of a filter or request.
 * A resource that can be streamed is complete at once: its lists are not empty at first.
 */
function initialOf(
  { family: { collection }, written }: Pick<Draft, 'family' | 'written'>,
  name: string,
  node: SchemaNode,
) {
  const isWorkedOut = node.isArray && collection?.get('POST')?.isStreamed === true;
  if (isWorkedOut) return undefined;
  const filter = collection?.get('GET')?.parameters.find((one) => one.name === name)?.node;
  const isOpen = node.types.has('string') && node.keyword('enum') === undefined;
  const others = isOpen ? [filter, ...written.map((given) => given.property(name))] : [];
  const found = others.map((other) => findBeginning(name, other));
  return findInitial(name, node) ?? found.find((one) => one !== undefined);
}

interface RoleOverride extends Fact<ServerSetRole | 'nothing'> {
  readonly initial?: JsonValue;
}

/** Whether requests have a property. */
type Given = 'never' | 'perhaps' | 'always';

function howGiven(name: string, node: SchemaNode, written: Draft['written']): Given {
  const isGiven = written.some(({ names }) => names.has(name));
  if (!isGiven || node.keyword('readOnly') === true) return 'never';
  return written.every(({ required }) => required.has(name)) ? 'always' : 'perhaps';
}

interface PropertyFacts {
  readonly given: Given;
  readonly initial: Fact<JsonValue> | undefined;
  readonly isRequired: boolean;
  readonly collection: string;
  readonly shown: SchemaNode | undefined;
}

function roleOf(
  name: string,
  node: SchemaNode,
  { given, initial, isRequired, collection, shown }: PropertyFacts,
): Fact<ServerSetRole> | undefined {
  const first = initial && inferred<ServerSetRole>('initial', initial.reason);
  if (given !== 'never') return first;
  const word = plain(name);
  if (eventOf(name) !== undefined && canBeTime(node))
    return inferred('reached-at', 'its name says so');
  const isNumber = node.types.has('integer') || node.types.has('number');
  if (REVISION.test(word) && isNumber) return inferred('revision', NAMED_SO);
  if (SELF.test(word) && canBeLink(node)) return inferred('self', NAMED_SO);
  if (isNumber && counts(name, shown)) return inferred('count', NAMED_SO);
  const isName = isText(node) && identifies(name, collection);
  return (
    first ??
    roleOfOther(name, node, isRequired) ??
    (isName ? inferred('given', 'it identifies the resource') : undefined)
  );
}

/** Returns true for `phoneCount` beside a list `phones`. */
function counts(name: string, shown: SchemaNode | undefined): boolean {
  return [...(shown?.properties ?? [])].some(
    ([other, { isArray }]) => isArray && isCountOf(name, other),
  );
}

/** Returns the role of a property that no request has, and whose name says nothing. */
function roleOfOther(
  name: string,
  node: SchemaNode,
  isRequired: boolean,
): Fact<ServerSetRole> | undefined {
  const all = node.keyword('enum');
  if (node.keyword('const') !== undefined || (Array.isArray(all) && all.length === 1))
    return inferred('given', 'its schema has one value for it');
  if (node.keyword('readOnly') === true) return inferred('given', 'it is readOnly');
  if (name === 'id') return inferred('given', NAMED_SO);
  if (node.keyword('default') !== undefined) return inferred('given', 'it has a default');
  if (SECRET.test(plain(name)) && node.types.has('string'))
    return inferred('given', 'nobody else can know it');
  return isRequired
    ? inferred('given', 'a response must have it, and no request has it')
    : undefined;
}

/** Names of secrets that the service makes, and shows to the client. */
export const SECRET =
  /(?:secret|token|(?:api|stream|public|private|signing|license|encryption)key)$/;

const CREATED =
  /^(?:(?:date|time|at|on)?(?:created|inserted|added|registered|uploaded|placed|ordered|booked|joined|posted)(?:at|on|date|time|timestamp|datetime|dateutc|ms|utc)?|(?:creation|create|insertion|registration)(?:date|time|timestamp|datetime|at|on)?(?:utc)?)$/;
const UPDATED =
  /^(?:(?:date|time|at|on|last)?(?:updated|modified|changed|edited)(?:at|on|date|time|timestamp|datetime|dateutc|ms|utc)?|(?:last)?(?:update|modification|modify|change)(?:date|time|timestamp|datetime|at|on)(?:utc)?|lastmodificationdate)$/;
const REVISION = /^(?:version|revision|rev|etag|lockversion|versionnumber)$/;
const SELF = /^(?:self|href|url|uri|link|selflink|selfurl|resourceurl|resourceuri|htmlurl)$/;

function likelyRole(
  name: string,
  node: SchemaNode,
  key: string | undefined,
): Fact<ServerSetRole> | undefined {
  if (name === key) return inferred('key', 'it is the key');
  if (name === 'id' && key === 'name' && node.keyword('readOnly') === true && canBeLink(node)) {
    return inferred('self', 'the key is another property');
  }
  if (!canBeTime(node)) return undefined;
  const word = plain(name);
  if (CREATED.test(word)) return inferred('created-at', NAMED_SO);
  return UPDATED.test(word) ? inferred('updated-at', NAMED_SO) : undefined;
}

/** `owner: {"login": …}`, or `ownerId`, of the user who creates a resource. */
function roleOfCaller(
  name: string,
  node: SchemaNode,
  { given, caller }: Pick<Known, 'caller'> & { readonly given: Given },
) {
  const [, isId] = CALLER.exec(plain(name)) ?? [];
  if (isId === undefined || node.isArray || given !== 'never') return undefined;
  const me = caller();
  const id = me?.property('id');
  const isKey = isId !== '' && [...node.types].some((type) => id?.types.has(type));
  const isIt = node.isObject ? node.names.size > 0 && likeness(node, me) >= ALIKE : isKey;
  return isIt ? inferred<ServerSetRole>('caller', 'its name says so') : undefined;
}

const CALLER =
  /^(?:owner|user|author|creator|createdby|uploader|uploadedby|reporter|sender|submitter|submittedby|requester|requestedby|inviter|invitedby|actor|postedby|addedby)((?:user)?id|)$/;

function isText(node: SchemaNode): boolean {
  return node.types.has('string') && node.keyword('enum') === undefined;
}

function canBeTime(node: SchemaNode): boolean {
  if (node.types.has('integer') || node.types.has('number')) return true;
  const format = node.keyword('format');
  const isMoment = format === undefined || /^(?:date|rfc)/.test(String(format));
  return node.types.has('string') && isMoment && node.keyword('enum') === undefined;
}

function canBeLink(node: SchemaNode): boolean {
  const format = node.keyword('format');
  return node.types.has('string') && (format === undefined || /^(?:uri|url)/.test(String(format)));
}
