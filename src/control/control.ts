import { Hono } from 'hono';
import type { Serving } from '../handle.ts';
import { corsFields, isLocalOrigin, isPreflight, preflightFields } from '../http/cors.ts';
import type { WireRequest } from '../http/message.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { JsonValue } from '../json/value.ts';
import { Problem, toProblem } from '../problem.ts';
import { asProblemJson } from '../respond/refuse.ts';
import type { Resources } from '../state/resources.ts';
import { clearState, readState, replaceState } from './state.ts';

/** The root of the control API, as WireMock has it. */
const ROOT = '/__admin';

/** What the control API works on. */
export interface ControlSettings {
  /** False lets no page read the answers. */
  readonly cors: boolean;
  /** What is served now. */
  readonly serving: () => Serving & { readonly resources: Resources };
  /** @returns the request with its body collected */
  readonly read: (request: Request, environment: unknown) => Promise<WireRequest>;
}

/** Answers one route of the control API; undefined is 204. */
type ControlAction = (
  settings: ControlSettings,
  request: WireRequest,
  name: string,
) => JsonValue | undefined;

const actions: readonly (readonly [method: string, path: string, action: ControlAction])[] = [
  ['GET', '/health', ({ serving }) => describeHealth(serving())],
  ['GET', '/state', ({ serving }) => readState(serving())],
  ['GET', '/state/:name', ({ serving }, _, name) => readState(serving(), name)],
  ['PUT', '/state/:name', ({ serving }, { body }, name) => replaceState(serving(), name, body)],
  ['DELETE', '/state', silently(({ serving }) => clearState(serving()))],
  ['DELETE', '/state/:name', silently(({ serving }, _, name) => clearState(serving(), name))],
  ['POST', '/reset', silently(({ serving }) => serving().session.reset())],
];

const METHODS = [...new Set(actions.map(([method]) => method))];

/** An action that has nothing to say when it is done. */
function silently(act: (...parameters: Parameters<ControlAction>) => void): ControlAction {
  return (...parameters) => {
    act(...parameters);
    return undefined;
  };
}

/** The control API's routes, under its root; every other path is left to whoever comes after. */
export function createControl(settings: ControlSettings): Hono {
  const control = new Hono();
  for (const [method, path, action] of actions) {
    control.on(method, ROOT + path, async (context) => {
      const request = await settings.read(context.req.raw, context.env);
      const name = context.req.param('name') ?? '';
      return answer(request, settings.cors, () => action(settings, request, name));
    });
  }
  control.all(`${ROOT}/*`, async (context) => {
    const request = await settings.read(context.req.raw, context.env);
    return answer(request, settings.cors, () => {
      throw unknownRoute(request);
    });
  });
  return control;
}

function answer(
  request: WireRequest,
  hasCors: boolean,
  act: () => JsonValue | undefined,
): Response {
  const { method, fields } = request;
  const origin = fields.get('origin');
  const isReadable = hasCors && origin !== undefined && isLocalOrigin(origin);
  const cors = isReadable ? corsFields(origin, '*') : {};
  try {
    refuseForeignPages(origin);
    if (isReadable && isPreflight(method, fields)) {
      return new Response(null, { status: 204, headers: preflightFields(fields, METHODS) });
    }
    const value = act();
    if (value === undefined) return new Response(null, { status: 204, headers: cors });
    const headers = { ...cors, 'content-type': 'application/json' };
    return new Response(stringifyJson(value), { headers });
  } catch (error) {
    const { status, headers, mediaType = '', body } = asProblemJson(toProblem(error));
    const all = { ...cors, ...headers, 'content-type': mediaType };
    return new Response(body, { status, headers: all });
  }
}

/** A page from elsewhere must not reset what a developer works on (cross-site requests). */
function refuseForeignPages(origin: string | undefined): void {
  if (origin === undefined || isLocalOrigin(origin)) return;
  throw new Problem('FOREIGN_ORIGIN', `the page is from ${JSON.stringify(origin.slice(0, 200))}`);
}

function unknownRoute(request: WireRequest): Problem {
  const routes = actions.map(([method, path]) => `${method} ${ROOT}${path}`).join(', ');
  const path = JSON.stringify(request.target.slice(0, 200));
  return new Problem(
    'UNKNOWN_CONTROL_ROUTE',
    `there is no ${request.method} ${path}, there is ${routes}`,
  );
}

function describeHealth({ contract }: Serving): JsonValue {
  return {
    status: 'ok',
    document: { title: contract.title, version: contract.version },
    operations: contract.operations.length,
  };
}
