import { Hono } from 'hono';
import type { Control } from '../control/control.ts';
import type { ControlPaths } from '../control/control-target.ts';
import { readTarget } from '../http/target.ts';
import type { SessionRequest } from '../session/session-id.ts';

/**
 * Answers a request to the control API, which has been read already.
 *
 * @param delay called when the response takes time on purpose
 */
export type App = (
  request: Request,
  received: SessionRequest,
  delay?: () => void,
) => Promise<Response>;

type Bindings = SessionRequest & { readonly delay: (() => void) | undefined };

/** Returns the Hono app of the control API. */
export function createApp(control: Control, { routes }: ControlPaths): App {
  const app = new Hono<{ Bindings: Bindings }>({
    // Routes are matched without the prefix of a session.
    getPath: (_, options) => {
      const target = options?.env?.request.target ?? '/';
      return readTarget(target)?.path ?? target;
    },
  });
  for (const route of routes) {
    app.all(route, ({ env, req }) => {
      return control(env, () => {
        env.delay?.();
        return req.raw.signal;
      });
    });
  }
  app.onError((error) => {
    throw error;
  });
  return async (request, received, delay) => app.fetch(request, { ...received, delay });
}
