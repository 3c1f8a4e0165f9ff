import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { describeExchange } from '../journal/describe-exchange.ts';
import type { MockEvent } from '../session/mock-event.ts';
import type { ControlCall, ControlOperations, ControlResponse } from './call.ts';
import { createEventStream } from './event-stream.ts';
import { toNumber } from './members.ts';

/** The stream of everything that happens in the mock. */
export const eventOperations: ControlOperations = { streamEvents };

/** @throws {Problem} TOO_MANY_LISTENERS */
async function streamEvents(call: ControlCall): Promise<ControlResponse> {
  const { events, clock } = call.settings;
  const stream = createEventStream({
    hub: events,
    clock,
    signal: call.signal,
    missed: countMissed(call),
    accepts: readFilter(call),
    write: (event) => stringifyJson(describeEvent(call, event)),
  });
  if (stream === undefined) {
    throw new Problem('TOO_MANY_LISTENERS', 'the maximum of event streams is open; close one');
  }
  try {
    // Only now that it listens, or else the end of another stream would end the relay.
    await events.open();
  } catch (error) {
    await stream.cancel();
    throw error;
  }
  return {
    status: 200,
    // Proxies must neither buffer nor cache the stream.
    fields: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    content: { kind: 'stream', stream, mediaType: 'text/event-stream' },
  };
}

function readFilter(call: ControlCall): (event: MockEvent) => boolean {
  const names = call.parameter('event');
  const isAll = call.flag('all');
  return ({ name, session }) =>
    (isAll || session === undefined || session === call.session.id) &&
    (!Array.isArray(names) || names.includes(name));
}

/** Counts the events of all sessions since the last one that the client received. */
function countMissed(call: ControlCall): number {
  const text = call.text('Last-Event-ID');
  const last = text === undefined || !/^\d{1,15}$/.test(text) ? undefined : toNumber(Number(text));
  return last === undefined ? 0 : Math.max(0, call.settings.events.last - last);
}

function describeEvent({ settings, pipeline }: ControlCall, event: MockEvent): JsonObject {
  const { session } = event;
  if (event.name !== 'exchange') {
    return { ...(session !== undefined && { session }), ...event.data() };
  }
  const { exchange } = event;
  return describeExchange(exchange, settings.view(exchange), pipeline.redaction);
}
