import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { plain, wordsOf } from '../base/words.ts';
import type { ObjectRules } from './space/part-rules.ts';
import type { Draft } from './value-builder.ts';

const QUANTITY = /^(?:quantity|qty)$/;
const UNIT_PRICE = /^(?:unitprice|unitamount|unitcost|priceperunit|price)$/;
const LINE_TOTAL = /^(?:amount|total|linetotal|lineamount|totalprice|totalamount|subtotal)$/;
const SUBTOTAL = /^(?:subtotal|subtotalamount|subtotalprice|net|netamount|nettotal|itemstotal)$/;
const TOTAL = /^(?:total|totalamount|totalprice|grandtotal|amounttotal|gross|grossamount)$/;
const TAX = /^(?:tax|taxes|taxamount|taxtotal|totaltax|vat|vatamount)$/;
const SHIPPING = /^(?:shipping|shippingcost|shippingfee|shippingtotal|deliveryfee)$/;
const DISCOUNT = /^(?:discount|discountamount|discounttotal|totaldiscount)$/;

/** The tax in a hundred of a net amount. */
const TAX_RATE = 0.1;

interface Agreeing {
  readonly draft: Draft;
  readonly rules: ObjectRules;
  readonly object: JsonObject;
  /** Names of members that must stay. */
  readonly needed: ReadonlySet<string>;
}

/**
 * Corrects the sums and the duration of an object, and removes times of states that it has not
 * reached, such as `paidAt` of an open order.
 */
export function agreeMembers(agreeing: Agreeing): void {
  const { draft } = agreeing;
  if (draft.wish.isLeast || draft.wish.isGiven || draft.constraints.needsCheck) return;
  const { hasSums, hasStates, hasDuration } = draft.builder.analysis.agreements(agreeing.rules);
  if (hasSums) agreeOnMoney(agreeing);
  if (hasStates) agreeOnState(agreeing);
  if (hasDuration) agreeOnDuration(agreeing);
}

/** A line has its quantity times its price; a total has its lines, tax and shipping. */
function agreeOnMoney(agreeing: Agreeing): void {
  const numberOf = (pattern: RegExp): [string, number] | undefined => {
    for (const [name, value] of Object.entries(agreeing.object)) {
      if (typeof value === 'number' && pattern.test(plain(name))) return [name, value];
    }
    return undefined;
  };
  const set = (member: [string, number] | undefined, value: number): number => {
    if (member === undefined) return value;
    return setNumber(agreeing, member[0], value) ?? member[1];
  };
  const [quantity, price] = [numberOf(QUANTITY), numberOf(UNIT_PRICE)];
  if (quantity !== undefined && price !== undefined) {
    set(numberOf(LINE_TOTAL), quantity[1] * price[1]);
    return;
  }
  const [subtotal, total, tax] = [numberOf(SUBTOTAL), numberOf(TOTAL), numberOf(TAX)];
  const lines = sumOfLines(agreeing.object);
  if (subtotal === undefined && (total === undefined || lines === undefined)) return;
  const net = set(subtotal, lines ?? subtotal?.[1] ?? 0);
  const added = tax === undefined ? 0 : set(tax, net * TAX_RATE);
  const [shipping, discount] = [numberOf(SHIPPING)?.[1] ?? 0, numberOf(DISCOUNT)];
  const less = discount === undefined ? 0 : set(discount, Math.min(discount[1], net));
  set(total, net + added + shipping - less);
}

/** Returns the sum of the only list whose items all have an amount; undefined without one. */
function sumOfLines(object: JsonObject): number | undefined {
  const sums = Object.values(object).flatMap((list): number[] => {
    if (!Array.isArray(list) || list.length === 0) return [];
    const amounts = list.map(amountOf);
    const isWhole = amounts.every((amount) => amount !== undefined);
    return isWhole ? [amounts.reduce((sum: number, amount) => sum + (amount ?? 0), 0)] : [];
  });
  return sums.length === 1 ? sums[0] : undefined;
}

function amountOf(line: JsonValue): number | undefined {
  const members = isJsonObject(line) ? Object.entries(line) : [];
  const find = (pattern: RegExp): number | undefined => {
    const [, value] = members.find(([name]) => pattern.test(plain(name))) ?? [];
    return typeof value === 'number' ? value : undefined;
  };
  const price = find(UNIT_PRICE);
  return find(LINE_TOTAL) ?? (price === undefined ? undefined : price * (find(QUANTITY) ?? 1));
}

