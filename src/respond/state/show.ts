import { toText } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonObject, type JsonValue, mergeDeep } from '../../base/json/value.ts';
import type { Content } from '../../contract/content.ts';
import type { Operation } from '../../contract/contract.ts';
import type { Declared } from '../../contract/responses.ts';
import { NO_FIELDS, type ResponseFields } from '../../http/message.ts';
import { identityOf, keyIn, readKey } from '../../resources/collections.ts';
import { toEntityTag } from '../../resources/conditions.ts';
import type { MemberPath } from '../../resources/meaning.ts';
import {
  pathOfOne,
  setProperty,
  unwrap,
  valueAt,
  wrap,
  wrapAlone,
  wrapInMembers,
} from '../../resources/wrapping.ts';
import type { Change, Stored } from '../../state/store.ts';
import { fitValue } from '../conform/repair.ts';
import { findExample } from '../example.ts';
import { negotiate } from '../negotiate.ts';
import { type Candidate, type Effect, type Payload, toCandidate } from '../response.ts';
import { linksTo, type Placed } from './links.ts';
import { placeholderBody, placeholderResource } from './placeholder.ts';
import { WrittenBody } from './shown-texts.ts';
import type { StateRequest } from './state-request.ts';

interface Shown {
  readonly resources: readonly JsonObject[];
  /** Of the first resource; generated members depend on nothing else. */
  readonly key: string;
}

/**
 * Returns the response that contains resources, completed with members of the document's example, or
 * generated ones. What a stored resource shows is written once.
 *
 * @returns undefined if the response does not contain the resource
 * @throws {Problem} NOT_ACCEPTABLE
 */
export function showResources(
  request: StateRequest,
  declared: Declared,
  given: Shown | Stored,
  fields: ResponseFields = NO_FIELDS,
): Candidate | undefined {
  const content = negotiate(request, declared);
  if (content === undefined) return toCandidate('state', declared, { kind: 'none' }, fields);
  if (!canShow(content)) return undefined;
  const payload =
    'resource' in given ? showStored(request, content, given) : showAll(request, content, given);
  return payload && toCandidate('state', declared, payload, fields);
}

function showStored(request: StateRequest, content: Content, stored: Stored): Payload | undefined {
  const { shownTexts } = request.material;
  const isKept = content.isJson && stored.text !== undefined;
  const known = isKept ? shownTexts.find(stored, request, content) : undefined;
  if (known !== undefined) return new WrittenBody(content, known);
  const { key, resource } = stored;
  const shown = showAll(request, content, { resources: [resource], key });
  if (!isKept || shown === undefined) return shown;
  const text = shownTexts.write(stored, request, content, shown.value, shown.isAsGiven);
  return new WrittenBody(content, text);
}

/** Returns the first body that contains the resources and conforms, or can be made to. */
function showAll(request: StateRequest, content: Content, { resources, key }: Shown) {
  const { meaning, facts } = request;
  const { schema } = content;
  const { type } = meaning;
  const lists = facts.keyListsOf(meaning, schema?.pointer);
  const keys = lists.length === 0 ? [] : resources.flatMap((one) => keyIn(type, one) ?? []);
  for (const body of bodiesOf(request, content, resources, lists.length > 0)) {
    const projected = content.project(body);
    if (isEmpty(projected) && !isEmpty(body)) continue;
    setKeys(projected, lists, keys);
    const isAsGiven = schema === undefined || schema.accepts(projected);
    const value = isAsGiven ? projected : fitShown(request, content, key, projected);
    // Only what was added can have brought another key.
    if (value === undefined || (!isAsGiven && !isOwn(request, value, resources[0]))) continue;
    return { kind: 'value', content, value, isConforming: true, isAsGiven } as const;
  }
  return undefined;
}

function fitShown(request: StateRequest, content: Content, key: string, value: JsonValue) {
  const { material, meaning } = request;
  const { schema } = content;
  // What a read would show of a new resource, so that it shows the same afterwards.
  const usual = () =>
    meaning.shown && wrap(placeholderResource(request, key), meaning.shown, meaning.type);
  const example = findExample(content)?.value ?? usual();
  return fitValue({ material, schema, example, identity: identityOf(request, key) }, value);
}

/** Sets the lists of keys that a body has. */
function setKeys(body: JsonValue, lists: readonly MemberPath[], keys: readonly string[]): void {
  if (!isJsonObject(body)) return;
  for (const path of lists) setProperty(body, path.join('.'), keys.map(readKey));
}

/** Returns false for a body with another key than that of the stored resource. */
function isOwn({ meaning }: StateRequest, body: JsonValue, stored: JsonObject | undefined) {
  const { shown, type } = meaning;
  const resource = unwrap(body, shown, type);
  const [key, own] = [resource, stored].map((one) => one && keyIn(type, one));
  if (key === undefined || own === undefined) return true;
  return toText(readKey(key)) === toText(readKey(own));
}

/** Returns true if nothing of the resource is left: then the response describes something else. */
function isEmpty(body: JsonValue): boolean {
  return isJsonObject(body) && Object.keys(body).length === 0;
}

export function canShow({ isJson, isValidated, schema }: Content): boolean {
  return isJson || (isValidated && schema !== undefined);
}

