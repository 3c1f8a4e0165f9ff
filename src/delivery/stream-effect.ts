import type { Random } from '../base/random.ts';
import type { Ending, ItemPace } from './transmission.ts';

/** How a rule changes the items of a stream: when they are sent, and which one breaks. */
export interface StreamEffect {
  readonly pace: ItemWaits | undefined;
  readonly fault: ItemFault | undefined;
}

/** When the items of a stream are sent; in milliseconds. */
export interface ItemWaits {
  /** Before the first item. */
  readonly first?: number;
  /** Between two items. */
  readonly each?: number;
  /** The share by which a wait may be shorter or longer, up to 1. */
  readonly jitter?: number;
  /** The longest time without a byte: in a longer wait, an event stream has comments. */
  readonly heartbeat?: number;
}

export interface ItemFault {
  /** Counted from 1. In a shorter stream nothing fails. */
  readonly item: number;
  readonly type: string;
  readonly milliseconds?: number;
}

interface PlannedStream {
  readonly items: readonly Buffer[];
  /** Before each item; milliseconds. */
  readonly waits: readonly number[];
  readonly ending: Ending['kind'];
}

/** Returns the stream with a fault at an item, which it has. */
type SpoilStream = (stream: PlannedStream, index: number, fault: ItemFault) => PlannedStream;

function endWith(ending: Ending['kind']): SpoilStream {
  return ({ items, waits }, index) => ({ items: items.slice(0, index), waits, ending });
}

function replace(write: (item: Buffer) => readonly (Buffer | string)[]): SpoilStream {
  return ({ items, waits, ending }, index) => {
    const item = items[index] ?? Buffer.alloc(0);
    const written = write(item).map((one) => Buffer.from(one));
    const added = written.slice(1).map(() => 0);
    return {
      items: items.toSpliced(index, 1, ...written),
      waits: waits.toSpliced(index + 1, 0, ...added),
      ending,
    };
  };
}

const ERROR = '{"error":{"type":"server_error","message":"The stream failed."}}';

const itemFaults: Readonly<Record<string, SpoilStream>> = {
  CONNECTION_RESET_BY_PEER: endWith('reset'),
  TRUNCATED_BODY: endWith('closed'),
  HANG: endWith('open'),
  INVALID_JSON: replace((item) => [
    Buffer.concat([item.subarray(0, item.length / 2), endOf(item)]),
  ]),
  DUPLICATE: replace((item) => [item, item]),
  UNKNOWN_EVENT: replace((item) => [like(item, 'unknown', '{"type":"unknown"}'), item]),
  ERROR_EVENT: replace((item) => [like(item, 'error', ERROR)]),
  DELAY: ({ items, waits, ending }, index, { milliseconds = 0 }) => ({
    items,
    waits: waits.with(index, (waits[index] ?? 0) + milliseconds),
    ending,
  }),
};

/** Returns the white space at the end of an item, which separates it from the next one. */
function endOf(item: Buffer): Buffer {
  const [end = ''] = /\s*$/.exec(item.toString('latin1')) ?? [];
  return Buffer.from(end);
}

/** Returns another item in the format of a given one. */
function like(item: Buffer, event: string, data: string): string {
  const text = item.toString('utf8');
  if (EVENT.test(text)) return `event: ${event}\ndata: ${data}\n\n`;
  return `${text.startsWith('\u001E') ? '\u001E' : ''}${data}\n`;
}

/** The bytes of a stream, and when each of its items is sent. */
export interface StreamBody {
  readonly body: Uint8Array;
  readonly pace: ItemPace;
}

/** Returns a stream after the effect of a rule. */
export function affectStream(
  stream: StreamBody,
  { pace: wanted, fault }: StreamEffect,
  random: Random,
): StreamBody {
  const items = splitItems(stream);
  const waits = items.map((_, index) => drawWait(wanted, index, random));
  const whole: PlannedStream = { items, waits, ending: 'complete' };
  const index = (fault?.item ?? 0) - 1;
  const spoil = fault && items[index] !== undefined ? itemFaults[fault.type] : undefined;
  const { ending, ...sent } = spoil && fault ? spoil(whole, index, fault) : whole;
  let due = 0;
  const paced = sent.items.flatMap((item, at) => {
    const wait = sent.waits[at] ?? 0;
    const beats = EVENT.test(item.toString('latin1')) ? countBeats(wait, wanted?.heartbeat) : 0;
    const comments = Array.from({ length: beats }, (_, beat) => {
      return { item: COMMENT, due: due + (beat + 1) * (wanted?.heartbeat ?? 0), isComment: true };
    });
    due += wait;
    return [...comments, { item, due }];
  });
  return joinItems(paced, { ...stream.pace, ending });
}

/** Returns the items after the one that a client has seen last (WHATWG HTML §9.2.3), or all. */
export function resumeStream(stream: StreamBody, lastEventId: string): StreamBody {
  const items = splitItems(stream);
  const seen = items.findIndex((item) => {
    const [, id] = /^id: ?(.*)$/m.exec(item.toString('utf8')) ?? [];
    return id === lastEventId;
  });
  return seen < 0
    ? stream
    : joinItems(
        items.slice(seen + 1).map((item) => ({ item, due: 0 })),
        stream.pace,
      );
}

const EVENT = /^(?:event|id|retry|data)?:/;
/** A comment of an event stream, which clients ignore (WHATWG HTML §9.2.6). */
const COMMENT = Buffer.from(': heartbeat\n\n');

function countBeats(wait: number, heartbeat: number | undefined): number {
  return heartbeat === undefined ? 0 : Math.max(0, Math.ceil(wait / heartbeat) - 1);
}

function splitItems({ body, pace }: StreamBody): readonly Buffer[] {
  const bytes = Buffer.from(body);
  return pace.items.map(({ end }, index) => bytes.subarray(pace.items[index - 1]?.end ?? 0, end));
}

interface TimedItem {
  readonly item: Buffer;
  readonly due: number;
  readonly isComment?: boolean;
}

function joinItems(timed: readonly TimedItem[], pace: ItemPace): StreamBody {
  let end = 0;
  const items = timed.map(({ item, ...others }) => {
    end += item.length;
    return { end, ...others };
  });
  return { body: Buffer.concat(timed.map(({ item }) => item)), pace: { ...pace, items } };
}

function drawWait(
  { first = 0, each = 0, jitter = 0 }: ItemWaits = {},
  index: number,
  random: Random,
) {
  const usual = index === 0 ? first : each;
  return usual === 0 ? 0 : Math.round(usual * (1 + jitter * (2 * random.next() - 1)));
}
