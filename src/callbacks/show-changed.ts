import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../base/json/value.ts';
import { plain, singularName } from '../base/words.ts';
import type { Content } from '../contract/content.ts';
import type { Contract } from '../contract/contract.ts';
import type { Generator } from '../generate/generator.ts';
import { isSecret } from '../journal/redact/redaction.ts';
import type { ValidRequest } from '../request/request.ts';
import { type Collection, collectionOf, keyTextsOf, readKey } from '../resources/collections.ts';
import type { Resources } from '../resources/meaning.ts';
import type { ResourceType } from '../resources/resource.ts';
import { unwrap } from '../resources/wrapping.ts';
import { fitValue } from '../respond/conform/repair.ts';
import type { ShowStored } from '../respond/state/show-stored.ts';
import type { SchemaNode } from '../schema/schema-node.ts';
import type { Call } from '../session/call.ts';
import type { Change } from '../state/store.ts';

interface ShowMaterial {
  readonly contract: Contract;
  readonly resources: Resources;
  readonly generator: Generator;
  readonly showStored: ShowStored;
}

/** Returns a payload that shows the resource which a request has created or changed. */
export type ShowInPayload = (content: Content, payload: JsonValue, isExample: boolean) => JsonValue;

/** @param body of the response */
export type ShowChanged = (
  request: ValidRequest,
  body: JsonValue | undefined,
  call: Call,
) => ShowInPayload;

export function createShowChanged(material: ShowMaterial): ShowChanged {
  const { contract } = material;
  return (request, body, call) => {
    const changed = findChanged(material, request, body, call);
    if (changed === undefined) return (_, payload) => payload;
    const identity = `${call.seed}\n${call.number}`;
    return (content, payload, isExample) => {
      if (!isJsonObject(payload)) return payload;
      const overlay = new Overlay(contract, changed, isExample);
      const node = contract.schemas.nodes.at(content.schema?.pointer);
      const shown = content.project(overlay.showIn(payload, node));
      const { schema } = content;
      return fitValue({ material, schema, example: payload, identity }, shown) ?? payload;
    };
  };
}

interface ChangedResource {
  readonly type: ResourceType;
  /** As responses show it. */
  readonly resource: JsonObject;
  readonly key: JsonValue | undefined;
}

/** Returns what a request has created, changed or deleted; of a deleted resource only the key. */
function findChanged(
  material: ShowMaterial,
  request: ValidRequest,
  body: JsonValue | undefined,
  call: Call,
): ChangedResource | undefined {
  const meaning = material.resources.meaningOf(request.operation);
  if (meaning === undefined || meaning.kind === 'read' || meaning.kind === 'list') return undefined;
  const { type, shown } = meaning;
  const name = collectionOf(type, request.pathParameters);
  const segment = request.pathParameters.get(type.key?.parameter ?? '');
  const keys: readonly string[] = segment === undefined ? [] : keyTextsOf(segment);
  const changes = call.changes.filter(({ collection }) => collection === name);
  // A collection that is written for the first time takes over the resources that it began with.
  const change = changes.find(({ key }) => keys.includes(key)) ?? changes.at(-1);
  const key = change?.key ?? keys[0];
  const answered = unwrap(body, shown, type);
  if (key === undefined && answered === undefined) return undefined;
  const stored = change?.resource && showChange(material, { type, name }, change, call.seed);
  return withKey(type, { ...stored, ...answered }, key);
}

/** Returns a resource with its key: that of the response, else that of the store or the path. */
function withKey(type: ResourceType, resource: JsonObject, keyText: string | undefined) {
  const name = type.key?.property?.value;
  const shown = name === undefined ? undefined : getMember(resource, name);
  const key = shown ?? (keyText === undefined ? undefined : readKey(keyText));
  if (name !== undefined && key !== undefined) setMember(resource, name, key);
  return { type, resource, key };
}

/** Returns the members of a stored resource that responses show. */
function showChange(
  { contract, showStored }: ShowMaterial,
  collection: Collection,
  { key, resource = {} }: Change,
  seed: string,
): JsonObject {
  const node = contract.schemas.nodes.at(collection.type.schema?.pointer);
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(showStored(collection, { key, resource }, seed))) {
    if (isShown(node, name)) setMember(shown, name, value);
  }
  return shown;
}

function isShown(node: SchemaNode | undefined, name: string): boolean {
  if (node === undefined || node.properties.size === 0) return true;
  const property = node.property(name);
  return property !== undefined && !isSecret(property);
}