/** Returns the list of several resources, then the first alone; the example for keys alone. */
function bodiesOf(
  { meaning, body }: StateRequest,
  content: Content,
  resources: readonly JsonObject[],
  hasKeys: boolean,
): JsonValue[] {
  const { shown, type } = meaning;
  const [first] = resources;
  if (shown === undefined) return hasKeys ? [mergeDeep({}, findExample(content)?.value ?? {})] : [];
  const single = first === undefined ? [] : [wrap(first, shown, type)];
  if (!('isMany' in meaning) || !meaning.isMany) return single;
  const items = resources.map((resource) => wrapAlone(resource, shown, type));
  const list = wrapInMembers(items, shown.path);
  const [item] = items;
  const isAlone = valueAt(body?.value, meaning.given.path) === undefined;
  if (isAlone && item !== undefined && isJsonObject(list)) {
    // It is left out where the schema does not have it.
    setProperty(list, pathOfOne(shown.path).join('.'), item);
  }
  return [list, ...single];
}

/**
 * Returns the response to a change. If it does not contain the resource, and has another status than
 * later sources choose, it contains a placeholder.
 *
 * @param isNew true if the request created the resources
 * @returns undefined if later sources respond, as if nothing was changed
 */
export function showWritten(request: StateRequest, shown: Shown, isNew: boolean) {
  const { success } = request.operation.responses;
  const declared = success && chooseSuccess(request.operation, success, isNew);
  if (declared === undefined) return undefined;
  const candidate = showResources(request, declared, shown);
  if (candidate !== undefined || declared.status === success?.status) return candidate;
  const content = negotiate(request, declared);
  const identity = identityOf(request, shown.key);
  const value = content && placeholderBody(request.material, content, identity)?.value;
  if (content === undefined || value === undefined) return undefined;
  return toCandidate('state', declared, { kind: 'value', content, value });
}

/** Returns the declared response: 201 for a created resource, another success for a changed one. */
function chooseSuccess({ responses }: Operation, success: Declared, isNew: boolean): Declared {
  if (success.status >= 300 || (!isNew && success.status !== CREATED)) return success;
  for (const status of isNew ? [CREATED] : CHANGED) {
    const response = responses.findSpecific(status);
    if (response !== undefined) return { status, response };
  }
  return success;
}

const CREATED = 201;
const CHANGED = [200, 204, 202];

/** Returns false if the operation declares only failures: then nothing is changed. */
export function mayChange({ responses }: Operation): boolean {
  return (responses.success?.status ?? 200) < 400;
}

/** The changes of a request, and the fields that depend on them. */
export class StoringEffect implements Effect {
  readonly #request: StateRequest;
  readonly #changes: readonly Change[];
  readonly #key: string | undefined;

  /**
   * @param changes the resource in the response comes first
   * @param key of that resource; undefined if there is none, or if it is deleted
   */
  constructor(request: StateRequest, changes: readonly Change[], key?: string) {
    this.#request = request;
    this.#changes = changes;
    this.#key = key;
  }

  changes(): readonly Change[] {
    return this.#changes;
  }

  fields([version]: readonly number[], candidate: Candidate): ResponseFields {
    if (this.#key === undefined) return NO_FIELDS;
    const resource = this.#changes[0]?.resource ?? {};
    return fieldsOf(this.#request, candidate, { key: this.#key, resource, version });
  }
}

function fieldsOf(
  request: StateRequest,
  candidate: Candidate,
  { key, resource, version }: Placed & { readonly version: number | undefined },
): ResponseFields {
  const { status, declared } = candidate;
  const named = declared?.response.headers.schemas;
  const { itemPath } = request.facts;
  // A resource without a path needs no entity tag.
  const hasTag = itemPath !== undefined || named?.has('etag') === true;
  // RFC 9110 §10.2.2: with 201, Location is the URL of the created resource.
  const hasLocation = status === 201 || named?.has('location') === true;
  const isCreated = itemPath !== undefined && request.meaning.kind === 'create';
  const isHidden = isCreated && !hasLocation && !showsKey(request, candidate, key);
  const tag = hasTag && version !== undefined ? toEntityTag(version) : undefined;
  if (!(hasLocation || isHidden)) {
    return tag === undefined ? NO_FIELDS : admittedTag(declared, tag);
  }
  const links = [...linksTo(request, { key, resource })].reverse();
  return admittedFields(declared, {
    etag: tag === undefined ? [] : [tag],
    location: hasLocation ? links : [],
    'mock-resource': hasLocation ? [] : links,
  });
}

function showsKey({ meaning }: StateRequest, { payload }: Candidate, key: string): boolean {
  const { shown, type } = meaning;
  const body = payload.kind === 'value' && !payload.example ? payload.value : undefined;
  const resource = unwrap(body, shown, type);
  return resource !== undefined && keyIn(type, resource) === key;
}

/** Returns the field with an entity tag, where the response allows it. */
export function admittedTag(declared: Declared | undefined, entityTag: string): ResponseFields {
  return isAllowed(declared, 'etag', entityTag) ? { etag: entityTag } : NO_FIELDS;
}

function isAllowed(declared: Declared | undefined, name: string, text: string): boolean {
  const violations = declared?.response.headers.findViolations(name, text);
  return violations === undefined || violations.length === 0;
}

/** Returns the fields with the first of their candidates that the response allows. */
export function admittedFields(
  declared: Declared | undefined,
  candidates: Readonly<Record<string, readonly string[]>>,
): ResponseFields {
  const fields: Record<string, string> = {};
  for (const name in candidates) {
    const allowed = candidates[name]?.find((text) => isAllowed(declared, name, text));
    if (allowed !== undefined) fields[name] = allowed;
  }
  return fields;
}
