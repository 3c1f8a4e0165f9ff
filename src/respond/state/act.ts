import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, setMember } from '../../base/json/value.ts';
import type { ActionMeaning } from '../../resources/meaning.ts';
import { unwrap } from '../../resources/wrapping.ts';
import type { Outcome } from '../answer.ts';
import type { Asked } from './asked.ts';
import { answerChanged, findBefore } from './change.ts';
import { keysInPath, setFromQuery } from './path-values.ts';
import { mayChange } from './success.ts';

/** `POST /orders/7/cancel`: what the action sets is set, and what its body says of the resource. */
export function act(asked: Asked<ActionMeaning>): Awaitable<Outcome> {
  const keys = keysInPath(asked);
  if (keys === undefined || !mayChange(asked.request.operation)) return undefined;
  return after(findBefore(asked, keys, false), (before) => {
    if (before === undefined) return undefined;
    const thing: JsonObject = { ...before.thing };
    setFromQuery(asked, thing);
    setGiven(asked, thing);
    for (const { property, value } of asked.meaning.sets) setMember(thing, property, value.value);
    return answerChanged(asked, { key: before.key, thing, before });
  });
}

/** Of the body, what the resource has too. */
function setGiven({ material, meaning, request }: Asked<ActionMeaning>, thing: JsonObject): void {
  const { given, resource } = meaning;
  const body = request.body?.value;
  if (given === undefined || body === undefined) return;
  const members = unwrap(body, given, resource) ?? {};
  for (const name of material.factsOf(resource).properties.keys()) {
    const value = getMember(members, name);
    if (value !== undefined) setMember(thing, name, value);
  }
}