/** Names of members around a resource, whatever the resource is. */
const ENVELOPE = /^(?:data|object|resource|payload|entity|record|item|details?)$/;
/** Names of members that say what has happened, not what the resource is. */
const STATEMENT = /^(?:event|type|kind|action|topic|status|state|phase|reason)$/;
const DEEPEST = 5;

/** Puts a resource into a payload: whole, by its key, or member by member. */
class Overlay {
  readonly #contract: Contract;
  readonly #changed: ChangedResource;
  /** The document's own words about what has happened are kept. */
  readonly #isExample: boolean;
  /** The name of one resource, such as `order`. */
  readonly #name: string;
  readonly #keyName: string | undefined;

  constructor(contract: Contract, changed: ChangedResource, isExample: boolean) {
    const { type } = changed;
    this.#contract = contract;
    this.#changed = changed;
    this.#isExample = isExample;
    this.#name = plain(singularName(type.name.slice(type.name.lastIndexOf('/') + 1)));
    this.#keyName = type.key?.property?.value;
  }

  showIn(
    value: JsonObject,
    node: SchemaNode | undefined,
    isEnvelope = false,
    depth = 0,
  ): JsonObject {
    if (this.#isResource(value, node)) return this.#changed.resource;
    const isEvent = !isEnvelope && Object.keys(value).some((name) => this.#tellsEvent(name));
    return mapMembers(value, (member, name) => {
      const at = node?.property(name);
      if (this.#isKeyName(name)) return this.#changed.key ?? member;
      if (isJsonObject(member)) return this.#showInMember(name, member, at, depth);
      if (Array.isArray(member)) return this.#showInList(member, at?.items);
      return this.#isOfEvent(name, isEvent) ? member : this.#ownMember(name, member, at);
    });
  }

  #showInList(items: JsonValue[], node: SchemaNode | undefined): JsonValue[] {
    const isList = items.some((item) => this.#isResource(item, node));
    return isList ? [this.#changed.resource] : items;
  }

  /** Returns the value that the resource has for a member, if the member may have it. */
  #ownMember(name: string, member: JsonValue, at: SchemaNode | undefined): JsonValue {
    const own = getMember(this.#changed.resource, name);
    return own !== undefined && this.#isAllowed(own, member, at) ? own : member;
  }

  #showInMember(name: string, member: JsonObject, at: SchemaNode | undefined, depth: number) {
    const isEnvelope = ENVELOPE.test(plain(name));
    const isEmpty = Object.keys(member).length === 0;
    if (plain(name) === this.#name || (isEnvelope && isEmpty)) return this.#changed.resource;
    return depth < DEEPEST ? this.showIn(member, at, isEnvelope, depth + 1) : member;
  }

  /** Returns whether a value is such a resource: by its schema or its members. */
  #isResource(value: JsonValue, node: SchemaNode | undefined): boolean {
    const { type, resource } = this.#changed;
    if (!isJsonObject(value)) return false;
    const { nodes } = this.#contract.schemas;
    const schemas = [type.schema, type.writtenSchema].flatMap(
      (one) => nodes.at(one?.pointer) ?? [],
    );
    if (node !== undefined && schemas.some(({ pointer }) => pointer === node.pointer)) return true;
    const names = Object.keys(value);
    const keyName = this.#keyName;
    if (keyName === undefined || names.length < 2 || !names.includes(keyName)) return false;
    return names.every((name) => Object.hasOwn(resource, name));
  }

  /** Returns whether a member has the key of the resource: `orderId`, `order_number`. */
  #isKeyName(name: string): boolean {
    const isOf = (keyName: string): boolean => plain(name) === this.#name + plain(keyName);
    return isOf('id') || (this.#keyName !== undefined && isOf(this.#keyName));
  }

  /** Returns whether a member shows that the object is an event, which has a key of its own. */
  #tellsEvent(name: string): boolean {
    return this.#isKeyName(name) || plain(name) === this.#name || /^(?:event|type)/.test(name);
  }

  #isOfEvent(name: string, isEvent: boolean): boolean {
    if (isEvent && name === this.#keyName) return true;
    return this.#isExample && STATEMENT.test(name);
  }

  /** A member that no schema describes keeps its type. */
  #isAllowed(value: JsonValue, before: JsonValue, at: SchemaNode | undefined): boolean {
    if (at === undefined) return typeof value === typeof before;
    const schema = this.#contract.schemas.schemaAt(at.pointer, 'response');
    return schema.accepts(value);
  }
}
