import { type Awaitable, after, afterEach } from '../../base/awaitable.ts';
import { getMember, isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { Problem } from '../../base/problem.ts';
import { keyIn } from '../../resources/collections.ts';
import type { CreateMeaning } from '../../resources/meaning.ts';
import { withKey } from '../../resources/seed/make-key.ts';
import { unwrapAlone, valueAt } from '../../resources/wrapping.ts';
import type { Change } from '../../state/store.ts';
import type { Outcome } from '../response.ts';
import { completeResource } from './complete-resource.ts';
import { effectOf } from './effect.ts';
import { markDeleted, requireParents } from './find-stored.ts';
import { findFreeKey } from './free-key.ts';
import { keyBelowParents, setFromQuery, setKeyOfPath, setParents } from './path-keys.ts';
import { mayChange, showWritten } from './show.ts';
import type { StateRequest } from './state-request.ts';

/** `POST /plants`: stores the resource in the body. */
export function create(request: StateRequest<CreateMeaning>): Awaitable<Outcome> {
  const given = givenResources(request);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  return after(requireParents(request), () =>
    after(makeAll(request, given), (made) => respondCreated(request, made)),
  );
}

function makeAll(
  request: StateRequest<CreateMeaning>,
  given: readonly JsonObject[],
): Awaitable<readonly NewResource[]> {
  const taken = new Set<string>();
  return afterEach(given, (one) =>
    after(makeOne(request, one, taken), (made) => {
      taken.add(made.key);
      return made;
    }),
  );
}

interface NewResource {
  readonly key: string;
  readonly resource: JsonObject;
  readonly expected: Change['expected'];
  readonly changes: readonly Change[];
}

/** Returns the resources in the body; undefined if there are none. */
function givenResources({
  meaning,
  operation,
  body: sent,
}: StateRequest<CreateMeaning>): readonly JsonObject[] | undefined {
  const { given, isMany, type } = meaning;
  // `POST /tokens` creates a resource without a body.
  if (operation.body === undefined) return [{}];
  const body = sent?.value;
  const value = body === undefined ? undefined : valueAt(body, given.path);
  if (value === undefined) return undefined;
  const items = isMany && Array.isArray(value) ? value : [value];
  const resources = items.map((item) => unwrapAlone(item, given.form, type));
  return resources.every(isJsonObject) ? resources : undefined;
}

function makeOne(
  request: StateRequest<CreateMeaning>,
  given: JsonObject,
  taken: ReadonlySet<string>,
): Awaitable<NewResource> {
  const { type } = request.meaning;
  const resource = withQuery(request, given);
  setParents(request, resource);
  setKeyOfPath(request, resource);
  const key = ownKey(request, resource);
  if (key !== undefined) {
    return after(keyBelowParents(request, key), (kept) => putUnder(request, resource, kept));
  }
  return after(findFreeKey(request, resource, taken), ({ value, text, changes }) => {
    const name = type.key?.property?.value;
    const keyed = name === undefined ? resource : withKey(resource, name, value);
    const whole = completeResource(request, keyed, text, undefined);
    return { key: text, resource: whole, expected: 'absent', changes };
  });
}

/** Returns the resource with the members of the query. Those of the body take precedence. */
function withQuery(request: StateRequest, given: JsonObject): JsonObject {
  if (request.parameters.length === 0) return { ...given };
  const queried: JsonObject = {};
  setFromQuery(request, queried);
  return { ...queried, ...given };
}

/** Returns the key that the client gives, if a response may contain it. */
function ownKey({ material, meaning }: StateRequest, resource: JsonObject): string | undefined {
  const { type } = meaning;
  const key = keyIn(type, resource);
  const name = type.key?.property?.value;
  const property = type.serverSet.find((one) => one.name === name);
  if (key === undefined || name === undefined || property === undefined) return key;
  const schema = material.contract.schemas.schemaAt(property.pointer, 'response');
  return schema.check(getMember(resource, name) ?? null, 'body').length === 0 ? key : undefined;
}

function putUnder(
  request: StateRequest<CreateMeaning>,
  resource: JsonObject,
  key: string,
): Awaitable<NewResource> {
  const put = (): NewResource => {
    const whole = completeResource(request, resource, key, undefined);
    return { key, resource: whole, expected: isRefused ? 'absent' : 'any', changes: [] };
  };
  const isRefused = refusesTaken(request);
  if (!isRefused) return put();
  return after(request.store.get(request.collection, key), (stored) => {
    if (stored === undefined) return put();
    throw new Problem(
      'RESOURCE_EXISTS',
      `${request.meaning.type.name} has ${key.slice(0, 80)} already`,
    );
  });
}

/**
 * Returns true if an existing key is a conflict: a setting says so, or the operation declares 409.
 */
function refusesTaken({ material, operation }: StateRequest): boolean {
  return material.uniqueIds || operation.responses.all.some(({ key }) => key === '409');
}

function respondCreated(
  request: StateRequest<CreateMeaning>,
  made: readonly NewResource[],
): Outcome {
  const { collection, meaning, material } = request;
  const [first] = made;
  const { declaresGone } = material.factsOf(meaning.type);
  const changes: Change[] = [];
  for (const { key, resource, expected } of made) {
    changes.push({ collection, key, expected, resource });
  }
  for (const one of made) {
    changes.push(...one.changes);
    if (declaresGone) changes.push(markDeleted(collection, one.key, undefined));
  }
  const key = meaning.isMany ? undefined : first?.key;
  const effect = effectOf(request, changes, key);
  const resources = made.map(({ resource }) => resource);
  const candidate = showWritten(request, 'created', resources, first?.key ?? '');
  return { candidate, effect };
}
