import { SignalWatch } from '../delivery/client-watch.ts';
import { respondInProcess } from '../delivery/respond-in-process.ts';
import { Fields, NO_BODY } from '../http/message.ts';
import { readSession, type SessionRequest } from '../session/session-id.ts';
import type { App } from './app.ts';
import { type MockSettings, respondTo, sendingContext } from './mock-paths.ts';

export interface FetchSettings extends MockSettings {
  readonly maximumBodyBytes: number;
  readonly app: App;
  /** Aborts when the mock closes: a response that hangs ends then. */
  readonly closing: AbortSignal;
}

/**
 * Returns `fetch` in process: the control API, and every other path by the documents. A rule that
 * breaks the connection makes it fail, as it does on a network.
 */
export function createFetch(settings: FetchSettings): (request: Request) => Promise<Response> {
  const { controlPaths, app, closing } = settings;
  return async (request) => {
    const received = await receive(request, settings);
    if (controlPaths.includes(received.request.target)) return app(request, received);
    const ready = await respondTo(received, settings, undefined, new SignalWatch(request.signal));
    return respondInProcess(ready.response, () => sendingContext(ready, closing), request);
  };
}

async function receive(input: Request, { maximumBodyBytes }: FetchSettings) {
  const { id, request } = readHead(input);
  const { body } = input;
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
