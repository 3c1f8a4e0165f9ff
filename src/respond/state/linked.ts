import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import { plain, singularName } from '../../base/words.ts';
import type { CreateMeaning } from '../../resources/meaning.ts';
import type { ResourceType } from '../../resources/resource.ts';
import { findByKey } from './expand.ts';
import type { StateRequest } from './state-request.ts';

/**
 * Returns the resource that a create puts into a collection: `POST /playlists/7/tracks` with a
 * `track_id` puts in one of `/tracks`.
 */
export function withLinked(
  request: StateRequest<CreateMeaning>,
  given: JsonObject,
): Awaitable<JsonObject> {
  const { material, meaning } = request;
  const facts = material.factsOf(meaning.type);
  const twin = meaning.type.parents.length === 0 ? undefined : facts.twin();
  const name = twin && Object.keys(given).find((one) => refersTo(one, twin));
  if (twin === undefined || name === undefined) return given;
  const value = getMember(given, name) ?? null;
  return after(findByKey(request, twin, value), (found) => {
    const linked: JsonObject = { ...(found ?? { [twin.key?.property?.value ?? 'id']: value }) };
    for (const [member, value] of Object.entries(given)) {
      if (member !== name || facts.properties.has(member)) setMember(linked, member, value);
    }
    return linked;
  });
}

function refersTo(property: string, { name, key }: ResourceType): boolean {
  const one = plain(singularName(name));
  const own = key?.property?.value ?? 'id';
  return [one, `${one}id`, one + plain(own), plain(own)].includes(plain(property));
}
