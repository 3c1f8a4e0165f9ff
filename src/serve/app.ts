import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { Control } from '../control/control.ts';
import { SignalWatch } from '../delivery/client-watch.ts';
import { respondInProcess } from '../delivery/respond-in-process.ts';
import { Fields, NO_BODY } from '../http/message.ts';
import { readTarget } from '../http/target.ts';
import { readSession, type SessionRequest } from '../session/session-id.ts';
import { type MockSettings, respondTo, sendingContext } from './mock-paths.ts';

export interface AppSettings extends MockSettings {
  readonly maximumBodyBytes: number;
  readonly control: Control;
  /** Aborts when the mock closes: a response that hangs ends then. */
  readonly closing: AbortSignal;
}

/** The bindings that the Node adapter passes to the app; empty in process. */
export interface AppEnvironment {
  readonly incoming?: IncomingMessage & { readonly received?: SessionRequest };
}

type AppContext = Context<{ Bindings: AppEnvironment }>;

/**
 * Returns the Hono app: the control API, and every other path by the documents. A request that has
 * arrived on a socket comes with its body collected.
 */
export function createApp(settings: AppSettings): Hono<{ Bindings: AppEnvironment }> {
  const app = new Hono<{ Bindings: AppEnvironment }>({ getPath });
  for (const route of settings.controlPaths.routes) {
    app.all(route, async (context) => {
      return settings.control(await receive(context, settings), context.req.raw.signal);
    });
  }
  app.all('*', async (context) => {
    const client = new SignalWatch(context.req.raw.signal);
    const ready = await respondTo(await receive(context, settings), settings, undefined, client);
    return respondInProcess(
      ready.response,
      () => sendingContext(ready, settings.closing),
      context.req.raw,
    );
  });
  // A rule that breaks the connection makes `fetch` fail, as it does on a network.
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** Routes are matched without the prefix of a session. */
function getPath(request: Request, options?: { readonly env?: AppEnvironment }): string {
  const { target } = (options?.env?.incoming?.received ?? readHead(request)).request;
  return readTarget(target)?.path ?? target;
}

async function receive({ env, req }: AppContext, { maximumBodyBytes }: AppSettings) {
  const received = env.incoming?.received;
  if (received !== undefined) return received;
  const { id, request } = readHead(req.raw);
  const { body } = req.raw;
  if (body === null) return { id, request };
  return { id, request: { ...request, rawBody: await readToLimit(body, maximumBodyBytes) } };
}

function readHead({ url, method, headers }: Request): SessionRequest {
  const { host, pathname, search } = new URL(url);
  // `fetch` makes this field of the URL when it sends a request.
  const fields = new Fields({ host, ...Object.fromEntries(headers) });
  return readSession({ method, target: pathname + search, fields, rawBody: NO_BODY });
}

async function readToLimit(stream: ReadableStream<Uint8Array>, maximumBytes: number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maximumBytes) return 'too-large' as const;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
