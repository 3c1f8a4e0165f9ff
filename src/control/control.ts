import { stringifyJson } from '../base/json/stringify.ts';
import type { JsonValue } from '../base/json/value.ts';
import { Problem, toProblem } from '../base/problem.ts';
import { corsFields, isPreflight, preflightFields, type ResponseFields } from '../http/cors.ts';
import { readHost } from '../http/host.ts';
import type { WireRequest } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import { asProblemJson } from '../respond/refuse.ts';
import { type ControlAnswer, ControlCall, type ControlSettings } from './call.ts';
import { isHealthPath } from './control-target.ts';
import { isTrustedOrigin, refuseForeigners, requireToken } from './guard.ts';
import { answerHealth } from './health.ts';
import { operations, usesOfJournal } from './operations.ts';
import { readCall } from './read-call.ts';
import { describeRefusedRule } from './rule-problem.ts';

/**
 * Answers a request to the control API; it never throws.
 *
 * @param session the id that the request names; a request that is refused opens none
 * @param signal aborted when the client goes away
 */
export type Control = (
  request: WireRequest,
  session: string | undefined,
  signal?: AbortSignal,
) => Promise<Response>;

/** The control API, described by a document that its requests are held to. */
export function createControl(settings: ControlSettings): Control {
  return async (request, session, signal) => {
    const cors = findCors(request, settings);
    try {
      refuseForeigners(request, settings);
      if (cors !== undefined && isPreflight(request.method, request.fields)) {
        return new Response(null, {
          status: 204,
          headers: preflightFields(request.fields, METHODS),
        });
      }
      return toResponse(await answer(request, session, signal, settings), cors);
    } catch (error) {
      return refuse(error, cors);
    }
  };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

async function answer(
  request: WireRequest,
  session: string | undefined,
  signal: AbortSignal | undefined,
  settings: ControlSettings,
): Promise<ControlAnswer> {
  const path = readTarget(request.target)?.path;
  // Asked every few seconds by whoever watches over a container: it needs no document.
  if (path !== undefined && isHealthPath(path) && isReading(request.method)) {
    return answerHealth(path, settings);
  }
  requireToken(request.fields, settings);
  const valid = await readCall(request, settings);
  const { id } = valid.operation;
  const operation = operations.get(id);
  if (operation === undefined) throw new Problem('INTERNAL', `nothing does ${id}`);
  return repeat(async () => {
    const edited = await settings.sessions.edit(session, {
      journal: usesOfJournal.get(id) ?? 'counts',
    });
    try {
      const call = new ControlCall(settings, edited, valid, signal);
      const given = await operation(call);
      if (await call.finish()) return given;
      // Nobody will read it.
      if (given.content?.kind === 'stream') await given.content.stream.cancel();
      return undefined;
    } finally {
      edited.release();
    }
  });
}

/** Others may change the session at the same time, but not for ever. */
const MOST_ATTEMPTS = 50;

/** @throws {Problem} STATE_BUSY */
async function repeat(attempt: () => Promise<ControlAnswer | undefined>): Promise<ControlAnswer> {
  for (let count = 0; count < MOST_ATTEMPTS; count++) {
    const given = await attempt();
    if (given !== undefined) return given;
  }
  throw new Problem('STATE_BUSY', 'others change the session all the time; try again');
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The fields that let a page read the answer; undefined where it may not, or there is none. */
function findCors(
  { fields }: WireRequest,
  { cors, hosts }: ControlSettings,
): ResponseFields | undefined {
  const origin = fields.get('origin');
  if (!cors || origin === undefined) return undefined;
  const host = readHost(fields.get('host') ?? '');
  return isTrustedOrigin(origin, host, hosts) ? corsFields(origin, '*') : undefined;
}

function toResponse(
  { status, headers, content }: ControlAnswer,
  cors: ResponseFields | undefined,
): Response {
  const all: Record<string, string> = { ...headers, ...cors };
  if (content === undefined) return new Response(null, { status, headers: all });
  all['content-type'] = content.mediaType ?? 'application/json';
  switch (content.kind) {
    case 'json':
      return new Response(stringifyJson(content.value), { status, headers: all });
    case 'text':
      return new Response(content.text, { status, headers: all });
    case 'stream':
      return new Response(content.stream, { status, headers: all });
  }
}

/** Every refusal is problem+json (RFC 9457); that of a rule says where in it, too. */
function refuse(error: unknown, cors: ResponseFields | undefined): Response {
  const problem = toProblem(error);
  const { status, headers, mediaType = '', body } = asProblemJson(problem);
  const all = { ...headers, ...cors, 'content-type': mediaType };
  const diagnostics = describeRefusedRule(problem);
  if (diagnostics === undefined) return new Response(body, { status, headers: all });
  const { type, title, message } = problem;
  const value: JsonValue = { type, title, status, detail: message, diagnostics };
  return new Response(stringifyJson(value), { status, headers: all });
}
