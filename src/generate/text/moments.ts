import { isMailFormat, toHttpDate, toMailDate, toTimestamp } from '../../base/clock.ts';
import { plain } from '../../base/words.ts';
import { drawInteger } from '../chance.ts';
import type { Facts, Topic } from './topic.ts';

/** When something happens: days from now, and its rank among what happens to one object. */
export interface Span {
  /** Of two moments of one object, the one of the higher rank is later. */
  readonly rank: number;
  readonly from: number;
  readonly to: number;
}

/** Spans in the order in which they happen, each with the ends of the names of its properties. */
const spansWithNames: readonly (readonly [from: number, to: number, names: string])[] = [
  [-22_000, -7_000, 'birthdate birthday dateofbirth dob born bornat birth'],
  [
    -2_000,
    -400,
    'foundedat foundedon founded establishedat releasedate purchasedate hiredate hiredat',
  ],
  [
    -60,
    -20,
    'createdat createdon created createdate createtime creationdate creationtime datecreated',
  ],
  [
    -60,
    -20,
    'registeredat joinedat joined signedupat addedat uploadedat insertedat openedat orderedat',
  ],
  [-60, -20, 'placedat orderdate issuedat issuedon issuedate invoicedate requestedat submittedat'],
  [-18, -14, 'validfrom since effectivefrom effectivedate periodstart activatedat acceptedat'],
  [
    -12,
    -8,
    'publishedat publishedon publishdate publicationdate approvedat confirmedat startedat paidat',
  ],
  [-7, -4, 'shippedat completedat finishedat closedat resolvedat endedat deliveredat canceledat'],
  [-7, -4, 'cancelledat deletedat archivedat revokedat failedat'],
  [-3, 0, 'updatedat updatedon updated updatedate updatetime lastupdated dateupdated modifiedat'],
  [-3, 0, 'modified modifiedon lastmodified datemodified changedat editedat lastseen lastseenat'],
  [-3, 0, 'lastlogin lastloginat lastusedat lastactivity lastactiveat syncedat checkedat'],
  [
    1,
    7,
    'startsat starttime startdate startat start begin begindate begintime beginsat scheduledat',
  ],
  [1, 7, 'scheduledfor checkin checkindate departure departureat arrivesat pickupdate nextrunat'],
  [7, 20, 'endsat endtime endat end finishat finishtime'],
  [8, 20, 'enddate finishdate checkout checkoutdate return returndate periodend'],
  [21, 40, 'dueat dueon duedate due deadline renewsat renewaldate nextpaymentat deliverydate'],
  [
    60,
    360,
    'expiresat expireson expires expiry expirydate expirationdate expirationtime expiration',
  ],
  [60, 360, 'expireat expiretime validuntil validto goodthrough bestbefore trialendsat'],
];

const spans: ReadonlyMap<string, Span> = new Map(
  spansWithNames.flatMap(([from, to, names]) =>
    names.split(' ').map((name) => [name, { rank: from, from, to }]),
  ),
);

/** Resources whose start and end are what happened, not what is planned. */
const RUN =
  /(?:backup|build|crawl|deployment|execution|export|import|job|operation|query|run|scan|sync)$/;
const START = /(?:begin|start)s?(?:at|date|time|datetime)?$/;
const END = /(?:end|finish)(?:at|date|time|datetime)?$/;

/** Like {@link findSpan}, for a property of a resource: a job has started. */
export function findSpanOf(resource: string, words: readonly string[]): Span | undefined {
  const span = findSpan(words);
  if (span === undefined || span.from <= 0 || !RUN.test(resource)) return span;
  const name = words.join('');
  if (START.test(name)) return spans.get('startedat');
  return END.test(name) ? spans.get('endedat') : span;
}

/** A moment that has no part in the life of the object. */
export const RECENT: Span = { rank: Number.NaN, from: -30, to: 0 };

