import type { Random } from '../base/random.ts';
import type { Ending, Pace } from './transmission.ts';

/** How a rule changes the items of a stream: when they are sent, and which one breaks. */
export interface StreamEffect {
  readonly pace: ItemPace | undefined;
  readonly fault: ItemFault | undefined;
}

/** When the items of a stream are sent; in milliseconds. */
export interface ItemPace {
  /** Before the first item. */
  readonly first?: number;
  /** Between two items. */
  readonly each?: number;
  /** The share by which a wait may be shorter or longer, up to 1. */
  readonly jitter?: number;
}

/** A failure in the middle of a stream. */
export interface ItemFault {
  /** Counted from 1. In a shorter stream nothing fails. */
  readonly item: number;
  readonly type: string;
  /** How long a delay takes. */
  readonly milliseconds?: number;
}

/** A stream that is about to be sent. */
interface PlannedStream {
  readonly items: readonly Buffer[];
  /** Before each item; milliseconds. */
  readonly waits: readonly number[];
  readonly ending: Ending['kind'];
}

/** Returns the stream with a fault at an item, which it has. */
type SpoilStream = (stream: PlannedStream, index: number, fault: ItemFault) => PlannedStream;

/** Ends a stream before an item. */
function endWith(ending: Ending['kind']): SpoilStream {
  return ({ items, waits }, index) => ({ items: items.slice(0, index), waits, ending });
}

/** Sends other items in place of one. */
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

/** Every fault of an item by its name. */
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
  if (/^(?:event|id|retry|data)?:/.test(text)) return `event: ${event}\ndata: ${data}\n\n`;
  return `${text.startsWith('\u001E') ? '\u001E' : ''}${data}\n`;
}

/** Returns the body and the pace of a stream after the effect of a rule. */
export function affectStream(
  body: string | Uint8Array,
  pace: Extract<Pace, { kind: 'items' }>,
  { pace: wanted, fault }: StreamEffect,
  random: Random,
): { readonly body: Uint8Array; readonly pace: Pace } {
  const bytes = Buffer.from(body);
  const items = pace.items.map(({ end }, index) =>
    bytes.subarray(pace.items[index - 1]?.end ?? 0, end),
  );
  const waits = items.map((_, index) => drawWait(wanted, index, random));
  const whole: PlannedStream = { items, waits, ending: 'complete' };
  const index = (fault?.item ?? 0) - 1;
  const spoil = fault && items[index] !== undefined ? itemFaults[fault.type] : undefined;
  const sent = spoil && fault ? spoil(whole, index, fault) : whole;
  let [end, due] = [0, 0];
  const paced = sent.items.map((item, at) => {
    end += item.length;
    due += sent.waits[at] ?? 0;
    return { end, due };
  });
  return {
    body: Buffer.concat(sent.items),
    pace: { kind: 'items', items: paced, ending: sent.ending },
  };
}

function drawWait(
  { first = 0, each = 0, jitter = 0 }: ItemPace = {},
  index: number,
  random: Random,
) {
  const usual = index === 0 ? first : each;
  return usual === 0 ? 0 : Math.round(usual * (1 + jitter * (2 * random.next() - 1)));
}
