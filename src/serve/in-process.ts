import type { AppEnvironment } from './app.ts';

/** The app as a program calls it that has no connection. */
export type Fetch = (request: Request, environment: AppEnvironment) => Response | Promise<Response>;

/**
 * Asks the app as the platform's `fetch` would ask a server.
 *
 * @param closing aborted when the mock closes
 * @throws {TypeError} `fetch failed` where a fixture breaks the connection
 */
export async function fetchInProcess(
  app: Fetch,
  request: Request,
  closing: AbortSignal,
): Promise<Response> {
  const environment: AppEnvironment = { closing };
  const response = await app(request, environment);
  // What is spoiled or takes its time comes past the framework, which would mend it.
  return environment.special === undefined ? response : environment.special();
}

/** A path alone is enough: there is no host to name in process. */
export function toRequest(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init === undefined ? input : new Request(input, init);
  return new Request(new URL(input, 'http://localhost'), init);
}