/** @param words of a property's name: `invoice`, `due`, `date` */
export function findSpan(words: readonly string[]): Span | undefined {
  const ends = words.map((_, index) => words.slice(index).join(''));
  const known = ends.map((end) => spans.get(end)).find(Boolean);
  if (known !== undefined) return known;
  if (words.at(-1) === 'utc') return findSpan(words.slice(0, -1));
  // `startDateTime` is a `startTime`.
  if (words.length > 2 && ends.includes('datetime')) {
    return findSpan([...words.slice(0, -2), 'time']) ?? RECENT;
  }
  return ends.some((end) => MOMENT.test(end)) ? RECENT : undefined;
}

const MOMENT =
  /^(?:at|on|date|datetime|timestamp|time|day|released|(?:arrival|build|departure|event|log|order|request|scheduled|transaction)time)$/;

const DAY = 86_400_000;
const HALF_HOUR = 1_800_000;

/** The rank of the end of what lasts hours, and that of its start. */
const HOURS_LATER = { rank: 7, after: 1 };

/** Returns a moment in its span: later than earlier ones of the same object, and the other way. */
export function drawMoment({ chance, facts }: Topic, { rank, from, to }: Span): number {
  const known = facts.moments?.get(rank);
  if (known !== undefined) return known;
  // Planned times are on the hour.
  const unit = from > 0 ? 3_600_000 : 1000;
  const begun = rank === HOURS_LATER.rank ? facts.moments?.get(HOURS_LATER.after) : undefined;
  if (begun !== undefined) return begun + drawInteger(chance, 1, 6) * HALF_HOUR;
  const draw = (): number => (chance.random.next() * (to - from) * DAY) / unit;
  const start = Math.ceil((chance.now + from * DAY) / unit);
  let moment = (start + Math.floor(draw())) * unit;
  for (const [other, at] of facts.moments ?? []) {
    if (other < rank && at >= moment) moment = at + Math.ceil(draw()) * unit;
    if (other > rank && at <= moment) moment = at - Math.ceil(draw()) * unit;
  }
  keepMoment(facts, rank, moment);
  return moment;
}

/** Remembers a moment that was taken from the document. */
export function learnMoment(facts: Facts, { rank }: Span, text: string): void {
  const moment = Date.parse(text);
  if (!Number.isNaN(moment)) keepMoment(facts, rank, moment);
}

function keepMoment(facts: Facts, rank: number, moment: number): void {
  if (Number.isNaN(rank)) return;
  facts.moments ??= new Map();
  facts.moments.set(rank, moment);
}

/** Texts of a moment, by format. */
const writings: ReadonlyMap<string, Write> = new Map([
  ['date-time', toTimestamp],
  ['iso-date-time', toTimestamp],
  ['datetime', toTimestamp],
  ['timestamp', toTimestamp],
  ['date', toDay],
  ['time', toTime],
  ['iso-time', toTime],
  ['date-time-local', (moment) => toTimestamp(moment).slice(0, 19)],
  ['time-local', toLocalTime],
  ['http-date', toHttpDate],
  ['unixtime', (moment) => String(Math.floor(moment / 1000))],
  ['unix-time', (moment) => String(Math.floor(moment / 1000))],
]);

type Write = (moment: number) => string;

/**
 * Returns what writes a moment, the best first: by its format, or in the forms that are usual where
 * no format says one.
 *
 * @param isDay true if the name is of a day, without a time
 */
export function findWritings(format: string | undefined, isDay: boolean): readonly Write[] {
  if (format === undefined) return isDay ? USUAL_OF_DAY : USUAL;
  if (isMailFormat(format)) return [toMailDate];
  // Documents also write `dateTime`; another format says nothing.
  const known = writings.get(format) ?? writings.get(plain(format));
  if (known === undefined) return isDay ? USUAL_OF_DAY : USUAL;
  return isDay ? [toDay, known] : [known];
}

const USUAL: readonly Write[] = [toTimestamp, toDay, toLocalTime, toTime];
const USUAL_OF_DAY: readonly Write[] = [toDay, toTime, toLocalTime, toTimestamp];

function toDay(moment: number): string {
  return toTimestamp(moment).slice(0, 10);
}

function toTime(moment: number): string {
  return toTimestamp(moment).slice(11);
}

function toLocalTime(moment: number): string {
  return toTimestamp(moment).slice(11, 19);
}
