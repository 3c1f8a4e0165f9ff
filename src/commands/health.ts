import { get } from 'node:http';
import { reasonOf } from '../base/problem.ts';
import { type Invocation, localUrl } from './console.ts';

const TIMEOUT_MILLISECONDS = 2_000;

/** Returns 0 when a running mock is healthy, for containers without curl. */
export async function runHealth({ settings, console }: Invocation): Promise<number> {
  const url = `${localUrl(settings, settings.port)}/__admin/health`;
  try {
    const status = await fetchStatus(url);
    if (status === 200) return 0;
    console.writeError(`${url} responds with ${status}\n`);
  } catch (error) {
    console.writeError(`${url} does not respond: ${reasonOf(error)}\n`);
  }
  return 1;
}

function fetchStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // The control API trusts this host, whatever address the mock listens on.
    const headers = { host: 'localhost' };
    const request = get(url, { timeout: TIMEOUT_MILLISECONDS, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.on('timeout', () => {
      request.destroy(new Error(`no response within ${TIMEOUT_MILLISECONDS} ms`));
    });
  });
}