/** Returns the number that was set; undefined where the schema does not allow it. */
function setNumber({ draft, rules, object }: Agreeing, name: string, value: number) {
  const member = rules.member(name);
  const rounded = member.isIntegral ? Math.round(value) : Math.round(value * 100) / 100;
  if (!draft.builder.analysis.evaluator.conforms(member, rounded)) return undefined;
  object[name] = rounded;
  return rounded;
}

const STATE = /^(?:status|state|phase)$/;
const MOMENT = /(?:at|on|date|time|timestamp)$|^date/;

function agreeOnState({ draft, rules, object, needed }: Agreeing): void {
  const { evaluator } = draft.builder.analysis;
  const isReached = Object.entries(object).flatMap(([name, value]) =>
    readState(name, value, rules),
  );
  const early = Object.keys(object).filter(
    (name) => MOMENT.test(plain(name)) && !isReached.every((one) => one(name)),
  );
  for (const moment of early) {
    if (evaluator.conforms(rules.member(moment), null)) object[moment] = null;
    else if (!needed.has(moment)) delete object[moment];
  }
}

/**
 * Returns what a member says of moments: false for `paidAt` beside an open state, and for
 * `archivedAt` beside `archived: false`. Other members say nothing.
 */
function readState(name: string, value: JsonValue, rules: ObjectRules) {
  const follows = (state: string, states: readonly string[]) => [
    (moment: string) => followsState(moment, state, states),
  ];
  if (value === false) return follows('', [plain(name).replace(/^(?:is|was)/, '')]);
  if (typeof value !== 'string' || !STATE.test(plain(name))) return [];
  const states = (rules.member(name).listed ?? []).filter((one) => typeof one === 'string');
  return states.length < 2 ? [] : follows(value, states);
}

/** States from which nothing goes on, and that another state does not include. */
const ENDS = /^(?:abort|cancel|clos|declin|delet|den|expir|fail|reject|refund|revok|void)/;

/** Words around the name of a state in the name of its moment: `cancelledAt`, `datePaid`. */
const AROUND = /^(?:at|on|date|time|timestamp|datetime)$/;

/**
 * Returns false for the time of a state that an object has not reached: `paidAt` of an open one.
 *
 * @param name of a property
 * @param states in the order of their enum
 */
function followsState(name: string, state: string, states: readonly string[]): boolean {
  const words = wordsOf(name);
  if (words.length < 2) return true;
  const telling = words.filter((word) => !AROUND.test(word));
  if (telling.length !== 1 || telling.length === words.length) return true;
  const stems = states.map(stemOf);
  const at = stems.indexOf(stemOf(telling[0] ?? ''));
  if (at < 0) return true;
  const now = states.indexOf(state);
  return at === now || (at < now && !ENDS.test(stems[at] ?? '') && !ENDS.test(stems[now] ?? ''));
}

/** Returns `cancel` for `cancelled`, `CANCELED` and `cancel`. */
function stemOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/e?d$/, '')
    .replace(/(.)\1$/, '$1');
}

const START = /^(?:starts?|startsat|startat|starttime|startedat|begin|beginsat)$/;
const END = /^(?:ends?|endsat|endat|endtime|endedat|finishat|finishedat)$/;
const DURATION = /^duration(?:in)?(minutes?|mins?|seconds?|secs?|hours?|ms|milliseconds)?$/;

/** Sets the duration of an object to the time between its start and its end. */
function agreeOnDuration(agreeing: Agreeing): void {
  const { object } = agreeing;
  const names = Object.keys(object);
  const duration = names.find((name) => DURATION.test(plain(name)));
  if (duration === undefined || typeof object[duration] !== 'number') return;
  const timeOf = (pattern: RegExp): number =>
    Date.parse(String(object[names.find((name) => pattern.test(plain(name))) ?? ''] ?? ''));
  const milliseconds = timeOf(END) - timeOf(START);
  if (!(milliseconds > 0)) return;
  const [, unit = 'minutes'] = DURATION.exec(plain(duration)) ?? [];
  const length = /^m(?:s|illi)/.test(unit) ? 1 : (UNITS.get(unit[0] ?? '') ?? 60_000);
  setNumber(agreeing, duration, milliseconds / length);
}

/** Milliseconds, by the first letter of a unit. */
const UNITS = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
