import { type Awaitable, after } from '../../base/awaitable.ts';
import { keyIn } from '../../resources/collections.ts';
import type { ReplaceMeaning } from '../../resources/meaning.ts';
import { unwrap } from '../../resources/wrapping.ts';
import type { Outcome } from '../answer.ts';
import type { Asked } from './asked.ts';
import { answerChanged, findBefore } from './change.ts';
import { keyBelowParents, keysInPath, setKeyOfPath, setParents } from './path-values.ts';
import { mayChange } from './success.ts';

/** `PUT /plants/7`: all that the client may set is replaced; what is not there may be made. */
export function replace(asked: Asked<ReplaceMeaning>): Awaitable<Outcome> {
  const { meaning, request } = asked;
  const body = request.body?.value;
  const given = body === undefined ? undefined : unwrap(body, meaning.given, meaning.resource);
  if (given === undefined || !mayChange(request.operation)) return undefined;
  const thing = { ...given };
  const keys = keysInPath(asked) ?? keysIn(asked, thing);
  const [key] = keys;
  if (key === undefined) return undefined;
  setKeyOfPath(asked, thing);
  setParents(asked, thing);
  const ownKey = keyIn(meaning.resource, thing) ?? key;
  return after(findBefore(asked, keys, meaning.createsAbsent), (before) =>
    after(before?.key ?? keyBelowParents(asked, ownKey), (kept) =>
      answerChanged(asked, { key: kept, thing, before }),
    ),
  );
}

/** `PUT /pet` has the key in its body. */
function keysIn({ meaning }: Asked, thing: Parameters<typeof keyIn>[1]): readonly string[] {
  const key = keyIn(meaning.resource, thing);
  return key === undefined ? [] : [key];
}
