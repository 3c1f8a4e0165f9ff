import { NO_FIELDS } from '../../http/message.ts';
import { toEntityTag } from '../../resources/conditions.ts';
import type { Change } from '../../state/store.ts';
import type { Answer, Effect } from '../answer.ts';
import type { Asked } from './asked.ts';
import { linksTo } from './links.ts';

/**
 * What a request does to the store, and what its answer tells of it.
 *
 * @param changes the resource that the answer is about comes first
 * @param key of that resource; undefined where it is about none, or one that is gone
 */
export function effectOf(
  asked: Asked,
  changes: readonly Change[],
  key: string | undefined,
): Effect {
  return {
    changes: () => changes,
    fields: ([version], answer) => {
      const hasTag = version !== undefined && tellsEntityTag(asked, answer);
      const hasLocation = tellsLocation(answer);
      if (key === undefined || !(hasTag || hasLocation)) return NO_FIELDS;
      const fields: Record<string, string> = {};
      if (hasTag) setField(fields, answer, 'etag', [toEntityTag(version)]);
      if (hasLocation) {
        setField(fields, answer, 'location', [...linksTo(asked, key)].reverse());
      }
      return fields;
    },
  };
}

/** What cannot be asked for by itself needs no validator. */
function tellsEntityTag({ material, meaning }: Asked, { declared }: Answer): boolean {
  const { itemPath } = material.factsOf(meaning.resource);
  return itemPath !== undefined || declared?.response.headers.schemas.has('etag') === true;
}

/** RFC 9110 §10.2.2: of 201 it names what was created. */
function tellsLocation({ status, declared }: Answer): boolean {
  return status === 201 || declared?.response.headers.schemas.has('location') === true;
}

/** Sets a field to the first value that its declaration allows. */
export function setField(
  fields: Record<string, string>,
  { declared }: Pick<Answer, 'declared'>,
  name: string,
  candidates: readonly string[],
): void {
  const allowed = candidates.find(
    (one) => (declared?.response.headers.findViolations(name, one) ?? []).length === 0,
  );
  if (allowed !== undefined) fields[name] = allowed;
}
