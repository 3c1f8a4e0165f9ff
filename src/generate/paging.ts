import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { plain } from '../base/words.ts';
import type { ObjectRules } from './space/part-rules.ts';
import type { Draft, Known } from './value-builder.ts';

/** Objects beside a list that have such members. */
const INFORMATION = /^(?:info|meta|metadata|page|pageinfo|pagination|paging)$/;

/** Makes the members of an envelope agree with its only list. */
export function agreeWithList(draft: Draft, object: JsonObject, known: Known): void {
  const { builder, constraints, wish } = draft;
  if (constraints.needsCheck || wish.isLeast) return;
  const { analysis } = builder;
  const list = onlyList(object);
  if (list === undefined) return;
  const agree = (owner: JsonObject, rules: ObjectRules): void => {
    for (const name of Object.keys(owner)) {
      const member = rules.member(name);
      const found = analysis.suggestions(member, { name, parent: undefined });
      const isCount = !found.number.isMoney || !isPriced(owner);
      const value = isCount && isScalar(owner[name]) ? found.agreement?.(list.length) : undefined;
      if (value === undefined || known.ofWhole.has(plain(name))) continue;
      if (analysis.evaluator.conforms(member, value)) owner[name] = value;
    }
  };
  const rules = analysis.objectRules(constraints);
  agree(object, rules);
  for (const [name, member] of Object.entries(object)) {
    if (!isJsonObject(member) || !INFORMATION.test(plain(name))) continue;
    const own = rules.member(name);
    if (own.unions.length === 0 && !own.needsCheck) agree(member, analysis.objectRules(own));
  }
}

/** Returns true beside which a total is an amount of money, and not the count of a list. */
function isPriced(owner: JsonObject): boolean {
  return Object.keys(owner).some((name) => MONEY.test(plain(name)));
}

const MONEY = /(?:currency|subtotal|tax|discount|price|vat|shipping|amount)$/;

function onlyList(object: JsonObject): JsonValue[] | undefined {
  let only: JsonValue[] | undefined;
  for (const name in object) {
    const value = object[name];
    if (!Array.isArray(value)) continue;
    if (only !== undefined) return undefined;
    only = value;
  }
  return only;
}

function isScalar(value: JsonValue | undefined): boolean {
  return !Array.isArray(value) && !isJsonObject(value ?? null);
}
