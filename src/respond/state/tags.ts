import { type Awaitable, after } from '../../base/awaitable.ts';
import { toText } from '../../base/json/stringify.ts';
import { getMember, isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { TagsMeaning } from '../../resources/meaning.ts';
import type { Outcome } from '../response.ts';
import { isManaged } from './find-stored.ts';
import { showMember } from './members.ts';
import { keysInPath } from './path-keys.ts';
import { StoringEffect, showResources } from './show.ts';
import { askedFor, type StateRequest } from './state-request.ts';

type TagsRequest = StateRequest<TagsMeaning>;

/** `GET`, `POST` and `DELETE /tags/{arn}`: what nobody has tagged has no tags. */
export function tags(request: TagsRequest): Awaitable<Outcome> {
  const { store, collection, meaning, operation } = request;
  const [key] = keysInPath(request) ?? [];
  if (key === undefined) return undefined;
  return after(store.get(collection, key), (stored) => {
    const before = getMember(stored?.resource ?? {}, 'tags') ?? (meaning.key ? [] : {});
    if (meaning.does === 'list') {
      const isKnown = stored !== undefined || isManaged(request);
      return after(isKnown, (known) =>
        known ? showMember(request, { value: before, path: meaning.tags, key }) : undefined,
      );
    }
    const resource = { tags: tagsAfter(request, before) };
    const changes = [{ collection, key, expected: stored?.version ?? 'absent', resource } as const];
    const declared = operation.responses.success;
    const candidate = declared && showResources(request, declared, { resources: [resource], key });
    return { candidate, effect: new StoringEffect(request, changes, key) };
  });
}

function tagsAfter(request: TagsRequest, before: JsonValue): JsonValue {
  const { does, key = '', tags } = request.meaning;
  const given = askedFor(request).get(tags[0] ?? '') ?? [];
  const isObject = isJsonObject(before);
  if (does === 'add' && isObject) return isJsonObject(given) ? { ...before, ...given } : before;
  const items = [given].flat();
  const nameOf = (one: JsonValue): string =>
    toText(isJsonObject(one) ? (getMember(one, key) ?? null) : one);
  const names = new Set(items.map(nameOf));
  if (isObject) {
    return Object.fromEntries(Object.entries(before).filter(([name]) => !names.has(name)));
  }
  const kept = [before].flat().filter((one) => !names.has(nameOf(one)));
  return does === 'remove' ? kept : [...kept, ...items];
}
