import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { identityOf } from '../../resources/collections.ts';
import type { MemberPath, MembersMeaning } from '../../resources/meaning.ts';
import { valueAt, wrapInMembers } from '../../resources/wrapping.ts';
import { fitValue } from '../conform/repair.ts';
import { negotiate } from '../negotiate.ts';
import { type Candidate, type Outcome, toCandidate } from '../response.ts';
import { changeExisting } from './change.ts';
import { completeResource } from './complete-resource.ts';
import { requireStored } from './find-stored.ts';
import { keysInPath } from './path-keys.ts';
import { objectsFor } from './refer.ts';
import { changeList } from './set-given.ts';
import { StoringEffect, showResources } from './show.ts';
import type { StateRequest } from './state-request.ts';

type MembersRequest = StateRequest<MembersMeaning>;

/** `POST /issues/7/labels`: lists or changes a list in a resource, by the names of its items. */
export function members(request: MembersRequest): Awaitable<Outcome> {
  const keys = keysInPath(request);
  if (request.meaning.does !== 'list') {
    return changeExisting(request, keys, ({ key, resource: before, expected }) => {
      const { property } = request.meaning;
      return after(objectsFor(request, property, itemsAfter(request, before)), (items) => {
        const resource = { ...before };
        setMember(resource, property, [...items]);
        const whole = completeResource(request, { key, resource, before });
        const changes = [{ collection: request.collection, key, expected, resource: whole }];
        return {
          candidate: show(request, whole, key),
          effect: new StoringEffect(request, changes, key),
        };
      });
    });
  }
  if (keys === undefined) return undefined;
  return after(
    requireStored(request, keys),
    (stored) => stored && show(request, stored.resource, stored.key),
  );
}

function itemsOf({ meaning }: MembersRequest, resource: JsonObject): readonly JsonValue[] {
  const items = getMember(resource, meaning.property);
  return Array.isArray(items) ? items : [];
}

function itemsAfter(request: MembersRequest, resource: JsonObject): JsonValue[] {
  const { does, property, parameter } = request.meaning;
  const before = itemsOf(request, resource);
  const given =
    parameter === undefined ? namesIn(request) : [request.pathParameters.get(parameter) ?? ''];
  const items = changeList(does, before, given);
  // RFC 9110 §15.5.5
  if (does === 'remove' && parameter !== undefined && items.length === before.length) {
    throw new Problem('RESOURCE_NOT_FOUND', `${property} has no ${JSON.stringify(given[0])}`);
  }
  return items;
}

function namesIn({ meaning, body }: MembersRequest): readonly JsonValue[] {
  if (body === undefined || meaning.names === undefined) return [];
  const { value } = body;
  const named = Array.isArray(value) ? value : (valueAt(value, meaning.names) ?? []);
  return Array.isArray(named) ? named : [named];
}

function show(request: MembersRequest, resource: JsonObject, key: string): Candidate | undefined {
  const { operation, meaning } = request;
  const declared = operation.responses.success;
  if (declared === undefined || meaning.items === undefined) {
    return declared && showResources(request, declared, { resources: [resource], key });
  }
  return showMember(request, { value: [...itemsOf(request, resource)], path: meaning.items, key });
}

/** Returns the response that has a value in members of these names, and nothing else. */
export function showMember(
  request: StateRequest,
  { value, path, key }: { readonly value: JsonValue; readonly path: MemberPath; key: string },
): Candidate | undefined {
  const { operation, material } = request;
  const declared = operation.responses.success;
  if (declared === undefined) return undefined;
  const content = negotiate(request, declared);
  if (content === undefined) return toCandidate('state', declared, { kind: 'none' });
  const fit = { material, schema: content.schema, example: undefined };
  const body = fitValue({ ...fit, identity: identityOf(request, key) }, wrapInMembers(value, path));
  if (body === undefined) return undefined;
  return toCandidate('state', declared, {
    kind: 'value',
    content,
    value: body,
    isConforming: true,
  });
}
