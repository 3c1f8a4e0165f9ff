import { Hono } from 'hono';
import type { Control } from '../control/control.ts';
import type { ControlPaths } from '../control/control-target.ts';
import { readTarget } from '../http/target.ts';
import type { SessionRequest } from '../session/session-id.ts';

/** Answers a request to the control API, which has been read already. */
export type App = (request: Request, received: SessionRequest) => Promise<Response>;

/** Returns the Hono app of the control API. */
export function createApp(control: Control, { routes }: ControlPaths): App {
  const app = new Hono<{ Bindings: SessionRequest }>({
    // Routes are matched without the prefix of a session.
    getPath: (_, options) => {
      const target = options?.env?.request.target ?? '/';
      return readTarget(target)?.path ?? target;
    },
  });
  for (const route of routes) {
    app.all(route, ({ env, req }) => control(env, req.raw.signal));
  }
  app.onError((error) => {
    throw error;
  });
  return async (request, received) => app.fetch(request, received);
}
